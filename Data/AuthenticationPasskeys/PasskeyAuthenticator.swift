public import AuthenticationAccount
import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// Where passkeys are kept, and how a user is asked for one: the system, a security key, or software in a test.
///
/// An authenticator is asked through ``PasskeyAuthenticator/checking(relyingPartyID:clock:)``, which also ends what
/// takes too long. It stops asking the user when its task is cancelled.
///
/// ```swift
/// options.methods = [.passkey(relyingPartyID: "example.org") { _ in authenticator }, .password]
/// ```
public protocol PasskeyAuthenticator: Sendable {
  /// Creates a passkey (WebAuthn Level 3 §5.1.3).
  ///
  /// - Throws: ``AuthenticationError/cancelled`` if the user declined, and
  ///   ``AuthenticationError/passkeyExists`` if one of ``PasskeyCreationOptions/excludedCredentials`` is there.
  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration

  /// Signs with a passkey (WebAuthn Level 3 §5.1.4).
  ///
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

  /// Asks a user who has no account yet for a passkey, and for what the account needs besides. The server makes the options
  /// before it knows the user.
  ///
  /// - Parameters:
  ///   - options: what the server wants of the passkey.
  ///   - contacts: ``SignInMethod/Need/emailAddress``, ``SignInMethod/Need/phoneNumber`` or both, best first: the user gives
  ///     one of them.
  ///   - asksForName: whether to ask for the user's name.
  /// - Returns: what the user entered, which is not verified, and the passkey.
  /// - Throws: ``AuthenticationError/unsupportedMethod``, as by default, if the authenticator cannot, and as
  ///   ``register(_:)`` does.
  func createAccount(
    _ options: PasskeyCreationOptions, contacts: [SignInMethod.Need], asksForName: Bool
  ) async throws(AuthenticationError) -> NewPasskeyAccount

  /// Takes note of what a server knows, so that the user is shown no passkey that does not work. By default it does
  /// nothing.
  ///
  /// - Parameters:
  ///   - signal: what the server knows.
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

/// What a user has entered for a new account, and its passkey.
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

/// What a server knows about passkeys (WebAuthn Level 3 §5.1.10). ``DevicePasskeys`` sends it.
public enum PasskeySignal: Sendable, Hashable {
  /// The server does not know this credential.
  case unknown(credentialID: Data)
  /// The server accepts these credentials of a user, and no other one: the others are hidden or removed.
  case accepted(credentialIDs: [Data], userHandle: Data)
  /// What to show of the account.
  case details(userName: String, displayName: String, userHandle: Data)
}

/// How a user is asked for a passkey.
public enum PasskeyPresentation: Sendable, Hashable {
  /// At once, in front of the app.
  case modal
  /// Among the suggestions for a text field, for as long as the caller waits (conditional mediation, WebAuthn Level 3
  /// §5.1.4).
  case autofill
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

extension SecurityCheck {
  /// Passkey options or a response are for another domain than the configured one (WebAuthn Level 3 §5.1.4, §7.2).
  static let relyingParty = Self("relying_party")
  /// A passkey challenge is too short, was used before, or is not the one that was signed (WebAuthn Level 3 §13.4.3).
  static let passkeyChallenge = Self("passkey_challenge")
  /// A new passkey was returned for a signature, or the other way round (WebAuthn Level 3 §7.1, §7.2).
  static let passkeyCeremony = Self("passkey_ceremony")
  /// A response was made for a page of another origin than the domain's, or within one (WebAuthn Level 3 §7.1, §7.2).
  static let passkeyOrigin = Self("passkey_origin")
  /// The authenticator did not check that a user is present (WebAuthn Level 3 §7.1, §7.2).
  static let userPresence = Self("user_presence")
  /// The authenticator did not check who the user is, although that was required (WebAuthn Level 3 §7.2).
  static let userVerification = Self("user_verification")
  /// A passkey signed that was not among those allowed (WebAuthn Level 3 §7.2).
  static let allowedCredentials = Self("allowed_credentials")
  /// A new passkey has an algorithm that was not asked for (WebAuthn Level 3 §7.1).
  static let passkeyAlgorithm = Self("passkey_algorithm")
}

extension SignInProcess {
  /// A passkey: the provider sends options, the authenticator signs, and the provider verifies (WebAuthn Level 3 §7.2). The
  /// device is told of a passkey that the server does not know.
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
  /// Tells the device that the server does not know what has responded; a failure changes nothing else.
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
