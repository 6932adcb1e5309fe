import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationPasskeys
import AuthenticationTesting
import Synchronization

/// Returns the signature of a made-up passkey, once its gate is open, and records its requests. Suggestions have a
/// separate gate.
final class ScriptedPasskeyAuthenticator: PasskeyAuthenticator {
  let gate = Gate()
  let suggestions = Gate()
  private let asked = Mutex<(created: [PasskeyCreationOptions], signed: [PasskeyRequestOptions])>(([], []))
  private let told = Mutex<[PasskeySignal]>([])
  private let passkey: MadeUpPasskey
  private let failure: AuthenticationError?

  init(_ passkey: MadeUpPasskey = MadeUpPasskey(), failure: AuthenticationError? = nil) {
    self.passkey = passkey
    self.failure = failure
  }

  var created: [PasskeyCreationOptions] { asked.withLock { $0.created } }
  var signals: [PasskeySignal] { told.withLock { $0 } }
  var signed: [PasskeyRequestOptions] { asked.withLock { $0.signed } }

  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    asked.withLock { $0.created.append(options) }
    await gate.pass()
    if let failure { throw failure }
    return try passkey.registration(for: options)
  }

  func registerConditionally(
    _ options: PasskeyCreationOptions
  ) async throws(AuthenticationError) -> PasskeyRegistration { try await register(options) }

  func createAccount(
    _ options: PasskeyCreationOptions, contacts: [SignInMethod.Need], asksForName: Bool
  ) async throws(AuthenticationError) -> NewPasskeyAccount {
    NewPasskeyAccount(registration: try await register(options), address: .email("ada@example.org"))
  }

  func signal(_ signal: PasskeySignal, relyingPartyID: String) async throws(AuthenticationError) {
    told.withLock { $0.append(signal) }
  }

  func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    asked.withLock { $0.signed.append(options) }
    await (presentation == .autofill ? suggestions : gate).pass()
    if let failure { throw failure }
    return try passkey.assertion(for: options)
  }
}
