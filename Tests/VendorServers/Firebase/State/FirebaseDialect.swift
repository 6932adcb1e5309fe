#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// Everything the service knows.
struct FirebaseDialect: VendorDialect {
  let options: LoopbackFirebase.Options
  var accounts: [String: FirebaseAccount] = [:]
  var idTokens: [String: FirebaseGrant] = [:]
  var refreshTokens: [String: FirebaseGrant] = [:]
  var mailCodes: [String: FirebaseMailCode] = [:]
  var phoneCodes: [String: FirebasePhoneCode] = [:]
  /// Users who proved a number of another account, by proof.
  var temporaryProofs: [String: String] = [:]
  var pendingSignIns: [String: FirebasePendingSignIn] = [:]
  var enrolments: [String: FirebaseEnrolment] = [:]
  var mails: [LoopbackFirebase.Mail] = []
  var messages: [LoopbackFirebase.Message] = []
  var revokedAppleCodes: [String] = []
  /// Sign-ins on a provider's page, by state.
  var begunPages: [String: FirebaseBegunPage] = [:]
  var user = LoopbackOpenIDIssuer.UserAction.approves(.ada)
  var origin = ""
  var lastID = 0

  init(options: LoopbackFirebase.Options) { self.options = options }

  mutating func begin(at origin: String) { self.origin = origin }

  mutating func nextID(_ prefix: String) -> String {
    lastID += 1
    return "\(prefix)-\(lastID)"
  }

  // MARK: Routing

  func operation(_ request: VendorRequest) -> String? {
    guard request.method == "POST" else { return Self.page(request) }
    if request.path == ["securetoken.googleapis.com", "v1", "token"] { return "token" }
    guard request.path.count >= 3, request.path[0] == "identitytoolkit.googleapis.com" else { return nil }
    let name = request.path.dropFirst(2).joined(separator: "/")
    let isSecond = request.path[1] == "v2"
    guard isSecond || request.path[1] == "v1" else { return nil }
    return (isSecond ? Self.second : Self.first).keys.first {
      name == ($0.hasPrefix("mfa") ? "accounts/" : "accounts:") + $0
    }
  }

  mutating func process(
    _ request: VendorRequest, _ operation: String, at now: Date
  ) throws(VendorRefusal) -> Answer {
    if request.method == "GET" { return show(operation, request.query, now) }
    try checkKey(of: request)
    if operation == "token" { return .json(try refresh(request, now)) }
    guard let json = request.json, let known = Self.first[operation] ?? Self.second[operation] else {
      throw .firebaseArgument
    }
    let body = try VendorMembers(json, only: Set(known + ["tenantId"]), else: .firebaseArgument)
    if let tenant = options.tenantID, try body.text("tenantId") != tenant { throw .firebase("INVALID_TENANT_ID") }
    if options.disabledOperations.contains(operation) { throw .firebase("OPERATION_NOT_ALLOWED") }
    return .json(try answer(operation, body, now).present)
  }

  private mutating func answer(
    _ operation: String, _ body: VendorMembers, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    switch operation {
    case "signUp": try signUp(body, now)
    case "signInWithPassword": try signInWithPassword(body, now)
    case "signInWithCustomToken": try signInWithCustomToken(body, now)
    case "sendVerificationCode": try sendVerificationCode(body, now)
    case "signInWithPhoneNumber": try signInWithPhoneNumber(body, now)
    case "sendOobCode": try sendMail(body, now)
    case "signInWithEmailLink": try signInWithEmailLink(body, now)
    case "resetPassword": try resetPassword(body, now)
    case "createAuthUri": try createAuthURI(body)
    case "signInWithIdp": try signInWithIdentityProvider(body, now)
    case "lookup": try lookup(body, now)
    case "update": try update(body, now)
    case "delete": try delete(body, now)
    case "revokeToken": try revokeAppleCode(body, now)
    case "mfaSignIn:start": try startSecondFactor(body, now)
    case "mfaSignIn:finalize": try finishSecondFactor(body, now)
    case "mfaEnrollment:start": try startEnrolment(body, now)
    case "mfaEnrollment:finalize": try finishEnrolment(body, now)
    default: try withdrawFactor(body, now)
    }
  }

  private func checkKey(of request: VendorRequest) throws(VendorRefusal) {
    guard request.query["key"] == options.apiKey else {
      throw VendorRefusal(
        code: "API key not valid. Please pass a valid API key.",
        members: ["status": "INVALID_ARGUMENT", "reason": "keyInvalid"])
    }
    if let bundle = options.bundleID, request.recorded.header("X-Ios-Bundle-Identifier") != bundle {
      throw VendorRefusal(
        code: "Requests from this iOS client application are blocked.", status: 403,
        members: ["status": "PERMISSION_DENIED", "reason": "forbidden"])
    }
  }

  // MARK: Refusals

  func answer(_ refusal: VendorRefusal, to request: VendorRequest) -> Answer {
    let reason = refusal.members["reason"] ?? "invalid"
    let error: [String: JSONValue] = [
      "code": .number(Double(refusal.status)), "message": .string(refusal.code),
      "errors": [["message": .string(refusal.code), "domain": "global", "reason": reason]],
      "status": refusal.members["status"] ?? .null,
    ]
    return .json(["error": JSONValue.object(error.present)], status: refusal.status)
  }

  func refusal(_ code: String) -> VendorRefusal { .firebase(code) }

  // MARK: The parameters of each operation

  private static let first: [String: [String]] = [
    "signUp": ["email", "password", "displayName", "returnSecureToken", "idToken"] + captcha,
    "signInWithPassword": ["email", "password", "returnSecureToken"] + captcha,
    "signInWithCustomToken": ["token", "returnSecureToken"],
    "sendVerificationCode": ["phoneNumber", "recaptchaToken", "iosReceipt", "iosSecret"] + captcha,
    "signInWithPhoneNumber": ["sessionInfo", "code", "operation", "idToken", "temporaryProof", "phoneNumber"],
    "sendOobCode": [
      "requestType", "email", "idToken", "newEmail", "continueUrl", "canHandleCodeInApp", "iOSBundleId", "linkDomain",
    ] + captcha,
    "signInWithEmailLink": ["email", "oobCode", "idToken", "returnSecureToken"],
    "resetPassword": ["oobCode", "newPassword"],
    "createAuthUri": ["providerId", "continueUri", "sessionId", "oauthScope", "customParameter"],
    "signInWithIdp": [
      "requestUri", "postBody", "returnSecureToken", "returnIdpCredential", "autoCreate", "idToken", "pendingToken",
      "sessionId",
    ],
    "lookup": ["idToken"],
    "update": [
      "idToken", "displayName", "photoUrl", "email", "password", "deleteAttribute", "deleteProvider", "oobCode",
      "returnSecureToken",
    ],
    "delete": ["idToken"],
  ]

  private static let second: [String: [String]] = [
    "revokeToken": ["providerId", "tokenType", "token", "idToken"],
    "mfaSignIn:start": ["mfaPendingCredential", "mfaEnrollmentId", "phoneSignInInfo"],
    "mfaSignIn:finalize": [
      "mfaPendingCredential", "mfaEnrollmentId", "phoneVerificationInfo", "totpVerificationInfo",
    ],
    "mfaEnrollment:start": ["idToken", "totpEnrollmentInfo", "phoneEnrollmentInfo"],
    "mfaEnrollment:finalize": ["idToken", "displayName", "totpVerificationInfo", "phoneVerificationInfo"],
    "mfaEnrollment:withdraw": ["idToken", "mfaEnrollmentId"],
  ]

  private static let captcha: [String] = ["captchaResponse", "clientType", "recaptchaVersion"]
}

extension VendorRefusal {
  static func firebase(_ code: String) -> Self {
    let isQuota = ["TOO_MANY_ATTEMPTS_TRY_LATER", "QUOTA_EXCEEDED"].contains { code.hasPrefix($0) }
    return Self(code: code, members: isQuota ? ["reason": "quotaExceeded"] : [:])
  }

  /// A body of another kind than the operation takes.
  static let firebaseArgument = Self(
    code: "Invalid JSON payload received.", members: ["status": "INVALID_ARGUMENT", "reason": "badRequest"])
}

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
