#if canImport(CryptoKit) || canImport(Crypto)
public import AuthenticationData
import AuthenticationDomain
#if canImport(CryptoKit)
public import CryptoKit
#else
public import Crypto
#endif
import Foundation

struct EncryptedStorage<Upstream: SecureStorage>: UnlockSignalingStorage {
  let upstream: Upstream
  let secret: SymmetricKey

  var identity: [String]? { upstream.identity }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    guard let sealed = try upstream.read(key) else { return nil }
    do {
      return try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: secret, authenticating: Data(key.utf8))
    } catch {
      throw .unopened(key, copy: upstream.setAside(sealed, of: key))
    }
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    guard let sealed = try? AES.GCM.seal(value, using: secret, authenticating: Data(key.utf8)).combined else {
      throw .unusableKey(secret)
    }
    try upstream.write(sealed, for: key)
    upstream.removeAgedCopy(of: key, at: Date())
  }

  func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(key) }

  func unlocks() -> AsyncStream<Void>? { upstream.unlockSignals() }
}

extension SecureStorage {
  /// Encrypts the values of this storage with AES-GCM (NIST SP 800-38D), under a key that the app supplies.
  ///
  /// Each write uses a new random nonce. The storage key is authenticated with the value, so that a value copied to
  /// another key cannot be decrypted. A value that cannot be decrypted is reported as
  /// ``AuthenticationError/storageCorrupt`` and left unchanged.
  ///
  /// ```swift
  /// let storage = FileStorage(folder: folder).encrypted(with: SymmetricKey(size: .bits256))
  /// ```
  ///
  /// - Parameter secret: a key of 128, 192 or 256 bits. Keep it elsewhere: stored beside the encrypted values, it
  ///   protects nothing.
  public func encrypted(with secret: SymmetricKey) -> some SecureStorage {
    EncryptedStorage(upstream: self, secret: secret)
  }
}

extension AuthenticationError {
  fileprivate static func unopened(_ key: String, copy: String?) -> Self {
    Self(
      .storageCorrupt, "What is stored under '\(key)' does not open with this encryption key; it was left as it is.",
      suggestion: "Check that the app supplies the key it was written with; signing in replaces it."
        + (copy.map { " A copy stays under '\($0)'." } ?? ""))
  }

  fileprivate static func unusableKey(_ secret: SymmetricKey) -> Self {
    Self(
      .invalidConfiguration, "AES cannot use a key of \(secret.bitCount) bits.",
      suggestion: "Supply a key of 256 bits, such as SymmetricKey(size: .bits256).")
  }
}
#endif
