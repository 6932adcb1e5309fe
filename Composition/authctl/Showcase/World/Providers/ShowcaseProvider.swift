import AuthenticationKit
import AuthenticationTestingServers
import Foundation

/// A provider on this machine, and what can happen to it.
protocol ShowcaseProvider: Sendable {
  var line: ProductLine { get }
  /// The base URL, or the issuer.
  var address: String { get }
  /// What a call of the product gets.
  var resource: URL { get }
  /// Listens; after a stop on the same port, with the same people and sessions.
  func start() async throws(LoopbackServerError)
  func stop() async
  /// Access tokens end; what refreshes them does not.
  func expireTokens()
  /// The answer to the next refresh is lost on its way, after the provider has processed it.
  func loseAnswer()
  /// As if the person had ended the session on another device.
  func endSessions(of user: User)
}
