#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension FirebaseDialect {
  /// `securetoken.googleapis.com/v1/token`: snake_case, and a form as well as JSON.
  mutating func refresh(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let (type, token) = try refreshFields(request)
    guard type == "refresh_token" else { throw .firebase("INVALID_GRANT_TYPE") }
    guard let token else { throw .firebase("MISSING_REFRESH_TOKEN") }
    guard let grant = refreshTokens[token] else { throw .firebase("INVALID_REFRESH_TOKEN") }
    guard let account = accounts[grant.accountID] else { throw .firebase("USER_NOT_FOUND") }
    if account.isDisabled { throw .firebase("USER_DISABLED") }
    if account.epoch != grant.epoch { throw .firebase("TOKEN_EXPIRED") }
    let idToken = self.idToken(for: grant, account, now)
    return [
      "id_token": .string(idToken), "access_token": .string(idToken), "refresh_token": .string(token),
      "expires_in": .string(lifetime), "token_type": "Bearer", "user_id": .string(account.id),
      "project_id": .string(options.projectID),
    ]
  }

  private func refreshFields(_ request: VendorRequest) throws(VendorRefusal) -> (type: String?, token: String?) {
    if let form = request.form { return (form["grant_type"], form["refresh_token"]) }
    guard let json = request.json else { throw .firebaseArgument }
    let body = try VendorMembers(json, only: ["grantType", "refreshToken"], else: .firebaseArgument)
    return (try body.text("grantType"), try body.text("refreshToken"))
  }
}
#endif
