#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The correction of a token's expiry by the time of a server.
extension AuthManager {
  public nonisolated func noteServerDate(_ date: () -> Date?) {
    guard runtime.wantsServerDate, let date = date() else { return }
    let uptime = clock.uptime
    Task.detached(executorPreference: taskExecutor) { await self.correct(by: date, at: uptime) }
  }

  private func correct(by serverDate: Date, at uptime: Duration) {
    timing.correct(by: serverDate, at: uptime)
    handle(.lifetimeCorrected(remaining: remaining))
  }
}
