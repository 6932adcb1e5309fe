import AuthenticationDomainTesting
import AuthenticationKit
import Foundation

/// Something that happens to an app: told once, for the switches of the showcase and for `showcase --tour`.
struct ShowcaseEvent: Sendable, Identifiable {
  /// The condition that lasts until the step is played again.
  struct Lasting: Sendable {
    let isOn: @MainActor @Sendable (any Stage) -> Bool
    /// The sentence when it is over.
    let ending: String
  }

  let id: String
  let title: String
  /// The event, and its effect for the user.
  let sentence: String
  /// Nil where the step is over at once.
  var lasting: Lasting?
  let play: @MainActor @Sendable (any Stage) async throws -> Void

  static let all = [expire, calls, down, lose, lock, jump, revoke, process, restart]

  static let expire = Self(
    id: "expire", title: "Expire the token",
    sentence: "The provider ends the access token early; a call gets a new one, and is answered."
  ) { stage in
    stage.provider.expireTokens()
    await stage.call()
  }

  static let calls = Self(
    id: "calls", title: "1,000 calls at once",
    sentence: "An hour passes; then a thousand calls find the token expired: one refresh."
  ) { stage in
    stage.clock.travel(.seconds(3_600))
    await stage.call(times: 1_000)
  }

  static let down = Self(
    id: "down", title: "Provider down", sentence: "The server is stopped: who is signed in stays signed in.",
    lasting: Lasting(isOn: { $0.isProviderDown }, ending: "The server is back.")
  ) { stage in
    try await stage.setProviderDown(!stage.isProviderDown)
  }

  static let lose = Self(
    id: "lose", title: "Lose an answer",
    sentence: "The token expires, and the answer to its refresh is lost: the app asks again."
  ) { stage in
    stage.provider.loseAnswer()
    stage.clock.travel(.seconds(3_600))
    await stage.call()
  }

  static let lock = Self(
    id: "lock", title: "Lock the store",
    sentence: "The storage cannot be read: an app that is launched now does not know who is signed in.",
    lasting: Lasting(isOn: { $0.storage.isLocked }, ending: "The storage is unlocked.")
  ) { stage in
    stage.storage.isLocked.toggle()
  }

  static let jump = Self(id: "jump", title: "Jump the clock", sentence: "An hour passes, here and at the provider.") {
    stage in stage.clock.travel(.seconds(3_600))
  }

  static let revoke = Self(
    id: "revoke", title: "Revoke elsewhere",
    sentence: "The session is ended on another device: the next call signs out here, and says why."
  ) { stage in
    stage.endSessions()
    await stage.call()
  }

  static let process = Self(
    id: "process", title: "Another process",
    sentence: "An hour passes; a second process refreshes the session, and this one takes it over."
  ) { stage in
    stage.clock.travel(.seconds(3_600))
    stage.report(secondProcess: try await stage.callFromSecondProcess())
    await stage.call()
  }

  static let restart = Self(
    id: "restart", title: "Kill and restart",
    sentence: "Gone and opened again: nothing is left of the app but its storage."
  ) { stage in
    try stage.relaunch()
  }
}

/// The stage of a ``ShowcaseEvent``: an app, its storage, its provider, and the clock that all of them share.
@MainActor protocol Stage: AnyObject {
  var clock: TravelClock { get }
  var storage: RecordingStorage { get }
  /// Of the storage.
  var folder: URL { get }
  var provider: any ShowcaseProvider { get }
  var isProviderDown: Bool { get set }
  /// As it was launched last; nil before.
  var app: MainRoot? { get }
  /// Nothing is left of the app but its storage.
  func relaunch() throws
  /// How often the app's last calls had which outcome: a status, or an error's code.
  func report(_ outcomes: [String: Int])
  /// The output of the second process.
  func report(secondProcess outcome: String)
}

extension Stage {
  /// How far the clock has travelled.
  var secondsAhead: Int { Int(clock.now.timeIntervalSince(SystemClock().now).rounded()) }

  func setProviderDown(_ isDown: Bool) async throws {
    guard isDown != isProviderDown else { return }
    isProviderDown = isDown
    if isDown { await provider.stop() } else { try await provider.start() }
  }

  /// As if the user had ended the session on another device.
  fileprivate func endSessions() {
    if let user = app?.currentUser { provider.endSessions(of: user) }
  }

  /// Calls the API, so many times at once.
  func call(times: Int = 1) async {
    let request = HTTPRequest(.get, provider.resource)
    guard let client = app?.apiClient else { return }
    let outcomes = await withTaskGroup { group in
      for _ in 0..<times { group.addTask { await client.outcome(of: request) } }
      var outcomes: [String: Int] = [:]
      for await outcome in group { outcomes[outcome, default: 0] += 1 }
      return outcomes
    }
    report(outcomes)
  }
}

extension HTTPClient {
  /// The status of the response, or the code of the error.
  func outcome(of request: HTTPRequest) async -> String {
    do throws(AuthenticationError) {
      return "\(try await send(request).status)"
    } catch {
      return "\(error.code)"
    }
  }
}
