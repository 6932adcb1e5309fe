import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuerReport {
  /// Removes endpoints that are not usable.
  mutating func examineEndpoints(_ wire: inout MetadataWire, _ rule: EndpointRule) {
    for member in [MetadataWire.Member.authorizationEndpoint, .tokenEndpoint] where wire.endpoints[member] == nil {
      add(
        "endpoint", .problem, "There is no \(member.rawValue).",
        advice: "Check the issuer: nobody can sign in there with a browser.", code: .endpointMissing)
    }
    var found: [String] = []
    for member in MetadataWire.Member.endpoints {
      do throws(AuthenticationError) {
        if try rule.check(wire.endpoints[member], member.rawValue) != nil { found.append(member.rawValue) }
      } catch {
        add("endpoint", error)
        wire.remove(member)
      }
    }
    add("endpoint", .ok, "Usable: \(found.isEmpty ? "none" : found.joined(separator: ", ")).")
  }

  /// RFC 7009, OpenID Connect RP-Initiated Logout §2.
  mutating func examineSignOut(_ metadata: IssuerMetadata) {
    let methods = metadata.revocationAuthenticationMethods
    if metadata.revocationEndpoint != nil, methods.usual.contains("none") {
      add("sign-out", .ok, "The issuer revokes tokens, also for public clients.")
    } else if metadata.revocationEndpoint != nil {
      add(
        "sign-out", .warning,
        methods == nil
          ? "The issuer revokes tokens; it does not say for which clients: client_secret_basic (RFC 8414 §2)."
          : "The issuer revokes tokens, and does not say that it does so for public clients.",
        advice: "If it refuses one, signing out leaves its tokens valid at the issuer; keep their lifetimes short.")
    } else {
      add(
        "sign-out", .warning, "There is no revocation_endpoint.",
        advice: "Signing out leaves the tokens good at the issuer; keep their lifetimes short.")
    }
    if metadata.endSessionEndpoint != nil {
      add("sign-out", .ok, "The issuer has a page that ends its browser session.")
    } else {
      add(
        "sign-out", .warning, "There is no end_session_endpoint.",
        advice: "Signing out leaves the person signed in at the issuer itself, in the browser.")
    }
  }
}
