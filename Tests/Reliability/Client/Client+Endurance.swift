import AuthenticationKit
import Foundation

extension Client {
  /// Refreshes until the time is over, and signs in again after each loss; counts both.
  func endure(_ time: Duration) async -> String {
    let end = ContinuousClock.now + time
    var refreshes = 0
    var lost = 0
    var ambiguous = 0
    while ContinuousClock.now < end {
      do throws(AuthenticationError) {
        try await refresh()
      } catch {}
      refreshes += 1
      guard case .signedOut(let reason) = root.manager.state else { continue }
      lost += 1
      if reason.description == "ambiguous_loss" { ambiguous += 1 }
      _ = try? await signIn("ada")
    }
    return "\(refreshes) \(lost) \(ambiguous)"
  }
}
