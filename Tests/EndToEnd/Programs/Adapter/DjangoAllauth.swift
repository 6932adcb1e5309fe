import AuthenticationAccount
public import AuthenticationKit

/// An app's own backend that is built on django-allauth's headless API ("app" client, JWT token strategy): all that the
/// library must be told about it.
extension AuthProviderConfiguration {
  /// - Parameter baseURL: where the backend is, such as `https://api.example.com`.
  public static func djangoAllauth(baseURL: String) -> Self {
    .api(baseURL: "\(baseURL)/_allauth/app/v1", contract: .djangoAllauth, account: .djangoAllauth)
  }
}

extension APIContract {
  public static var djangoAllauth: APIContract {
    var contract = APIContract.standard
    contract.methods = [.password, .emailCode, .phoneCode, .passkey]
    contract.signInRequest = { request throws(AuthenticationError) in try .signIn(request.credentials) }
    contract.signUpRequest = { request throws(AuthenticationError) in try .signUp(request.credentials) }
    contract.mapSignInStep = { response, credentials throws(AuthenticationError) in
      try AllauthResponse(response)?.next(after: AllauthStep(credentials), credentials as? ChallengeAnswer)
    }
    contract.mapTokens = AllauthTokens.map
    contract.checkSignIn = { _ in }
    contract.mapIncludedUser = { response throws(AuthenticationError) in AllauthResponse(response)?.user }
    contract.userPath = "auth/session"
    contract.mapUser = { response throws(AuthenticationError) in
      guard let user = AllauthResponse(response)?.user else { throw .unexpectedResponse }
      return user
    }
    contract.refreshPath = "tokens/refresh"
    contract.refreshBody = { ["refresh_token": $0.reveal()] }
    contract.signOutRequest = { _ in APIRequest(.delete, "auth/session") }
    contract.endsSession = { AllauthResponse($0)?.endsSession ?? false }
    return contract
  }
}
