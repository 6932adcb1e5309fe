import Synchronization

/// The one algorithm of a key that names none: the first that it verified a signature by (RFC 8725 §3.1).
final class AlgorithmOfUse: Sendable {
  private let first = Mutex<SignatureAlgorithm?>(nil)

  /// Whether the key may still be tried for it.
  func allows(_ algorithm: SignatureAlgorithm) -> Bool { first.withLock { $0 == nil || $0 == algorithm } }

  /// Takes it for the key's own; false if another one is.
  func settle(on algorithm: SignatureAlgorithm) -> Bool {
    first.withLock { first in
      if first == nil { first = algorithm }
      return first == algorithm
    }
  }
}
