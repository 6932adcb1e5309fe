public import AuthenticationData
public import AuthenticationDomain

extension SignInProcess {
  /// Sign in with Apple by the system's sheet; the provider, or the app's backend, verifies the token.
  ///
  /// The person's name and address come once, at the first consent: they are kept in `storage` until the provider has
  /// accepted them, and an attempt of the same person presents them again.
  ///
  /// ```swift
  /// options.methods = [.password, .apple(AppleIDAuthenticator { window }, storage: KeychainStorage(service: "app"))]
  /// ```
  ///
  /// - Parameters:
  ///   - authenticator: shows the sheet.
  ///   - storage: the app's own; not the session's.
  public static func apple(_ authenticator: any NativeAuthenticator, storage: any SecureStorage) -> Self {
    native(NativeSignIn(.apple, by: authenticator, storage: storage))
  }

  /// Google, by the vendor's SDK, which the app links.
  ///
  /// ```swift
  /// let google = SignInProcess.google { request throws(AuthenticationError) in
  ///   try await signInWithGoogle(nonce: request.nonce?.reveal(), over: request.anchor)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - nonce: the form in which the SDK gets it: hashed, as Supabase and most backends compare it. A version of the
  ///     SDK without one needs ``NativeNonce/unsupported``.
  ///   - forget: undoes what the SDK remembers, after a sign-out.
  ///   - signIn: asks the SDK; a person who leaves is ``AuthenticationError/Code/cancelled``.
  public static func google(
    nonce: NativeNonce = .hashed,
    forget: @escaping @Sendable (User) async throws(AuthenticationError) -> Void = { _ throws(AuthenticationError) in },
    signIn: @escaping @Sendable (NativeSignInRequest) async throws(AuthenticationError) -> NativeSignInResponse
  ) -> Self {
    native(NativeSignIn(.google, by: NativeClosure(ask: signIn), nonce: nonce), forget: forget)
  }

  /// Facebook, by the vendor's SDK, which the app links: an identity token (Limited Login), or an access token if the
  /// person allowed tracking.
  ///
  /// - Parameters:
  ///   - forget: undoes what the SDK remembers, after a sign-out.
  ///   - signIn: asks the SDK; a person who leaves is ``AuthenticationError/Code/cancelled``.
  public static func facebook(
    forget: @escaping @Sendable (User) async throws(AuthenticationError) -> Void = { _ throws(AuthenticationError) in },
    signIn: @escaping @Sendable (NativeSignInRequest) async throws(AuthenticationError) -> NativeSignInResponse
  ) -> Self {
    native(NativeSignIn(.facebook, by: NativeClosure(ask: signIn), nonce: .plain), forget: forget)
  }

  /// Any vendor's own sheet.
  ///
  /// - Parameters:
  ///   - signIn: shows the sheet, and makes credentials of what the vendor returns.
  ///   - forget: undoes what the vendor's SDK remembers, after a sign-out.
  public static func native(
    _ signIn: NativeSignIn,
    forget: @escaping @Sendable (User) async throws(AuthenticationError) -> Void = { _ throws(AuthenticationError) in }
  ) -> Self {
    Self(
      signIn.method,
      accepted: { signIn.accepted($0, as: $1) },
      forget: { user throws(AuthenticationError) in
        signIn.forget(user)
        try await forget(user)
      },
      credentials: { context throws(AuthenticationError) in
        try await signIn.credentials(over: context.input.anchor)
      })
  }
}

/// An app's closure around a vendor's SDK.
private struct NativeClosure: NativeAuthenticator {
  let ask: @Sendable (NativeSignInRequest) async throws(AuthenticationError) -> NativeSignInResponse

  func signIn(_ request: NativeSignInRequest) async throws(AuthenticationError) -> NativeSignInResponse {
    try await ask(request)
  }
}
