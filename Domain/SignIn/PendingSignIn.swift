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

/// Keeps the one step that waits for the user, between launches.
///
/// ### Choose a store
///
/// A root makes its store. ``SignInAttempts`` that an app composes by hand take the store that
/// `SecureStorage.pendingSignIns(of:)` makes from any storage of bytes, or nil to keep no step. A test uses
/// `InMemoryPendingSignIns` of `AuthenticationTesting`. The members of a ``PendingSignIn`` are not public, so that an
/// app can write only a store that wraps one of these.
///
/// ### Implement a middleware
///
/// ```swift
/// struct LoggingPendingSignIns<Upstream: PendingSignInStore>: PendingSignInStore {
///   let upstream: Upstream
///   func save(_ pending: PendingSignIn) async {
///     log("a step is pending")
///     await upstream.save(pending)
///   }
///   func pending() async -> PendingSignIn? { await upstream.pending() }
///   func remove(_ attempt: String) async { await upstream.remove(attempt) }
///   func removeAll() async { await upstream.removeAll() }
/// }
/// ```
///
/// ### Errors
///
/// No call throws. A step that cannot be stored is lost with the process, and one that cannot be read counts as none:
/// the user begins again after a relaunch. A step that cannot be removed must not be returned again.
///
/// ### Concurrency
///
/// The calls are not isolated, and may overlap. An attempt waits for ``save(_:)`` before it shows the step, and a
/// sign-out for ``removeAll()`` before it erases the session: return soon.
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
