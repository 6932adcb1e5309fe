#if Tools && OpenID
import AuthenticationDomainTesting
import Foundation

extension LoopbackOpenIDIssuer {
  /// The codes that devices show and no user has answered yet, the oldest first (RFC 8628 §3.3).
  public var pendingUserCodes: [String] {
    state.value.devices.filter { $0.decision == nil }.map(\.userCode)
  }

  /// The user types the code elsewhere and agrees; every waiting code where none is given.
  public func approveDevice(_ userCode: String? = nil, as account: Account = .ada) {
    decide(.approves(account), userCode)
  }

  /// The user types the code elsewhere and declines.
  public func declineDevice(_ userCode: String? = nil) {
    decide(.declines, userCode)
  }

  /// Ends the time of every code.
  public func expireDeviceCodes() {
    state.update { state in
      for index in state.devices.indices { state.devices[index].expiresAt = .distantPast }
    }
  }

  /// Refuses so many of the next questions of devices with `slow_down` (RFC 8628 §3.5).
  package func slowDevicesDown(times: Int) {
    state.update { $0.slowDowns = times }
  }

  /// Returns as soon as a device has asked for a code (or the task is cancelled).
  public func waitForDevice() async {
    await state.wait { $0.devices.contains { $0.decision == nil } }
  }

  private func decide(_ decision: UserAction, _ userCode: String?) {
    state.update { $0.decideDevices(decision, userCode) }
  }
}

extension IssuerState {
  /// Of the device with this code; of all where none is given.
  package mutating func decideDevices(_ decision: LoopbackOpenIDIssuer.UserAction, _ userCode: String? = nil) {
    for index in devices.indices where userCode == nil || devices[index].userCode == userCode {
      devices[index].decision = decision
    }
  }
}
#endif
