import AuthenticationAccount
import AuthenticationKit
import Foundation

/// A Matrix homeserver (Client-Server API 1.11) with refresh tokens and its own accounts. The base URL ends in
/// `/_matrix/client/v3`. To delete the account or to end another session it wants the password with the request
/// (user-interactive authentication).
extension APIContract {
  static var matrix: APIContract {
    var contract = APIContract.standard
    contract.signInRequest = { request throws(AuthenticationError) in
      guard let typed = request.credentials as? PasswordCredentials else {
        throw .unsupportedMethod(request.credentials.method)
      }
      return APIRequest(
        .post, "login", body: ["refresh_token": true], secrets: password(typed.password, of: typed.userName))
    }
    contract.signUpRequest = { request throws(AuthenticationError) in
      guard let typed = request.credentials as? PasswordCredentials else {
        throw .unsupportedMethod(request.credentials.method)
      }
      let body: [String: JSONValue] = [
        "username": .string(typed.userName), "refresh_token": true, "auth": ["type": "m.login.dummy"],
      ]
      return APIRequest(.post, "register", body: body, secrets: ["password": typed.password])
    }
    contract.mapTokens = tokens(
      access: "access_token", refresh: "refresh_token", lifetime: "expires_in_ms", unit: .milliseconds(1))
    contract.mapIncludedUser = { response throws(AuthenticationError) in try user(response) }
    contract.userPath = "account/whoami"
    contract.mapUser = user
    contract.refreshPath = "refresh"
    contract.refreshBody = { ["refresh_token": $0.reveal()] }
    // The first for a token that has ended, the second for one that was replaced.
    contract.endsSession = { ["M_UNKNOWN_TOKEN", "M_FORBIDDEN"].contains($0.value(at: "errcode")) && $0.status < 404 }
    contract.signOutRequest = { _ in APIRequest(.post, "logout", body: [String: String]()) }
    contract.signOutEverywhereRequest = { _ in APIRequest(.post, "logout/all", body: [String: String]()) }
    contract.refusesAccessToken = { $0.status == 401 && $0.value(at: "errcode") == "M_UNKNOWN_TOKEN" }
    contract.isRevoked = contract.refusesAccessToken
    contract.codeMember = "errcode"
    contract.waitMember = ("retry_after_ms", .milliseconds(1))
    contract.signUpRefusals = [APIRefusal(.signUpRefused, at: "errcode", is: "M_FORBIDDEN")]
    contract.refusals = [
      APIRefusal(.invalidCredentials, at: "errcode", is: "M_FORBIDDEN"),
      APIRefusal(.userDisabled, at: "errcode", is: "M_USER_DEACTIVATED"),
      APIRefusal(.accountExists, at: "errcode", is: "M_USER_IN_USE"),
      APIRefusal(.signUpRefused, at: "errcode", is: "M_INVALID_USERNAME"),
      APIRefusal(.weakPassword, at: "errcode", is: "M_WEAK_PASSWORD"),
      APIRefusal(.tooManyAttempts, at: "errcode", is: "M_LIMIT_EXCEEDED"),
    ]
    return contract
  }

  /// The members that prove the user's presence, at the top of a body or below `auth.`.
  fileprivate static func password(_ password: Secret?, of name: String, at path: String = "") -> [String: Secret] {
    var members = ["\(path)type": Secret("m.login.password"), "\(path)identifier.type": Secret("m.id.user")]
    members["\(path)identifier.user"] = Secret(name)
    members["\(path)password"] = password
    return members
  }

  /// The id with the device's, which tells this session from the others.
  @Sendable private static func user(_ response: HTTPResponse) throws(AuthenticationError) -> User {
    guard let id = response.value(at: "user_id")?.text else { throw .unexpectedResponse }
    return User(id: id, claims: ["device_id": response.value(at: "device_id") ?? .null])
  }
}

extension APIAccountContract {
  static var matrix: APIAccountContract {
    var account = APIAccountContract()
    account.abilities = [.profile, .changePassword, .sessions, .delete]
    account.change = { change, session in
      switch change {
      case .changePassword(let old, let new):
        var secrets = APIContract.password(old, of: session?.user.id ?? "", at: "auth.")
        secrets["new_password"] = new
        return .sending(APIRequest(.post, "account/password", body: ["logout_devices": false], secrets: secrets))
      case .update(let changes):
        let request = APIRequest(.put, "profile/{user}/displayname", body: ["displayname": changes.name ?? ""])
        return APIService(request) { response in
          guard response.isSuccess, let session else { return nil }
          let user = User(id: session.user.id, name: changes.name, claims: session.user.claims)
          return .session(AuthSession(user: user, tokens: session.tokens))
        }
      case .end(let session):
        return .sending(APIRequest(.delete, "devices/\(session.id)", body: [String: JSONValue]()))
      case .deleteAccount: return .sending(APIRequest(.post, "account/deactivate", body: [String: JSONValue]()))
      default: return nil
      }
    }
    account.sessions = { session in
      APIService(APIRequest(.get, "devices")) { response in
        guard response.isSuccess, case .array(let devices) = response.value(at: "devices") else { return nil }
        return devices.compactMap { device in
          guard case .object(let device) = device, let id = device["device_id"] else { return nil }
          return RemoteSession(
            id: id.text ?? "", isCurrent: id == session.user.claims["device_id"], label: device["display_name"]?.text,
            lastUsedAt: device["last_seen_ts"]?.number.map { Date(timeIntervalSince1970: $0 / 1_000) })
        }
      }
    }
    account.mapProof = { response in
      guard response.status == 401, let id = response.value(at: "session")?.text else { return nil }
      return Challenge(kind: .password, handle: Secret(id))
    }
    account.addProof = { request, answer, session throws(AuthenticationError) in
      var request = request
      request.secrets.merge(APIContract.password(answer.typed, of: session.user.id, at: "auth.")) { $1 }
      request.secrets["auth.session"] = answer.challenge.handle
      return request
    }
    return account
  }
}
