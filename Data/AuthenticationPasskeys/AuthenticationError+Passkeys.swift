public import AuthenticationDomain

extension AuthenticationError {
  /// For an authenticator that has one of ``PasskeyCreationOptions/excludedCredentials``; its code is `already_linked`.
  public static let passkeyExists = Self(
    Code("already_linked"), "The authenticator already has a passkey of this account.",
    suggestion: "Sign in with it; there is nothing to add.")

  static let malformedPasskeyOptions = Self(
    .unexpectedAnswer, "The server's passkey options are not WebAuthn Level 3 JSON with a usable challenge.",
    suggestion: "Check what the server sends: the options, bare or in publicKey.")
  static let malformedPasskeyResponse = Self(
    .unexpectedAnswer, "The authenticator's response is not well-formed (WebAuthn Level 3 §6).",
    suggestion: "Try another authenticator. Nothing was sent to the server.")
}
