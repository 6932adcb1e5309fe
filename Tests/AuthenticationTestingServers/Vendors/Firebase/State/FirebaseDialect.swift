#if Tools && OpenID
import AuthenticationDomain
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
#endif
