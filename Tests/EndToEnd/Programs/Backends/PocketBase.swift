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
      let password =
        (request.credentials as? PasswordCredentials)?.password ?? (request.credentials as? ChallengeAnswer)?.typed
      guard let password else { return APIRequest(.post, "request-otp", body: known) }
      let path = known["otpId"] == nil ? "auth-with-password" : "auth-with-otp"
      return APIRequest(.post, path, body: known, secrets: ["password": password])
    }
    contract.mapSignInStep = { response, credentials throws(AuthenticationError) in
      guard let name = ["otpId", "mfaId"].first(where: { response.value(at: $0) != nil }) else { return nil }
      var known = try known(to: credentials)
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
      let password = (request.credentials as? PasswordCredentials)?.password ?? Secret("")
      let secrets = ["password": password, "passwordConfirm": password]
      return APIRequest(.post, "records", body: try known(to: request.credentials), secrets: secrets)
    }
    let usual = [APIRefusal(.invalidEmailAddress, at: "data.email"), APIRefusal(.weakPassword, at: "data.password")]
    let isTaken = APIRefusal(.accountExists, at: "data.email.code", is: "validation_not_unique")
    contract.signUpRefusals = [isTaken] + usual + [APIRefusal(.signUpRefused, status: 400)]
    contract.refusals = usual + [APIRefusal(.invalidCredentials, status: 400)]
    // For a token that has ended, no record exists.
    contract.refusesAccessToken = { [401, 404].contains($0.status) && $0.value(at: "status") != nil }
    return contract
  }

  /// The data of a step, by PocketBase's names, and never a password; it ignores those that a call does not need.
  private static func known(to credentials: any Credentials) throws(AuthenticationError) -> [String: String] {
    switch credentials {
    case let typed as PasswordCredentials: ["identity": typed.userName, "email": typed.userName]
    case let typed as EmailCredentials: ["identity": typed.address, "email": typed.address]
    case let answer as ChallengeAnswer: try ChallengeHandle(answer.challenge).fields
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
        let passwords = ["oldPassword": old, "password": new, "passwordConfirm": new]
        return .sending(APIRequest(.patch, "records/{user}", secrets: passwords))
      case .deleteAccount: return .sending(APIRequest(.delete, "records/{user}"))
      default: return nil
      }
    }
    account.credentialsAfterChange = { PasswordCredentials(userName: $1.user.email ?? "", password: $0) }
    return account
  }
}
