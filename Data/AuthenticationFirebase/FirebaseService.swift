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
  /// - Parameter errors: what the codes of a refusal mean here.
  func call(
    _ operation: String, _ body: [String: JSONValue?], errors: [String: AuthenticationError]
  ) async throws(AuthenticationError) -> VendorResponse {
    var body = body.compactMapValues(\.self)
    if let tenant = project.tenantID { body["tenantId"] = .string(tenant) }
    let request = try toolkit.request(
      .post, operation, query: ["key": project.apiKey], headers: try await headers(), body)
    return try await send(request, errors)
  }

  /// Exchanges a refresh token (RFC 6749 §6).
  func refresh(_ token: RefreshToken) async throws(AuthenticationError) -> VendorResponse {
    let form = FormBody(["grant_type": "refresh_token", "refresh_token": token.value.reveal()])
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

/// What the codes of Identity Toolkit mean (firebase-js-sdk, `packages/auth/src/api/errors.ts`).
enum FirebaseErrors {
  /// In an attempt to sign in.
  static let signIn = everywhere

  /// At the token service, about our own refresh token: the only calls that end a session.
  static let refresh = everywhere.merging([
    "TOKEN_EXPIRED": .sessionRejected, "USER_NOT_FOUND": .sessionRejected, "USER_DISABLED": .userDisabled,
    "INVALID_REFRESH_TOKEN": .sessionRejected,
  ]) { $1 }

  /// On behalf of a user who is signed in: a refused ID token is refreshed first.
  static let account = everywhere.merging([
    "INVALID_ID_TOKEN": .accessTokenRefused, "TOKEN_EXPIRED": .accessTokenRefused,
    "USER_NOT_FOUND": .accessTokenRefused, "USER_DISABLED": .accessTokenRefused,
    "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .recentSignInRequired, "EMAIL_EXISTS": .alreadyLinked,
    "PHONE_NUMBER_EXISTS": .alreadyLinked, "EXPIRED_OOB_CODE": .codeExpired, "SESSION_EXPIRED": .codeExpired,
  ]) { $1 }

  private static let everywhere: [String: AuthenticationError] = [
    "USER_NOT_FOUND": .invalidCredentials, "USER_DISABLED": .userDisabled, "TOKEN_EXPIRED": .signInExpired,
    "EMAIL_NOT_FOUND": .invalidCredentials, "INVALID_PASSWORD": .invalidCredentials,
    "INVALID_LOGIN_CREDENTIALS": .invalidCredentials,

    "EMAIL_EXISTS": .accountExists, "PHONE_NUMBER_EXISTS": .accountExists, "CREDENTIAL_MISMATCH": .accountExists,
    "FEDERATED_USER_ID_ALREADY_LINKED": .alreadyLinked, "SECOND_FACTOR_EXISTS": .alreadyLinked,

    "WEAK_PASSWORD": .weakPassword, "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .weakPassword,
    "MISSING_PASSWORD": .emptyPassword, "INVALID_EMAIL": .invalidEmailAddress, "MISSING_EMAIL": .invalidEmailAddress,
    "INVALID_IDENTIFIER": .invalidEmailAddress, "INVALID_PHONE_NUMBER": .invalidPhoneNumber,

    "OPERATION_NOT_ALLOWED": .notEnabled, "PASSWORD_LOGIN_DISABLED": .notEnabled, "ADMIN_ONLY_OPERATION": .notEnabled,
    "UNSUPPORTED_FIRST_FACTOR": .notEnabled, "UNSUPPORTED_TENANT_OPERATION": .notEnabled,

    "INVALID_CODE": .wrongCode, "INVALID_OOB_CODE": .wrongCode, "EXPIRED_OOB_CODE": .signInExpired,
    // About a code by text message, not about a session.
    "SESSION_EXPIRED": .signInExpired, "INVALID_SESSION_INFO": .signInExpired,
    "INVALID_MFA_PENDING_CREDENTIAL": .signInExpired, "INVALID_TEMPORARY_PROOF": .signInExpired,

    "MFA_ENROLLMENT_NOT_FOUND": .noSuchFactor, "SECOND_FACTOR_LIMIT_EXCEEDED": .factorLimit,
    "UNVERIFIED_EMAIL": .unverifiedEmail,

    "MISSING_OR_INVALID_NONCE": .refused(by: .nonce, "Firebase refused the identity token's nonce."),
    "INVALID_IDP_RESPONSE": .refused(by: .idToken, "Firebase refused the vendor's identity token."),
    "INVALID_CUSTOM_TOKEN": .refused(by: .idToken, "Firebase refused the custom token."),
    "REJECTED_CREDENTIAL": .refused(by: .idToken, "Firebase refused the credential."),

    "TOO_MANY_ATTEMPTS_TRY_LATER": .rateLimited, "QUOTA_EXCEEDED": .rateLimited,
    "RESET_PASSWORD_EXCEED_LIMIT": .rateLimited,

    "CAPTCHA_CHECK_FAILED": .captchaRequired, "MISSING_RECAPTCHA_TOKEN": .captchaRequired,
    "INVALID_RECAPTCHA_TOKEN": .captchaRequired, "MISSING_APP_CREDENTIAL": .captchaRequired,
    "INVALID_APP_CREDENTIAL": .captchaRequired, "MISSING_CLIENT_IDENTIFIER": .captchaRequired,
    "APP_NOT_VERIFIED": .captchaRequired,

    "BLOCKING_FUNCTION_ERROR_RESPONSE": .declined, "EMAIL_CHANGE_NEEDS_VERIFICATION": .declined,

    "INVALID_ARGUMENT": .clientRejected, "PERMISSION_DENIED": .clientRejected, "keyInvalid": .clientRejected,
    "PROJECT_NUMBER_MISMATCH": .clientRejected, "INVALID_TENANT_ID": .clientRejected,
    "TENANT_ID_MISMATCH": .clientRejected, "MISSING_REFRESH_TOKEN": .clientRejected,
    "INVALID_GRANT_TYPE": .clientRejected,
  ]

  static func map(
    _ response: HTTPResponse, in table: [String: AuthenticationError], now: Date
  ) -> AuthenticationError {
    let error = (try? JSONMembers(response))?.members("error")
    let code = error?["message"].flatMap(code)
    guard let error, code.flatMap({ table[$0] }) == nil else {
      return HTTPErrorMapper.map(response, code: code, in: table, now: now)
    }
    // A bad or restricted API key has no code of its own.
    let reason = error.list("errors").first?["reason"].flatMap { $0.hasPrefix("keyInvalid") ? "keyInvalid" : nil }
    return HTTPErrorMapper.map(response, code: reason ?? code ?? error["status"], in: table, now: now)
  }

  /// What stands before the first colon of `WEAK_PASSWORD : detail`; nil if that is a sentence.
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
    try tokens(response, access: "access_token", refresh: "refresh_token", expiresIn: "expires_in")
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
      isAnonymous: provider == "anonymous", claims: provider.map { ["sign_in_provider": .string($0)] } ?? [:])
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
      createdAt: created, isAnonymous: methods.isEmpty && body["email"] == nil && body.flag("customAuth") != true)
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
