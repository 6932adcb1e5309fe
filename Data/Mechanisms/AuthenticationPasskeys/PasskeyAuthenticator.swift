public import AuthenticationAccount
import AuthenticationData
public import AuthenticationDomain
import Foundation

/// Where passkeys are kept, and how a user is asked for one: the system, a security key, or software in a test.
///
/// ### Choose an authenticator
///
/// `PlatformPasskeyAuthenticator` asks the system on Apple platforms; `SoftwareAuthenticator` of
/// `AuthenticationTestingServers` is for tests and for other systems.
///
/// ### Implement an authenticator
///
/// Two calls suffice, ``register(_:)`` and ``sign(_:presentation:)``; the others throw
/// ``AuthenticationError/unsupportedMethod`` by default. An authenticator checks nothing of the server's options: it is
/// asked through ``PasskeyAuthenticator/checking(relyingPartyID:clock:)``, which checks domain, challenge and response,
/// and ends a request that takes too long.
///
/// ```swift
/// options.methods = [.passkey(relyingPartyID: "example.org") { _ in authenticator }, .password]
/// ```
///
/// ### Errors
///
/// ``AuthenticationError/cancelled`` covers a user who declined and a passkey that is missing: an app must not learn
/// which passkeys a device has. ``AuthenticationError/authenticatorFailed`` has the system's number as its cause.
///
/// ### Concurrency
///
/// The calls are not isolated. An authenticator stops asking the user when its task is
/// cancelled.
public protocol PasskeyAuthenticator: Sendable {
  /// Creates a passkey (WebAuthn Level 3 §5.1.3).
  ///
  /// - Parameter options: the server's requirements for the passkey.
  /// - Returns: the new passkey and its attestation, for the server.
  /// - Throws: ``AuthenticationError/cancelled`` if the user declined, and
  ///   ``AuthenticationError/passkeyExists`` if one of ``PasskeyCreationOptions/excludedCredentials`` is there.
  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration

  /// Signs with a passkey (WebAuthn Level 3 §5.1.4).
  ///
  /// - Parameters:
  ///   - options: the server's request for a signature.
  ///   - presentation: where the user is asked.
  /// - Returns: the signature, for the server.
  /// - Throws: ``AuthenticationError/cancelled`` if the user declined, or has no such passkey here: which of the
  ///   two is not reported, on purpose.
  func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion

  /// Creates a passkey without asking the user, soon after a password sign-in (conditional creation, WebAuthn Level 3
  /// §5.1.3). The response may say that no user was present.
  ///
  /// - Throws: ``AuthenticationError/unsupportedMethod``, as by default, if the authenticator cannot, and as
  ///   ``register(_:)`` does.
  func registerConditionally(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration

  /// Asks a user without an account for a passkey, and for the other data of the account. The server makes the options
  /// before it knows the user.
  ///
  /// - Parameters:
  ///   - options: the server's requirements for the passkey.
  ///   - contacts: ``SignInMethod/Need/emailAddress``, ``SignInMethod/Need/phoneNumber`` or both, best first: the user
  ///     gives one of them.
  ///   - asksForName: whether to ask for the user's name.
  /// - Returns: the user's input, which is not verified, and the passkey.
  /// - Throws: ``AuthenticationError/unsupportedMethod``, as by default, if the authenticator cannot, and as
  ///   ``register(_:)`` does.
  func createAccount(
    _ options: PasskeyCreationOptions, contacts: [SignInMethod.Need], asksForName: Bool
  ) async throws(AuthenticationError) -> NewPasskeyAccount

  /// Takes note of a server's passkeys, so that the user is shown none that does not work. By default it does
  /// nothing.
  ///
  /// - Parameters:
  ///   - signal: the server's knowledge.
  ///   - relyingPartyID: the domain whose passkeys it is about.
  /// - Throws: if the signal could not be passed on.
  func signal(_ signal: PasskeySignal, relyingPartyID: String) async throws(AuthenticationError)
}

extension PasskeyAuthenticator {
  public func registerConditionally(
    _ options: PasskeyCreationOptions
  ) async throws(AuthenticationError) -> PasskeyRegistration {
    throw AuthenticationError(.unsupportedMethod, "This authenticator creates no passkey without asking the user.")
  }

  public func createAccount(
    _ options: PasskeyCreationOptions, contacts: [SignInMethod.Need], asksForName: Bool
  ) async throws(AuthenticationError) -> NewPasskeyAccount { throw .noAccountSheet }

  public func signal(_ signal: PasskeySignal, relyingPartyID: String) async throws(AuthenticationError) {}
}

/// The input of a user for a new account, and its passkey.
public struct NewPasskeyAccount: Sendable {
  /// The passkey, for the server to verify.
  public let registration: PasskeyRegistration
  /// Not verified; nil if it is none that this version knows.
  public let address: AccountAddress?
  /// Nil if the user was not asked, or gave none.
  public let name: UserName?

  /// For an authenticator.
  public init(registration: PasskeyRegistration, address: AccountAddress?, name: UserName? = nil) {
    self.registration = registration
    self.address = address
    self.name = name
  }
}

extension AuthenticationError {
  /// For an authenticator that has one of ``PasskeyCreationOptions/excludedCredentials``; its code is `already_linked`.
  public static let passkeyExists = Self(
    .alreadyLinked, "The authenticator already has a passkey of this account.",
    suggestion: "Sign in with it; there is nothing to add.")

  static let noAccountSheet = Self(
    .unsupportedMethod, "This system has no sheet for a new account with a passkey.",
    suggestion: "Create the account with a form, and add a passkey to it.")
  static let malformedPasskeyOptions = Self(
    .unexpectedResponse, "The server's passkey options are not WebAuthn Level 3 JSON with a usable challenge.",
    suggestion: "Check what the server sends: the options, bare or in publicKey.")
  static let malformedPasskeyResponse = Self(
    .unexpectedResponse, "The authenticator's response is not well-formed (WebAuthn Level 3 §6).",
    suggestion: "Try another authenticator. Nothing was sent to the server.")
}

extension SignInProcess {
  /// A passkey: the provider sends options, the authenticator signs, and the provider verifies (WebAuthn Level 3 §7.2).
  /// The device is told of a passkey that the server does not know.
  ///
  /// - Parameters:
  ///   - relyingPartyID: the app's own domain; options for any other one are refused.
  ///   - unknownCodes: the ``AuthenticationError/Details/providerCode`` of a server that does not know the passkey.
  ///   - authenticator: asks the user, in front of the window of the attempt.
  public static func passkey<Authenticator: PasskeyAuthenticator>(
    relyingPartyID: String, unknownCodes: Set<String> = ["unknown_passkey", "webauthn_credential_not_found"],
    authenticator: @escaping @Sendable (PresentationAnchor?) -> Authenticator
  ) -> Self {
    Self(
      .passkey,
      answer: { challenge, context throws(AuthenticationError) in
        guard challenge.kind == .passkey else { return nil }
        return try await authenticator(context.input.anchor).answer(
          challenge, relyingPartyID: relyingPartyID, presentation: context.input.isOffer ? .autofill : .modal
        ).content
      },
      failed: { credentials, error, context in
        guard let answer = credentials as? ChallengeAnswer, case .passkey(let response) = answer.content,
          let code = error.providerCode, unknownCodes.contains(code)
        else { return }
        await authenticator(context.input.anchor).noteUnknown(response, relyingPartyID: relyingPartyID)
      },
      credentials: { _ throws(AuthenticationError) in PasskeyCredentials() })
  }
}

extension PasskeyAuthenticator {
  /// Tells the device that the server does not know the passkey that has responded; a failure changes nothing else.
  func noteUnknown(_ response: Secret, relyingPartyID: String) async {
    guard let id = JSONMembers(json: Data(response.reveal().utf8))?["id"].flatMap({ Data(lenientBase64: $0) }) else {
      return
    }
    try? await signal(.unknown(credentialID: id), relyingPartyID: relyingPartyID)
  }

  /// Answers a challenge of the kind ``Challenge/Kind/passkey`` or ``Challenge/Kind/passkeyRegistration``, with the
  /// checks of ``checking(relyingPartyID:clock:)``.
  ///
  /// - Parameters:
  ///   - challenge: the step that asks for a passkey.
  ///   - relyingPartyID: the domain of the app's passkeys.
  ///   - presentation: how the user is asked for a signature.
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if the challenge has no options for a passkey, and as
  ///   ``sign(_:presentation:)`` and ``register(_:)`` do.
  public func answer(
    _ challenge: Challenge, relyingPartyID: String, presentation: PasskeyPresentation = .modal
  ) async throws(AuthenticationError) -> ChallengeAnswer {
    guard let request = challenge.passkeyRequest else { throw .unexpectedResponse }
    let (checking, options) = (checking(relyingPartyID: relyingPartyID), Data(request.reveal().utf8))
    let json =
      if challenge.kind == .passkeyRegistration {
        try await checking.register(PasskeyCreationOptions(json: options)).json
      } else {
        try await checking.sign(PasskeyRequestOptions(json: options), presentation: presentation).json
      }
    return ChallengeAnswer(to: challenge, .passkey(Secret(String(decoding: json, as: UTF8.self))))
  }
}
