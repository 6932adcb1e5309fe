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
    // Earlier versions bound a value to its key alone.
    for context in [context(of: key), Data(key.utf8)] {
      let opened = (try? AES.GCM.SealedBox(combined: sealed)).flatMap { box in
        try? AES.GCM.open(box, using: secret, authenticating: context)
      }
      if let opened { return opened }
    }
    throw .unopened(key, copy: upstream.setAside(sealed, of: key))
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    let context = context(of: key)
    guard let sealed = try? AES.GCM.seal(value, using: secret, authenticating: context).combined else {
      throw .unusableKey(secret)
    }
    try upstream.write(sealed, for: key)
    // A link to a folder is followed from when the folder was made.
    if self.context(of: key) != context { return try write(value, for: key) }
    upstream.removeAgedCopy(of: key, at: Date())
  }

  func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(key) }

  /// Where a value belongs: its folder, where it is in one and is not being moved, and its key.
  private func context(of key: String) -> Data {
    guard let names = upstream.identity, names.first == "files", !names.contains("to") else { return Data(key.utf8) }
    #if os(macOS) || os(Linux)
    let location = names
    #else
    // An update or a restored backup gives an app's container another UUID.
    let location = names.map { name in
      name.split(separator: "/").filter { UUID(uuidString: String($0)) == nil }.joined(separator: "/")
    }
    #endif
    return Data((location + [key]).joined(separator: "\n").utf8)
  }

  func unlocks() -> AsyncStream<Void>? { upstream.unlockSignals() }
}

extension SecureStorage {
  /// Encrypts the values of this storage with AES-GCM (NIST SP 800-38D), under a key that the app supplies.
  ///
  /// Each write uses a new random nonce. The storage key is authenticated with the value, and the folder of a
  /// ``FileStorage``, so that a value copied to another key or folder cannot be decrypted; an earlier value of the same
  /// key and folder can. A value that cannot be decrypted, also since its folder was moved, is reported as
  /// ``AuthenticationError/storageCorrupt`` and left unchanged.
  ///
  /// ```swift
  /// let storage = FileStorage(folder: folder).encrypted(with: SymmetricKey(size: .bits256))
  /// ```
  ///
  /// - Parameter secret: a key of 128, 192 or 256 bits. Keep it elsewhere: stored with the encrypted values, it
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
