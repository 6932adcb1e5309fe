import AuthenticationData
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The challenges that passkeys have signed: a server that sends one again, or someone in its place, gets no second
/// signature. The latest 1,000 are kept.
final class SpentChallenges: Sendable {
  static let ofProcess = SpentChallenges()
  private static let capacity = 1_000

  private let latest = Mutex<[[UInt8]]>([])

  func contains(_ challenge: Data) -> Bool {
    let hash = PublicSHA256.hash(challenge)
    return latest.withLock { $0.contains(hash) }
  }

  /// Returns false if it was spent before.
  func spend(_ challenge: Data) -> Bool {
    let hash = PublicSHA256.hash(challenge)
    return latest.withLock { latest in
      guard !latest.contains(hash) else { return false }
      latest.append(hash)
      if latest.count > Self.capacity { latest.removeFirst() }
      return true
    }
  }
}
