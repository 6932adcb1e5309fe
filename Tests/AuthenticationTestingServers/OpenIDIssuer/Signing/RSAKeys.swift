#if Tools && OpenID
import CryptoExtras
import Synchronization

/// RSA keys of 2048 bits, each made once in a process.
enum RSAKeys {
  private static let made = Mutex<[Int: _RSA.Signing.PrivateKey]>([:])

  static func key(_ number: Int) -> _RSA.Signing.PrivateKey {
    made.withLock { made in
      if let key = made[number] { return key }
      guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { fatalError("No RSA key can be made.") }
      made[number] = key
      return key
    }
  }
}
#endif
