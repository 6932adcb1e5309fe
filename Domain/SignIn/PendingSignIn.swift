package import Foundation

/// A step that waits for the user while the app may be closed. It holds no password and no code: a step whose handle
/// does is not kept.
public struct PendingSignIn: Sendable, Hashable {
  /// The id of its attempt.
  package let attempt: String
  /// The id of its method.
  package let method: String
  /// The challenge that is asked.
  package let challenge: Challenge
  /// When it came (UTC).
  package let receivedAt: Date

  package init(attempt: String, method: String, challenge: Challenge, receivedAt: Date) {
    self.attempt = attempt
    self.method = method
    self.challenge = challenge
    self.receivedAt = receivedAt
  }

  /// How long a step is kept if its provider does not say how long it accepts an answer.
  static let standardLifetime = Duration.seconds(600)

  /// In seconds: no provider accepts an answer after a month.
  private static let longestAge = 30 * 86_400.0

  /// Whether the provider still accepts an answer, as far as its lifetime says.
  package func isAccepted(at now: Date) -> Bool { age(at: now) != nil }

  /// How long ago it came; nil if it is no longer accepted, or if the clock was set back behind it.
  func age(at now: Date) -> Duration? {
    let seconds = now.timeIntervalSince(receivedAt)
    guard (0...Self.longestAge).contains(seconds) else { return nil }
    let age = Duration.seconds(seconds)
    return age < challenge.lifetime ?? Self.standardLifetime ? age : nil
  }
}

/// Keeps the one step that waits for the user, between launches. A step that cannot be stored is lost with the process.
public protocol PendingSignInStore: Sendable {
  /// Replaces the stored step.
  func save(_ pending: PendingSignIn) async
  /// The stored step; nil if there is none, or if it cannot be read.
  func pending() async -> PendingSignIn?
  /// Removes the step of this attempt; the step of another one stays.
  func remove(_ attempt: String) async
  /// Removes the stored step: a user has signed in or out.
  func removeAll() async
}
