public import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks for passkeys of one domain only, with challenges that were not signed before, and believes no response to
/// something else. It asks the person one thing at a time: a later request replaces the one that is shown.
public final class CheckingPasskeyAuthenticator<Upstream: PasskeyAuthenticator>: PasskeyAuthenticator {
  private let upstream: Upstream
  private let relyingPartyID: String
  private let clock: any AuthenticationClock
  private let spent: SpentChallenges
  private let replaceCurrent = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ upstream: Upstream, relyingPartyID: String, clock: any AuthenticationClock, spent: SpentChallenges) {
    self.upstream = upstream
    self.relyingPartyID = relyingPartyID
    self.clock = clock
    self.spent = spent
  }

  /// Creates a passkey within the server's timeout, which counts as 5 seconds to 10 minutes, and as 5 minutes if there
  /// is none.
  ///
  /// - Throws: ``AuthenticationError/Code/security`` if the options or the response fail a check,
  ///   ``AuthenticationError/Code/timedOut``, and ``AuthenticationError/Code/superseded`` if a later request came.
  public func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    let expectations = try PasskeyExpectations(options, of: relyingPartyID)
    var options = options
    options.relyingPartyID = relyingPartyID
    options.timeout = Self.limit(options.timeout)
    let registration = try await ask(expectations, within: options.timeout) {
      [upstream, options] () async throws(AuthenticationError) in try await upstream.register(options)
    }
    try expectations.check(registration)
    try spend(expectations.challenge)
    return registration
  }

  /// Signs as ``register(_:)`` creates; suggestions for a text field stay for as long as the caller waits.
  ///
  /// - Throws: as ``register(_:)``.
  public func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    let expectations = try PasskeyExpectations(options, of: relyingPartyID)
    var options = options
    options.relyingPartyID = relyingPartyID
    options.timeout = presentation == .autofill ? nil : Self.limit(options.timeout)
    let assertion = try await ask(expectations, within: options.timeout) {
      [upstream, options] () async throws(AuthenticationError) in
      try await upstream.sign(options, presentation: presentation)
    }
    try expectations.check(assertion)
    try spend(expectations.challenge)
    return assertion
  }

  private func ask<Response: Sendable>(
    _ expectations: PasskeyExpectations, within limit: Duration?,
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Response
  ) async throws(AuthenticationError) -> Response {
    guard !spent.contains(expectations.challenge) else { throw .spentChallenge }
    let call = AbandonableCall<Response>()
    let replace = replaceCurrent.withLock { current in
      defer { current = { [weak call] in call?.leave(.superseded) } }
      return current
    }
    replace?()
    let answer: @Sendable (AbandonableCall<Response>) async -> Result<Response, AuthenticationError> = { _ in
      do throws(AuthenticationError) { return .success(try await work()) } catch { return .failure(error) }
    }
    guard let limit else { return try await call.run(answer) }
    return try await call.run(within: limit, by: clock, answer)
  }

  private func spend(_ challenge: Data) throws(AuthenticationError) {
    guard spent.spend(challenge) else { throw .spentChallenge }
  }

  private static func limit(_ timeout: Duration?) -> Duration {
    min(max(timeout ?? .seconds(300), .seconds(5)), .seconds(600))
  }
}

extension PasskeyAuthenticator {
  /// This authenticator for one domain, with the checks that keep a client from being fooled (WebAuthn Level 3 §7).
  ///
  /// - Parameters:
  ///   - relyingPartyID: the domain of the app's passkeys, such as `example.org`; a server that names another one is
  ///     refused.
  ///   - clock: measures how long the person takes.
  public func checking(
    relyingPartyID: String, clock: any AuthenticationClock = SystemClock()
  ) -> CheckingPasskeyAuthenticator<Self> {
    CheckingPasskeyAuthenticator(self, relyingPartyID: relyingPartyID, clock: clock, spent: .ofProcess)
  }
}

extension AuthenticationError {
  fileprivate static let spentChallenge = refused(
    by: .passkeyChallenge, "The server sent a challenge that a passkey has signed already.")
}
