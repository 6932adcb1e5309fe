#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension FirebaseDialect {
  mutating func makeAccount(at now: Date) -> FirebaseAccount {
    FirebaseAccount(id: nextID("user"), createdAt: now, validSince: now)
  }

  func account(email: String) -> FirebaseAccount? {
    accounts.values.first { $0.email?.lowercased() == email.lowercased() }
  }

  /// Whose ID token it is. Other calls refuse an ID token as the token endpoint refuses a refresh token.
  func owner(
    of body: VendorMembers, _ now: Date, recent: Bool = false
  ) throws(VendorRefusal) -> (account: FirebaseAccount, grant: FirebaseGrant) {
    guard let token = try body.text("idToken") else { throw .firebase("MISSING_ID_TOKEN") }
    guard let grant = idTokens[token], now < grant.expiresAt else { throw .firebase("INVALID_ID_TOKEN") }
    guard let account = accounts[grant.accountID] else { throw .firebase("USER_NOT_FOUND") }
    if account.isDisabled { throw .firebase("USER_DISABLED") }
    if account.epoch != grant.epoch { throw .firebase("TOKEN_EXPIRED : The user's credential is no longer valid.") }
    if recent, now.timeIntervalSince(grant.authenticatedAt) > options.recentSignIn / .seconds(1) {
      throw .firebase("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
    return (account, grant)
  }

  /// The success body of a sign-in, or the wish for a second factor.
  mutating func signIn(
    _ account: FirebaseAccount, by provider: String, isNew: Bool? = nil, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    if account.isDisabled { throw .firebase("USER_DISABLED") }
    accounts[account.id] = account
    guard account.factors.isEmpty else {
      let pending = "pending-" + OpaqueToken.make()
      pendingSignIns[pending] = .init(
        accountID: account.id, provider: provider, expiresAt: now.addingTimeInterval(600))
      return ["mfaPendingCredential": .string(pending), "mfaInfo": .array(account.factors.map(info))]
    }
    accounts[account.id]?.lastLoginAt = now
    let tokens = grant(to: account, by: provider, authenticatedAt: now, now)
    return base(account).merging(tokens) { $1 }.merging(["isNewUser": isNew.map(JSONValue.boolean) ?? .null]) { $1 }
  }

  func base(_ account: FirebaseAccount) -> [String: JSONValue] {
    [
      "kind": "identitytoolkit#Response", "localId": .string(account.id), "email": .optional(account.email),
      "displayName": .optional(account.displayName), "photoUrl": .optional(account.photoURL),
    ]
  }

  /// New tokens of an account as it is now.
  mutating func grant(
    to account: FirebaseAccount, by provider: String, factor: String? = nil, authenticatedAt: Date, _ now: Date
  ) -> [String: JSONValue] {
    let grant = FirebaseGrant(
      accountID: account.id, epoch: account.epoch, provider: provider, authenticatedAt: authenticatedAt,
      factorID: factor)
    let refresh = "refresh-" + OpaqueToken.make()
    refreshTokens[refresh] = grant
    return [
      "idToken": .string(idToken(for: grant, account, now)), "refreshToken": .string(refresh),
      "expiresIn": .string(lifetime),
    ]
  }

  /// Seconds, as text.
  var lifetime: String { "\(options.accessTokenLifetime.components.seconds)" }

  mutating func idToken(for grant: FirebaseGrant, _ account: FirebaseAccount, _ now: Date) -> String {
    var grant = grant
    grant.expiresAt = now.addingTimeInterval(options.accessTokenLifetime / .seconds(1))
    var firebase: [String: JSONValue] = [
      "sign_in_provider": .string(grant.provider), "tenant": .optional(options.tenantID),
      "second_factor_identifier": .optional(grant.factorID), "identities": .object([:]),
    ]
    firebase = firebase.present
    let token = VendorToken.make(
      [
        "iss": .string("https://securetoken.google.com/\(options.projectID)"), "aud": .string(options.projectID),
        "sub": .string(account.id), "user_id": .string(account.id), "iat": .number(now.timeIntervalSince1970.rounded()),
        "exp": .number(grant.expiresAt.timeIntervalSince1970.rounded()),
        "auth_time": .number(grant.authenticatedAt.timeIntervalSince1970.rounded()),
        "email": .optional(account.email), "email_verified": .boolean(account.isEmailVerified),
        "phone_number": .optional(account.phoneNumber), "firebase": .object(firebase),
        "jti": .string(OpaqueToken.make()),
      ].present)
    idTokens[token] = grant
    return token
  }

  /// The tokens from before are revoked from now on.
  mutating func endTokens(ofAccount id: String, _ now: Date) {
    accounts[id]?.epoch += 1
    accounts[id]?.validSince = now
  }

  /// The tokens after a change that ended the earlier ones; the sign-in itself stays as old as it was.
  mutating func refreshed(_ grant: FirebaseGrant, _ now: Date) -> [String: JSONValue] {
    guard let account = accounts[grant.accountID] else { return [:] }
    return self.grant(
      to: account, by: grant.provider, factor: grant.factorID, authenticatedAt: grant.authenticatedAt, now)
  }
}
#endif
