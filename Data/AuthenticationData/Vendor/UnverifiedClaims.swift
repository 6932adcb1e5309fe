package import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONMembers {
  /// The claims of a JWT (RFC 7519 §7.2) whose signature is not checked: only for a token that came from its issuer
  /// itself over TLS, or for an early check that a server repeats.
  ///
  /// - Returns: nil unless it has three segments, the second of them a JSON object.
  package init?(unverified token: Secret) {
    let segments = token.reveal().split(separator: ".", omittingEmptySubsequences: false)
    guard segments.count == 3, let payload = Data(lenientBase64: String(segments[1])) else { return nil }
    self.init(json: payload)
  }
}
