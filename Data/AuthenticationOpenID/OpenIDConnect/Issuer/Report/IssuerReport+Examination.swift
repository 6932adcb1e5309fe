import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuerReport {
  mutating func examine(_ documents: IssuerDocuments) async throws(AuthenticationError) {
    let asked = documents.clock.now
    let response = try await documents.metadataResponse()
    let answered = documents.clock.now
    let wire = try MetadataResponseMapper.wire(response, now: answered)
    examineConnection(documents.issuer)
    add("discovery", .ok, "The metadata is well-formed.")
    examineIssuer(wire, documents.issuer)
    examineClock(response.date(now: answered), between: asked, and: answered)
    let keySet = examineEndpoints(wire, EndpointRule(issuer: documents.issuer.origin))
    examineProofKeys(wire)
    examineResponses(wire)
    examineAlgorithms(wire)
    await examineKeys(keySet, documents)
  }

  private mutating func examineConnection(_ issuer: IssuerIdentifier) {
    if issuer.origin.scheme == "https" {
      add("tls", .ok, "The connection is encrypted, and this machine trusts the certificate.")
    } else {
      add("tls", .ok, "The connection is not encrypted, and does not leave this machine.")
    }
  }

  private mutating func examineIssuer(_ wire: MetadataWire, _ issuer: IssuerIdentifier) {
    if wire.names(issuer) {
      add("issuer", .ok, "The metadata names the issuer that was asked for.")
    } else {
      add(
        "issuer", .problem, "The metadata names another issuer than the one that was asked for.",
        advice: "Write the issuer exactly as its metadata does, in every byte, the last slash included.",
        code: .security)
    }
  }

  /// No difference can be told from a time between question and answer, or in the second before that `Date` is cut to.
  private mutating func examineClock(_ date: Date?, between asked: Date, and answered: Date) {
    guard let date else {
      add(
        "clock", .warning, "The issuer does not tell its time.",
        advice: "Have it send a Date header: else a device's wrong clock looks like the issuer's fault.")
      return
    }
    let ahead = asked.timeIntervalSince(date) - 1
    let behind = date.timeIntervalSince(answered)
    let seconds = (ahead > 0 ? ahead : min(0, -behind)).rounded()
    clockOffset = .seconds(seconds)
    let side = seconds < 0 ? "behind" : "ahead of"
    let message = "This machine's clock is \(Int(abs(seconds))) seconds \(side) the issuer's."
    switch abs(seconds) {
    case ...5: add("clock", .ok, message)
    case ...60: add("clock", .warning, message, advice: "Set the clock: more than 60 seconds end a sign-in.")
    default: add("clock", .problem, message, advice: "Set the clock.", code: .clockSkewed)
    }
  }
}
