import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuerReport {
  /// Answers where the keys are.
  mutating func examineEndpoints(_ wire: MetadataWire, _ rule: EndpointRule) -> URL? {
    var found: [String] = []
    var keySet: URL?
    for member in MetadataWire.Member.endpoints {
      do throws(AuthenticationError) {
        guard let url = try rule.check(wire.endpoints[member], member.rawValue) else { continue }
        found.append(member.rawValue)
        if member == .keySet { keySet = url }
      } catch {
        add("endpoint", error)
      }
    }
    add("endpoint", .ok, "Usable: \(found.isEmpty ? "none" : found.joined(separator: ", ")).")
    for member in [MetadataWire.Member.authorizationEndpoint, .tokenEndpoint] where wire.endpoints[member] == nil {
      add(
        "endpoint", .problem, "There is no \(member.rawValue).",
        advice: "Check the issuer: nobody can sign in there with a browser.", code: .unexpectedAnswer)
    }
    if wire.endpoints[.revocationEndpoint] == nil {
      add(
        "endpoint", .warning, "There is no revocation_endpoint.",
        advice: "Signing out ends the session on the device only; keep the tokens' lifetimes short.")
    }
    return keySet
  }

  /// RFC 7636 §4.2, RFC 9700 §2.1.1.
  mutating func examineProofKeys(_ wire: MetadataWire) {
    guard let methods = wire.lists[.codeChallengeMethods] else {
      add(
        "pkce", .warning, "The issuer does not say that it supports PKCE.",
        advice: "It is used all the same. Have the issuer publish code_challenge_methods_supported with S256.")
      return
    }
    guard methods.contains("S256") else {
      add(
        "pkce", .problem, "The issuer supports PKCE, but not with S256.",
        advice: "Have the issuer support S256: nothing weaker is used.", code: .clientRejected)
      return
    }
    add("pkce", .ok, "The issuer supports PKCE with S256.")
  }

  /// RFC 9207 §3.
  mutating func examineResponses(_ wire: MetadataWire) {
    if wire.flags.contains(.sendsIssuer) {
      add("iss", .ok, "The issuer names itself in authorization responses.")
    } else {
      add(
        "iss", .warning, "The issuer does not name itself in authorization responses.",
        advice: "An app with several issuers should give each a redirect URI of its own (RFC 9700 §4.4).")
    }
  }
}
