public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SignInProcess {
  /// A passkey: the provider sends options, the authenticator signs, and the provider verifies (WebAuthn Level 3 §7.2).
  ///
  /// - Parameters:
  ///   - relyingPartyID: the app's own domain; options for any other one are refused.
  ///   - authenticator: asks the person, in front of the window of the attempt.
  public static func passkey<Authenticator: PasskeyAuthenticator>(
    relyingPartyID: String, authenticator: @escaping @Sendable (PresentationAnchor?) -> Authenticator
  ) -> Self {
    Self(
      .passkey,
      answer: { challenge, context throws(AuthenticationError) in
        guard challenge.kind == .passkey else { return nil }
        return try await authenticator(context.input.anchor).checking(relyingPartyID: relyingPartyID)
          .answer(challenge, presentation: context.input.isOffer ? .autofill : .modal).content
      },
      credentials: { _ throws(AuthenticationError) in PasskeyCredentials() })
  }
}

extension CheckingPasskeyAuthenticator {
  /// Answers a challenge of the kind ``Challenge/Kind/passkey`` or ``Challenge/Kind/passkeyRegistration``.
  ///
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` if the challenge has no options for a passkey, and as
  ///   ``sign(_:presentation:)`` and ``register(_:)`` do.
  public func answer(
    _ challenge: Challenge, presentation: PasskeyPresentation = .modal
  ) async throws(AuthenticationError) -> ChallengeAnswer {
    guard let request = challenge.passkeyRequest else { throw .unexpectedAnswer }
    let options = Data(request.reveal().utf8)
    let json =
      if challenge.kind == .passkeyRegistration {
        try await register(PasskeyCreationOptions(json: options)).json
      } else {
        try await sign(PasskeyRequestOptions(json: options), presentation: presentation).json
      }
    return ChallengeAnswer(to: challenge, .passkey(Secret(String(decoding: json, as: UTF8.self))))
  }
}
