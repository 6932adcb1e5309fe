import AuthenticationDomain

/// The body of a sign-in with a vendor's token.
enum APINativeBody {
  private struct Wire: Encodable, Sendable {
    struct Name: Encodable, Sendable {
      let firstName: String?
      let lastName: String?
    }

    let provider: String
    let identityToken: String?
    let nonce: String?
    let authorizationCode: String?
    let accessToken: String?
    let name: Name?
    let email: String?
  }

  /// `provider`, the id of the method, with what the vendor gave of `identityToken`, `nonce` (raw, before any hashing),
  /// `authorizationCode`, `accessToken`, `name` (`firstName` and `lastName`) and `email`.
  static func body(of credentials: NativeCredentials) -> APIContract.Body {
    Wire(
      provider: credentials.method.id, identityToken: credentials.identityToken?.reveal(),
      nonce: credentials.rawNonce?.reveal(), authorizationCode: credentials.authorizationCode?.reveal(),
      accessToken: credentials.accessToken?.reveal(),
      name: credentials.name.map { Wire.Name(firstName: $0.given, lastName: $0.family) }, email: credentials.email)
  }
}

extension AuthenticationError {
  /// A backend that refuses a vendor's token refuses the app's set-up or a stolen token: the user typed nothing wrong.
  func refusing(_ credentials: any Credentials) -> Self {
    guard code == .invalidCredentials, credentials is NativeCredentials else { return self }
    return with(code: .notVerified)
  }

  /// Of a table that knows no credentials: those that are a code are a wrong code.
  func described(for credentials: any Credentials) -> Self {
    guard code == .invalidCredentials, let answer = credentials as? ChallengeAnswer, !answer.code.isEmpty else {
      return refusing(credentials)
    }
    return with(code: .wrongCode)
  }

  private func with(code other: Self) -> Self {
    var error = other
    error.providerCode = providerCode
    return error
  }
}
