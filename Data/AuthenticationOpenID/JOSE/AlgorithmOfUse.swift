import Synchronization

/// The one algorithm of a key that names none: the first with which it verified a signature (RFC 8725 §3.1).
final class AlgorithmOfUse: Sendable {
  private let first = Mutex<SignatureAlgorithm?>(nil)

  /// Whether the key may still be tried with this algorithm.
  func allows(_ algorithm: SignatureAlgorithm) -> Bool { first.withLock { $0 == nil || $0 == algorithm } }

  /// Makes this the key's algorithm; returns false if it already has another one.
  func settle(on algorithm: SignatureAlgorithm) -> Bool {
    first.withLock { first in
      if first == nil { first = algorithm }
      return first == algorithm
    }
  }
}
