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
    var wire = try MetadataResponseMapper.wire(response, now: answered)
    examineConnection(documents.issuer)
    add("discovery", .ok, "The metadata is well-formed.")
    examineIssuer(wire, documents.issuer)
    await complete(&wire, documents)
    let rule = EndpointRule(issuer: documents.issuer.origin)
    examineEndpoints(&wire, rule)
    let metadata = try MetadataResponseMapper.metadata(wire, rule)
    let client = OpenIDClient(issuer: issuer, clientID: "").resolved(by: metadata)
    let wantsIDToken = client.askedScopes.contains("openid")
    examineClock(response.date(now: answered), between: asked, and: answered, matters: wantsIDToken)
    examineRequests(metadata)
    examineScopes(metadata, client.askedScopes)
    examineClients(metadata)
    examineSignOut(metadata)
    examineAlgorithms(wire, matters: wantsIDToken)
    await examineKeys(metadata.keySetURL, documents, matters: wantsIDToken)
  }

  /// Looks for endpoints as a sign-in does: in the RFC 8414 document, too.
  private func complete(_ wire: inout MetadataWire, _ documents: IssuerDocuments) async {
    let wanted: [MetadataWire.Member] = [
      .authorizationEndpoint, .tokenEndpoint, .revocationEndpoint, .deviceAuthorizationEndpoint,
      .pushedAuthorizationRequestEndpoint, .introspectionEndpoint,
    ]
    guard wanted.contains(where: { wire.endpoints[$0] == nil }), let other = await documents.oauthWire() else { return }
    wire.add(other.endpoints, named: wanted)
  }

  private mutating func examineConnection(_ issuer: IssuerIdentifier) {
    if issuer.origin.scheme == "https" {
      add("tls", .ok, "The connection is encrypted, and this machine trusts the certificate.")
    } else {
      add("tls", .ok, "The connection is not encrypted, and does not leave this machine.")
    }
  }

  private mutating func examineIssuer(_ wire: MetadataWire, _ issuer: IssuerIdentifier) {
    guard let mismatch = wire.mismatch(issuer) else {
      return add("issuer", .ok, "The metadata names the issuer that was asked for.")
    }
    add(
      "issuer", .problem, mismatch.message,
      advice: "Write the issuer exactly as its metadata does, in every byte, the last slash included.",
      code: mismatch.code)
  }

  /// Reports no difference if the server's time lies between request and response, or within the second before the
  /// request, because `Date` is cut off to seconds.
  private mutating func examineClock(
    _ date: Date?, between asked: Date, and answered: Date, matters: Bool
  ) {
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
    let count = Int(abs(seconds))
    let message = "This machine's clock is \(count) \(count == 1 ? "second" : "seconds") \(side) the issuer's."
    switch abs(seconds) {
    case ...5: add("clock", .ok, message)
    case ...60: add("clock", .warning, message, advice: "Set the clock: more than 60 seconds end a sign-in.")
    case _ where !matters: add("clock", .warning, message, advice: "Set the clock.")
    default: add("clock", .problem, message, advice: "Set the clock.", code: .clockSkewed)
    }
  }
}
