import AuthenticationAccount
import AuthenticationKit

/// fastapi-users with its JWT strategy, which has no refresh: a session ends with its token.
extension APIContract {
  static var fastAPIUsers: APIContract {
    var contract = APIContract.standard
    contract.signInRequest = { request throws(AuthenticationError) in
      guard let typed = request.credentials as? PasswordCredentials else {
        throw .unsupportedMethod(request.credentials.method)
      }
      return APIRequest(
        .post, "auth/jwt/login", form: ["username": Secret(typed.userName), "password": typed.password])
    }
    contract.mapTokens = tokens(access: "access_token")
    contract.userPath = "users/me"
    contract.mapUser = user(id: "id", email: "email", isEmailVerified: "is_verified")
    contract.refreshing = .never
    contract.signOutPath = "auth/jwt/logout"
    contract.isRevoked = { $0.status == 401 }
    contract.signUpReturnsTokens = false
    contract.signUpRequest = { request throws(AuthenticationError) in
      guard let typed = request.credentials as? PasswordCredentials else {
        throw .unsupportedMethod(request.credentials.method)
      }
      return APIRequest(
        .post, "auth/register", body: ["email": typed.userName], secrets: ["password": typed.password])
    }
    contract.refusals = [
      APIRefusal(.invalidCredentials, at: "detail", is: "LOGIN_BAD_CREDENTIALS"),
      APIRefusal(.notVerified, at: "detail", is: "LOGIN_USER_NOT_VERIFIED"),
      APIRefusal(.accountExists, at: "detail", is: "REGISTER_USER_ALREADY_EXISTS"),
      APIRefusal(.weakPassword, at: "detail.code", is: "REGISTER_INVALID_PASSWORD"),
      APIRefusal(.invalidEmailAddress, status: 422),
    ]
    return contract
  }
}

extension APIAccountContract {
  static var fastAPIUsers: APIAccountContract {
    var account = APIAccountContract()
    account.abilities = [.profile, .resetPassword]
    account.change = { change, _ in
      guard case .resetPassword(let address) = change else { return nil }
      return .sending(APIRequest(.post, "auth/forgot-password", body: ["email": address]))
    }
    return account
  }
}
