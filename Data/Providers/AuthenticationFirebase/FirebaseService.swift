import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import Foundation

/// Sends the calls of Identity Toolkit and of the token service.
struct FirebaseService: Sendable {
  let project: FirebaseProject
  let client: any HTTPClient
  let clock: any AuthenticationClock
  private let toolkit: ServiceURL
  private let tokens: ServiceURL

  init(
    _ project: FirebaseProject, client: any HTTPClient, clock: any AuthenticationClock
  ) throws(AuthenticationError) {
    let isPlausible = { (byte: UInt8) in (0x21...0x7E).contains(byte) }
    guard !project.apiKey.isEmpty, project.apiKey.utf8.allSatisfy(isPlausible) else {
      throw .invalid("apiKey", "is empty or has characters that no key has")
    }
    if let tenant = project.tenantID, tenant.isEmpty { throw .invalid("tenantID", "is empty") }
    try project.pages?.validate(bundleID: project.bundleID)
    if let url = project.continueURL { _ = try ServiceURL(url, key: "continueURL", allowsPath: true) }
    if let endpoint = project.endpoint {
      let base = try ServiceURL(endpoint, key: "endpoint").origin
      toolkit = try ServiceURL("\(base)/identitytoolkit.googleapis.com", key: "endpoint", allowsPath: true)
      tokens = try ServiceURL("\(base)/securetoken.googleapis.com", key: "endpoint", allowsPath: true)
    } else {
      toolkit = try ServiceURL("https://identitytoolkit.googleapis.com", key: "endpoint")
      tokens = try ServiceURL("https://securetoken.googleapis.com", key: "endpoint")
    }
    self.project = project
    self.client = client
    self.clock = clock
  }

  /// Calls an operation such as `v1/accounts:signUp`.
  ///
  /// - Parameter errors: the meaning of a refusal's codes here.
  func call(
    _ operation: String, _ body: JSONBody, errors: [String: AuthenticationError] = FirebaseErrors.signIn
  ) async throws(AuthenticationError) -> VendorResponse {
    var body = body
    if let tenant = project.tenantID { body["tenantId"] = tenant }
    let request = try toolkit.request(
      .post, operation, query: ["key": project.apiKey], headers: try await headers(), body)
    return try await send(request, errors)
  }

  /// Exchanges a refresh token (RFC 6749 §6).
  func refresh(_ token: Secret) async throws(AuthenticationError) -> VendorResponse {
    let form = FormBody(["grant_type": "refresh_token", "refresh_token": token.reveal()])
    var headers = try await headers()
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    var request = try tokens.request(.post, "v1/token", query: ["key": project.apiKey], headers: headers)
    request.body = Data(form.encoded.utf8)
    return try await send(request, FirebaseErrors.refresh)
  }

  private func send(
    _ request: HTTPRequest, _ errors: [String: AuthenticationError]
  ) async throws(AuthenticationError) -> VendorResponse {
    let response = try await client.send(request)
    guard response.isSuccess else { throw FirebaseErrors.map(response, in: errors, now: clock.now) }
    let body = try JSONMembers(response)
    // `signInWithIdp` reports a refusal inside a success.
    if let message = body["errorMessage"] {
      throw HTTPErrorMapper.map(response, code: FirebaseErrors.code(message), in: errors, now: clock.now)
    }
    return VendorResponse(response, body, receivedAt: clock.now)
  }

  private func headers() async throws(AuthenticationError) -> HTTPHeaders {
    var headers: HTTPHeaders = [:]
    headers["X-Firebase-Locale"] = project.language
    headers["X-Ios-Bundle-Identifier"] = project.bundleID
    if let appCheckToken = project.appCheckToken {
      headers["X-Firebase-AppCheck"] = try await appCheckToken().reveal()
    }
    return headers
  }
}

/// The meaning of the codes of Identity Toolkit (firebase-js-sdk, `packages/auth/src/api/errors.ts`).
enum FirebaseErrors {
  /// In an attempt to sign in.
  static let signIn = everywhere

  /// At the token service, about our own refresh token: the only calls that end a session.
  static let refresh = everywhere.adding([
    .sessionRejected: ["TOKEN_EXPIRED", "USER_NOT_FOUND", "INVALID_REFRESH_TOKEN"], .userDisabled: ["USER_DISABLED"],
  ])

  /// On behalf of a signed-in user: a refused ID token is refreshed first.
  static let account = everywhere.adding([
    .accessTokenRefused: ["INVALID_ID_TOKEN", "TOKEN_EXPIRED", "USER_NOT_FOUND", "USER_DISABLED"],
    .recentSignInRequired: ["CREDENTIAL_TOO_OLD_LOGIN_AGAIN"],
    .alreadyLinked: ["EMAIL_EXISTS", "PHONE_NUMBER_EXISTS"], .codeExpired: ["EXPIRED_OOB_CODE", "SESSION_EXPIRED"],
  ])

  private static let everywhere: [String: AuthenticationError] = [:].adding([
    .invalidCredentials: ["USER_NOT_FOUND", "EMAIL_NOT_FOUND", "INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS"],
    .userDisabled: ["USER_DISABLED"],
    .accountExists: ["EMAIL_EXISTS", "PHONE_NUMBER_EXISTS", "CREDENTIAL_MISMATCH"],
    .alreadyLinked: ["FEDERATED_USER_ID_ALREADY_LINKED", "SECOND_FACTOR_EXISTS"],
    .weakPassword: ["WEAK_PASSWORD", "PASSWORD_DOES_NOT_MEET_REQUIREMENTS"], .emptyPassword: ["MISSING_PASSWORD"],
    .invalidEmailAddress: ["INVALID_EMAIL", "MISSING_EMAIL", "INVALID_IDENTIFIER"],
    .invalidPhoneNumber: ["INVALID_PHONE_NUMBER"],
    .notEnabled: [
      "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "ADMIN_ONLY_OPERATION", "UNSUPPORTED_FIRST_FACTOR",
      "UNSUPPORTED_TENANT_OPERATION",
    ],
    .wrongCode: ["INVALID_CODE", "INVALID_OOB_CODE"],
    // SESSION_EXPIRED is about a code by text message, not about a session.
    .signInExpired: [
      "TOKEN_EXPIRED", "EXPIRED_OOB_CODE", "SESSION_EXPIRED", "INVALID_SESSION_INFO",
      "INVALID_MFA_PENDING_CREDENTIAL", "INVALID_TEMPORARY_PROOF",
    ],
    .noSuchFactor: ["MFA_ENROLLMENT_NOT_FOUND"], .factorLimit: ["SECOND_FACTOR_LIMIT_EXCEEDED"],
    .unverifiedEmail: ["UNVERIFIED_EMAIL"],
    .refused(by: .nonce, "Firebase refused the identity token's nonce."): ["MISSING_OR_INVALID_NONCE"],
    .refused(by: .idToken, "Firebase refused the vendor's identity token."): ["INVALID_IDP_RESPONSE"],
    .refused(by: .idToken, "Firebase refused the custom token."): ["INVALID_CUSTOM_TOKEN"],
    .refused(by: .idToken, "Firebase refused the credential."): ["REJECTED_CREDENTIAL"],
    .rateLimited: ["TOO_MANY_ATTEMPTS_TRY_LATER", "QUOTA_EXCEEDED", "RESET_PASSWORD_EXCEED_LIMIT"],
    .captchaRequired: [
      "CAPTCHA_CHECK_FAILED", "MISSING_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_TOKEN", "MISSING_APP_CREDENTIAL",
      "INVALID_APP_CREDENTIAL", "MISSING_CLIENT_IDENTIFIER", "APP_NOT_VERIFIED",
    ],
    .declined: ["BLOCKING_FUNCTION_ERROR_RESPONSE", "EMAIL_CHANGE_NEEDS_VERIFICATION"],
    .clientRejected: [
      "INVALID_ARGUMENT", "PERMISSION_DENIED", "keyInvalid", "PROJECT_NUMBER_MISMATCH", "INVALID_TENANT_ID",
      "TENANT_ID_MISMATCH", "MISSING_REFRESH_TOKEN", "INVALID_GRANT_TYPE", "MISSING_CONTINUE_URI",
      "INVALID_CONTINUE_URI", "UNAUTHORIZED_DOMAIN", "INVALID_PROVIDER_ID",
    ],
  ])

  static func map(
    _ response: HTTPResponse, in table: [String: AuthenticationError], now: Date
  ) -> AuthenticationError {
    let error = (try? JSONMembers(response))?.members("error")
    let code = error?["message"].flatMap(code)
    guard let error, code.flatMap({ table[$0] }) == nil else {
      return HTTPErrorMapper.map(response, code: code, in: table, now: now)
    }
    // A bad or restricted API key has no distinct code.
    let reason = error.list("errors").first?["reason"].flatMap { $0.hasPrefix("keyInvalid") ? "keyInvalid" : nil }
    return HTTPErrorMapper.map(response, code: reason ?? code ?? error["status"], in: table, now: now)
  }

  /// The part before the first colon of `WEAK_PASSWORD : detail`; nil if that is a sentence.
  static func code(_ message: String) -> String? {
    let words = message.split(separator: ":").first?.split(whereSeparator: \.isWhitespace) ?? []
    return words.count == 1 ? String(words[0]) : nil
  }
}

extension AuthenticationError {
  fileprivate static let notEnabled = Self(
    .unsupportedMethod, "The Firebase project does not allow this method.",
    suggestion: "Turn it on in the console under Authentication, Sign-in method.")
  fileprivate static let noSuchFactor = Self(
    .invalidRequest, "Firebase knows no such second factor of this account.", suggestion: "List the factors again.")
  fileprivate static let factorLimit = Self(
    .invalidRequest, "The account has as many second factors as Firebase allows.", suggestion: "Remove one first.")
  fileprivate static let unverifiedEmail = Self(
    .notVerified, "Firebase asks for a verified e-mail address first.", suggestion: "Verify it, then repeat.")
}

/// Maps the success of a sign-in, of a second factor and of a refresh, each of which says the same differently.
enum FirebaseSessionResponseMapper {
  /// Maps camelCase with the user: `idToken`, `refreshToken`, `expiresIn` as a text.
  ///
  /// After a second factor there is nothing but the tokens: the ID token says the rest, unverified, since it came from
  /// its issuer itself.
  ///
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if it names no user or no token.
  static func session(_ response: VendorResponse) throws(AuthenticationError) -> AuthSession {
    let tokens = try tokens(response, access: "idToken", refresh: "refreshToken", expiresIn: "expiresIn")
    let claims = JSONMembers(unverified: tokens.access.value) ?? JSONMembers([:])
    return AuthSession(user: try user(response.members, claims), tokens: tokens)
  }

  /// Maps snake_case without the user: the response to a refresh.
  static func refreshed(_ response: VendorResponse) throws(AuthenticationError) -> SessionTokens {
    let tokens = try tokens(response, access: "access_token", refresh: "refresh_token", expiresIn: "expires_in")
    return tokens.with(JSONMembers(unverified: tokens.access.value).map(claims) ?? [:])
  }

  private static func tokens(
    _ response: VendorResponse, access: String, refresh: String, expiresIn: String
  ) throws(AuthenticationError) -> SessionTokens {
    try response.tokens(access: access, refresh: refresh, expiresIn: expiresIn) { claims in
      guard let start = claims?.number("iat"), let end = claims?.number("exp"), end > start else { return nil }
      return Duration(seconds: min(end - start, 86_400), atMost: .seconds(86_400))
    }
  }

  private static func user(_ body: JSONMembers, _ claims: JSONMembers) throws(AuthenticationError) -> User {
    guard let id = body["localId"] ?? claims["sub"] else { throw .unexpectedResponse }
    let provider = claims.members("firebase")?["sign_in_provider"]
    return User(
      id: id, name: body["displayName"] ?? claims["name"], email: body["email"] ?? claims["email"],
      isNew: body.flag("isNewUser") ?? false, isEmailVerified: claims.flag("email_verified"),
      phoneNumber: body["phoneNumber"] ?? claims["phone_number"], picture: body["photoUrl"] ?? claims["picture"],
      isAnonymous: provider == "anonymous", claims: self.claims(claims))
  }

  /// The custom claims, and how the user signed in.
  private static func claims(_ members: JSONMembers) -> [String: JSONValue] {
    var claims = members.claims(without: ["user_id", "firebase"])
    claims["sign_in_provider"] = members.members("firebase")?.values["sign_in_provider"]
    return claims
  }
}

/// Maps the response of `accounts:lookup`, whose times are texts of milliseconds.
struct FirebaseUserResponseMapper {
  private let body: JSONMembers

  /// - Throws: ``AuthenticationError/unexpectedResponse`` unless it describes one user.
  init(_ body: JSONMembers) throws(AuthenticationError) {
    guard let user = body.list("users").first, user["localId"] != nil else { throw .unexpectedResponse }
    self.body = user
  }

  var user: User {
    let created = body.date("createdAt", partsOfSecond: 1_000)
    return User(
      id: body["localId"] ?? "", name: body["displayName"], email: body["email"],
      isEmailVerified: body.flag("emailVerified"), phoneNumber: body["phoneNumber"], picture: body["photoUrl"],
      createdAt: created, isAnonymous: methods.isEmpty && body["email"] == nil && body.flag("customAuth") != true,
      claims: body["customAttributes"].flatMap { JSONMembers(json: Data($0.utf8)) }?.claims() ?? [:])
  }

  var methods: [LinkedMethod] {
    body.list("providerUserInfo").compactMap { info in
      guard let id = info["providerId"] else { return nil }
      return LinkedMethod(
        id: id, method: Self.methods[id] ?? SignInMethod(id: id, displayName: id),
        label: info["email"] ?? info["phoneNumber"] ?? info["displayName"])
    }
  }

  var factors: [EnrolledFactor] {
    body.list("mfaInfo").compactMap { factor in
      guard let choice = Self.choice(factor) else { return nil }
      return EnrolledFactor(
        id: choice.id, kind: choice.kind, label: choice.label ?? choice.destination,
        createdAt: factor["enrolledAt"].flatMap { try? Date($0, strategy: .iso8601) })
    }
  }

  /// The second factors that a sign-in lists; Firebase masks their numbers.
  static func choices(_ list: [JSONMembers]) -> [Challenge.Factor] { list.compactMap(choice) }

  private static func choice(_ factor: JSONMembers) -> Challenge.Factor? {
    guard let id = factor["mfaEnrollmentId"] else { return nil }
    let number = factor["phoneInfo"]
    return Challenge.Factor(
      id: id, kind: number == nil ? .oneTimePassword : .smsCode, destination: number, label: factor["displayName"])
  }

  private static let methods: [String: SignInMethod] = [
    "password": .password, "phone": .phoneCode, "emailLink": .emailLink, "google.com": .google, "apple.com": .apple,
    "facebook.com": .facebook, "anonymous": .anonymous,
  ]
}
