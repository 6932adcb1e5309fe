public import AuthenticationDomain

/// Where passkeys are kept, and how a person is asked for one: the system, a security key, or software in a test.
///
/// An authenticator is asked through ``PasskeyAuthenticator/checking(relyingPartyID:clock:)``, which also ends what takes
/// too long. It stops asking the person when its task is cancelled.
///
/// ```swift
/// options.methods = [.passkey(relyingPartyID: "example.org") { _ in authenticator }, .password]
/// ```
public protocol PasskeyAuthenticator: Sendable {
  /// Creates a passkey (WebAuthn Level 3 §5.1.3).
  ///
  /// - Throws: ``AuthenticationError/Code/cancelled`` if the person declined, and
  ///   ``AuthenticationError/passkeyExists`` if one of ``PasskeyCreationOptions/excludedCredentials`` is there.
  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration

  /// Signs with a passkey (WebAuthn Level 3 §5.1.4).
  ///
  /// - Throws: ``AuthenticationError/Code/cancelled`` if the person declined, or has no such passkey here: which of the
  ///   two is not told, on purpose.
  func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion
}

/// How a person is asked for a passkey.
public enum PasskeyPresentation: Sendable, Hashable {
  /// At once, in front of the app.
  case modal
  /// Among the suggestions for a text field, for as long as the caller waits (conditional mediation, WebAuthn Level 3
  /// §5.1.4).
  case autofill
}
