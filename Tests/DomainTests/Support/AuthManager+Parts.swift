@testable import AuthenticationDomain

/// The state of the parts, which no app sees.
extension AuthManager {
  /// Whether a refresh of the current session is in progress.
  var isRefreshing: Bool { get async { await keeper.machine.isRefreshing } }

  /// Whether a server's date would correct the token's expiry.
  var wantsServerDate: Bool { keeper.runtime.own.wantsServerDate }

  /// Sends an event to the listeners of `events()`.
  func report(_ event: AuthenticationEvent) { keeper.report(event) }
}
