package import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A secret that only the client that began something knows, and its challenge by `S256` (PKCE, RFC 7636 §4.1).
package struct CodeVerifier: Sendable {
  package let secret: Secret

  /// One that was made before.
  package init(_ secret: Secret) { self.secret = secret }

  /// A new one.
  ///
  /// - Parameter bytes: 32 unpredictable bytes.
  package init(random bytes: [UInt8]) { secret = Secret(Data(bytes).base64URL) }

  /// BASE64URL(SHA256(ASCII(verifier))) (RFC 7636 §4.2).
  package var challenge: String { Data(PublicSHA256.hash(secret.reveal().utf8)).base64URL }
}
