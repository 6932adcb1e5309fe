import AuthenticationDomainTesting
import AuthenticationKit
import Foundation

/// What a ``ShowcaseStep`` is played on: an app, its storage, its provider, and the clock that all of them share.
@MainActor
protocol Stage: AnyObject {
  var clock: TravelClock { get }
  var storage: RecordingStorage { get }
  /// As it was launched last; nil before.
  var app: MainRoot? { get }
  /// What the app's calls are for.
  var resource: URL { get }
  /// What a second process needs to share the app's session.
  var secondProcess: SecondProcess { get }
  var isProviderDown: Bool { get }
  func setProviderDown(_ isDown: Bool) async throws
  func expireTokens()
  func loseAnswer()
  /// As if the person had ended the session on another device.
  func endSessions()
  /// Nothing is left of the app but its storage.
  func relaunch() throws
  /// How often the app's last calls had which outcome: a status, or an error's code.
  func report(_ outcomes: [String: Int])
  /// What the second process printed.
  func report(secondProcess outcome: String)
}

extension Stage {
  /// How far the clock has travelled.
  var secondsAhead: Int { Int(clock.now.timeIntervalSince(SystemClock().now).rounded()) }

  /// Calls the API, so many times at once.
  func call(times: Int = 1) async {
    let request = HTTPRequest(.get, resource)
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

extension AnyHTTPClient {
  /// The status of the answer, or the code of the error.
  func outcome(of request: HTTPRequest) async -> String {
    do throws(AuthenticationError) {
      return "\(try await send(request).status)"
    } catch {
      return "\(error.code)"
    }
  }
}
