import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where an issuer's endpoints may be: on https, or on this machine if the issuer is too (RFC 9700 §2.6).
struct EndpointRule: Sendable {
  let issuer: Origin

  /// Nil if the issuer has no such endpoint. Throws ``AuthenticationError/Code/insecureConnection``, which names the
  /// endpoint; `name` is the metadata's member.
  func check(_ text: String?, _ name: String) throws(AuthenticationError) -> URL? {
    guard let text, !text.isEmpty else { return nil }
    guard let url = URL(string: text), let origin = Origin(url), url.fragment() == nil else {
      throw AuthenticationError(
        .unexpectedAnswer, "The issuer's \(name) is not an absolute URL without user info and fragment.",
        suggestion: "Check what the issuer publishes.")
    }
    guard origin.scheme == "https" || (origin.isLoopback && issuer.isLoopback) else {
      throw AuthenticationError(
        .insecureConnection, "The issuer's \(name) is not https: nothing of its metadata is used.",
        suggestion: "Have the issuer publish https endpoints only.")
    }
    return url
  }
}
