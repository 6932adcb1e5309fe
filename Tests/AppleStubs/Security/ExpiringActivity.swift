import Foundation

/// On Apple platforms it comes with Foundation, whose Linux edition leaves it out.
extension ProcessInfo {
  public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
    fatalError("A stub is only type-checked.")
  }
}
