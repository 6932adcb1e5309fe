import AuthenticationAccount
import AuthenticationKit

/// dj-rest-auth with djangorestframework-simplejwt, whose refresh tokens rotate and are blacklisted. The base URL is
/// where its addresses are included, such as `https://api.example.com/auth`.
extension APIContract {
  static var djRestAuth: APIContract {
    var contract = APIContract.standard
    contract.signInPath = "login/"
    contract.mapTokens = tokens(access: "access", refresh: "refresh")
    contract.mapIncludedUser = user(id: "user.pk", name: "user.username", email: "user.email")
    contract.userPath = "user/"
    contract.mapUser = user(id: "pk", name: "username", email: "email")
    contract.refreshPath = "token/refresh/"
    contract.refreshBody = { ["refresh": $0.reveal()] }
    contract.endsSession = { $0.status == 401 && $0.value(at: "code") == "token_not_valid" }
    contract.signOutPath = "logout/"
    // Without a code: the refusal is about the refresh token, not about the access token.
    contract.isRevoked = { $0.status == 401 && $0.value(at: "detail") != nil && $0.value(at: "code") == nil }
    contract.signUpRequest = { request throws(AuthenticationError) in
      guard let typed = request.credentials as? PasswordCredentials else {
        throw .unsupportedMethod(request.credentials.method)
      }
      let (name, password) = (typed.userName, typed.password)
      return APIRequest(
        .post, "registration/", body: ["username": name, "email": name],
        secrets: ["password1": password, "password2": password])
    }
    // Its refusals have no codes: in another language than English these two sentences are others.
    contract.signUpRefusals = [
      APIRefusal(.invalidEmailAddress, status: 400, at: "email", is: "Enter a valid email address."),
      APIRefusal(
        .signUpRefused, status: 400, at: "username",
        is: "Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters."),
      APIRefusal(.accountExists, status: 400, at: "username"), APIRefusal(.accountExists, status: 400, at: "email"),
      APIRefusal(.weakPassword, status: 400, at: "password1"),
    ]
    contract.refusals = [
      APIRefusal(.invalidCredentials, status: 400, at: "non_field_errors"),
      APIRefusal(.invalidCredentials, status: 400, at: "old_password"),
      APIRefusal(.invalidEmailAddress, status: 400, at: "email"),
      APIRefusal(.weakPassword, status: 400, at: "new_password2"),
    ]
    return contract
  }
}

extension APIAccountContract {
  static var djRestAuth: APIAccountContract {
    var account = APIAccountContract()
    account.abilities = [.profile, .changePassword, .resetPassword]
    account.change = { change, _ in
      switch change {
      case .changePassword(let old, let new):
        let passwords = ["old_password": old, "new_password1": new, "new_password2": new]
        return .sending(APIRequest(.post, "password/change/", secrets: passwords))
      case .resetPassword(let address): return .sending(APIRequest(.post, "password/reset/", body: ["email": address]))
      case .update(let changes): return .sending(APIRequest(.patch, "user/", body: changes.claims))
      default: return nil
      }
    }
    return account
  }
}
