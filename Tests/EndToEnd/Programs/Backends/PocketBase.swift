import AuthenticationAccount
import AuthenticationKit

/// PocketBase: passwords, and codes by mail in place of a password or as the second factor. The base URL is that of an
/// auth collection, such as `https://api.example.com/api/collections/users`.
extension APIContract {
  static var pocketBase: APIContract {
    var contract = APIContract.standard
    contract.methods = [.password, .emailCode]
    contract.signInRequest = { request throws(AuthenticationError) in
      let known = try known(to: request.credentials)
      let withPassword = known["otpId"] == nil ? "auth-with-password" : "auth-with-otp"
      return APIRequest(.post, known["password"] == nil ? "request-otp" : withPassword, body: known)
    }
    contract.mapSignInStep = { response, credentials throws(AuthenticationError) in
      guard let name = ["otpId", "mfaId"].first(where: { response.value(at: $0) != nil }) else { return nil }
      var known = try known(to: credentials)
      known["password"] = nil
      let hadCode = known.removeValue(forKey: "otpId") != nil
      known[name] = response.value(at: name)?.text
      let handle = ChallengeHandle(name, known).secret
      if name == "otpId" { return Challenge(kind: .emailCode, handle: handle, resendDelay: .zero) }
      if hadCode { return Challenge(kind: .password, handle: handle) }
      return Challenge(kind: .choice, handle: handle, choices: [.init(id: "mail", kind: .emailCode)])
    }
    contract.mapTokens = tokens(access: "token")
    contract.mapIncludedUser = user(id: "record.id", name: "record.name", email: "record.email")
    contract.userPath = "records/{user}"
    contract.mapUser = user(id: "id", name: "name", email: "email")
    contract.refreshing = .accessToken
    contract.refreshPath = "auth-refresh"
    contract.endsSession = { $0.status == 401 && $0.value(at: "status") == 401 }
    contract.signOutPath = nil
    contract.signUpReturnsTokens = false
    contract.signUpRequest = { request throws(AuthenticationError) in
      APIRequest(.post, "records", body: try known(to: request.credentials))
    }
    contract.refusals = [
      APIRefusal(.accountExists, at: "data.email.code", is: "validation_not_unique"),
      APIRefusal(.weakPassword, at: "data.password"), APIRefusal(.invalidCredentials, status: 400),
    ]
    // For a token that has ended, no record exists.
    contract.refusesAccessToken = { [401, 404].contains($0.status) && $0.value(at: "status") != nil }
    return contract
  }

  /// What a step knows, by PocketBase's names; it ignores those that a call does not need.
  private static func known(to credentials: any Credentials) throws(AuthenticationError) -> [String: String] {
    switch credentials {
    case let typed as PasswordCredentials:
      let (name, password) = (typed.userName, typed.password.reveal())
      return ["identity": name, "email": name, "password": password, "passwordConfirm": password]
    case let typed as EmailCredentials: return ["identity": typed.address, "email": typed.address]
    case let answer as ChallengeAnswer:
      var known = try ChallengeHandle(answer.challenge).fields
      known["password"] = answer.typed?.reveal()
      return known
    default: throw .unsupportedMethod(credentials.method)
    }
  }
}

extension APIAccountContract {
  static var pocketBase: APIAccountContract {
    var account = APIAccountContract()
    account.abilities = [.profile, .changePassword, .delete]
    account.change = { change, _ in
      switch change {
      case .changePassword(let old, let new):
        let passwords = ["oldPassword": old.reveal(), "password": new.reveal(), "passwordConfirm": new.reveal()]
        return .sending(APIRequest(.patch, "records/{user}", body: passwords))
      case .deleteAccount: return .sending(APIRequest(.delete, "records/{user}"))
      default: return nil
      }
    }
    account.credentialsAfterChange = { PasswordCredentials(userName: $1.user.email ?? "", password: $0) }
    return account
  }
}
