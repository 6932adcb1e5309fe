public import AuthenticationServices

// On Apple platforms the overlay of both frameworks has it.
public struct SignInWithAppleButton: View {
  public enum Label: Sendable { case signIn, signUp, `continue` }

  public enum Style: Sendable { case black, white, whiteOutline }

  public init(
    _ label: Label = .signIn, onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
    onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
  ) {}
  public var body: Never { return fatalError() }
}

extension View {
  public func signInWithAppleButtonStyle(_ style: SignInWithAppleButton.Style) -> some View { self }
}
