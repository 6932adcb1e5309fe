import AuthenticationData
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The nonce that each server last required in proofs (RFC 9449 §8, §9), by origin. Kept until the process ends.
final class DPoPNonces: Sendable {
  private let nonces = Mutex<[Origin: String]>([:])

  func nonce(for url: URL) -> String? {
    guard let origin = Origin(url) else { return nil }
    return nonces.withLock { $0[origin] }
  }

  /// Stores the nonce of a response, successful or not (RFC 9449 §8.2). True if the response had a usable one.
  @discardableResult
  func learn(from response: HTTPResponse, to url: URL) -> Bool {
    guard !response.isFromOtherOrigin, let origin = Origin(url), let nonce = response.headers["DPoP-Nonce"],
      nonce.isNonce
    else { return false }
    nonces.withLock { $0[origin] = nonce }
    return true
  }
}

extension String {
  /// RFC 9449 §8.1; two header fields joined by a comma and a space are not a nonce.
  fileprivate var isNonce: Bool {
    (1...1_024).contains(utf8.count)
      && utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }
}
