public import AuthenticationAccount
public import AuthenticationDomain
import Foundation
import Synchronization

/// Keeps the passkeys that a device shows equal to those that the server accepts for the signed-in user, and has
/// the device create one after a password sign-in.
///
/// ```swift
/// let passkeys = DevicePasskeys(of: root.manager, relyingPartyID: "example.org", authenticator: authenticator)
/// let following = passkeys.follow()
/// ```
///
/// Create passkeys by this one only: a passkey that is created elsewhere during an update of the device may be hidden
/// until the next one.
public final class DevicePasskeys: Sendable {
  private let services: AccountServices
  private let manager: AuthManager
  private let relyingPartyID: String
  private let authenticator: any PasskeyAuthenticator
  /// Ends after everything that was begun: a list that is older than a new passkey would remove it.
  private let latest = Mutex<Task<Void, Never>?>(nil)

  /// Does nothing by itself.
  ///
  /// - Parameters:
  ///   - manager: whose user it is.
  ///   - relyingPartyID: the domain of the app's passkeys, such as `example.org`.
  ///   - authenticator: is asked and told, with the checks of ``PasskeyAuthenticator/checking(relyingPartyID:clock:)``.
  public init(of manager: AuthManager, relyingPartyID: String, authenticator: some PasskeyAuthenticator) {
    self.manager = manager
    self.relyingPartyID = relyingPartyID
    self.authenticator = authenticator.checking(relyingPartyID: relyingPartyID)
    services = AccountServices(of: manager)
  }

  /// The account services, which tell the device after each change of passkeys, of ways to sign in and of the user.
  ///
  /// ```swift
  /// try await passkeys.account.perform(.remove(passkey))
  /// ```
  public var account: any AccountUseCase {
    manager.account { [self] ability in
      if [.factors, .link, .profile, .answer].contains(ability) { _ = try? await synchronize() }
    }
  }

  /// Tells the device which passkeys the server accepts, and the account's name (WebAuthn Level 3 §5.1.10).
  ///
  /// A passkey that the server does not accept disappears from the device. Nothing is told unless the server's response
  /// is complete and the same user is still signed in.
  ///
  /// - Returns: whether the device was told; false if the provider does not tell the ids of credentials.
  /// - Throws: as ``AccountProvider/acceptedPasskeys(of:)`` and ``PasskeyAuthenticator/signal(_:relyingPartyID:)`` do, and
  ///   ``AuthenticationError/notSignedIn``.
  @discardableResult
  public func synchronize() async throws(AuthenticationError) -> Bool {
    try await inTurn { [self] () async throws(AuthenticationError) in
      guard let accepted = try await services.acceptedPasskeys() else { return false }
      for signal in [
        PasskeySignal.accepted(credentialIDs: accepted.credentialIDs, userHandle: accepted.userHandle),
        .details(userName: accepted.userName, displayName: accepted.displayName, userHandle: accepted.userHandle),
      ] {
        try await authenticator.signal(signal, relyingPartyID: relyingPartyID)
      }
      return true
    }
  }

  /// Calls ``synchronize()`` after each sign-in from now on. A failed update is tried again at the next one.
  ///
  /// - Returns: the task that does; cancel it once this is no longer needed.
  @discardableResult
  public func follow() -> Task<Void, Never> {
    let events = manager.events()
    return Task(executorPreference: manager.taskPreference) { [self] in
      for await event in events where event.name == .signIn && event.failure == nil {
        // The event comes just before the session: the manager has published it when it does something else.
        _ = try? await manager.isAuthenticated()
        _ = try? await synchronize()
      }
    }
  }

  /// Asks the user for a passkey, and registers it.
  ///
  /// - Throws: as ``AccountUseCase/perform(_:)`` and ``PasskeyAuthenticator/register(_:)`` do. A passkey that the server has
  ///   refused is reported to the device as unknown.
  public func create() async throws(AuthenticationError) {
    try await inTurn { [self] () async throws(AuthenticationError) in try await create(.passkey) }
  }

  /// Has the device create a passkey without asking the user, after a password sign-in (conditional creation).
  ///
  /// Call it after each attempt: nothing is shown, and nothing else depends on it. Nothing is sent where the provider does
  /// not accept such a passkey.
  ///
  /// ```swift
  /// if let attempt = root.attempts.current { show(await passkeys.upgrade(after: attempt)) }
  /// ```
  ///
  /// - Parameter attempt: the attempt that has just ended, with all its steps.
  /// - Returns: the result; never an error of the sign-in.
  public func upgrade(after attempt: SignInAttempt) async -> PasskeyUpgrade {
    guard services.acceptsConditionalPasskeys else { return .unsupported }
    guard attempt.method == .password, case .ended(.signedIn(let user)) = attempt.state,
      user.isSame(as: manager.state.user)
    else { return .inapplicable }
    do throws(AuthenticationError) {
      try await inTurn { [self] () async throws(AuthenticationError) in try await create(.conditionalPasskey) }
      return .created
    } catch {
      return .failed(error)
    }
  }

  private func create(_ kind: Challenge.Kind) async throws(AuthenticationError) {
    guard case .challenge(let challenge) = try await services.perform(.enrol(kind)),
      challenge.kind == .passkeyRegistration, let request = challenge.passkeyRequest
    else { throw .unexpectedResponse }
    let options = try PasskeyCreationOptions(json: Data(request.reveal().utf8))
    let created =
      kind == .conditionalPasskey
      ? try await authenticator.registerConditionally(options) : try await authenticator.register(options)
    let response = Secret(String(decoding: created.json, as: UTF8.self))
    do throws(AuthenticationError) {
      let outcome = try await services.perform(.answer(ChallengeAnswer(to: challenge, .passkey(response))))
      if case .challenge(let next) = outcome { throw .challengeRequired(next) }
    } catch {
      if error.refusesPasskey { await authenticator.noteUnknown(response, relyingPartyID: relyingPartyID) }
      throw error
    }
  }

  /// Runs after everything that was begun before it.
  private func inTurn<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    let task = latest.withLock { latest in
      let task = Task(executorPreference: manager.taskPreference) { [before = latest] in
        await before?.value
        return await Result.of(work)
      }
      latest = Task { _ = await task.value }
      return task
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }
}

extension AuthenticationError {
  /// Whether the server has certainly not stored a new passkey: it has refused it. A response that was lost may have been
  /// a success.
  fileprivate var refusesPasskey: Bool {
    self != .alreadyLinked && (disposition == .attempt || disposition == .other && self.providerCode != nil)
  }
}
