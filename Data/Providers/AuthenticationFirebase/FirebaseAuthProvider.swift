import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import Foundation

/// Signs in at Firebase Authentication.
struct FirebaseAuthProvider: RemoteAuthProvider {
  let service: FirebaseService
  var pages: FirebasePageFlow?
  let secrets = StepSecrets()

  var createsAccounts: Bool { true }
  var methods: [SignInMethod] {
    let link: [SignInMethod] = service.project.continueURL == nil ? [] : [.emailLink]
    let own: [SignInMethod] = [.anonymous, .apple, .google, .facebook, .customToken]
    return [.password, .phoneCode] + link + own + (service.project.pages?.methods ?? [])
  }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    let attempt = FirebaseAttempt(attributes: request.attributes)
    if let answer = request.credentials as? ChallengeAnswer { return try await continueSignIn(answer, attempt) }
    if !request.createsAccount { return try await open(request.credentials, attempt) }
    guard let credentials = request.credentials as? PasswordCredentials else {
      throw .unsupportedMethod(request.credentials.method)
    }
    return try await begin("v1/accounts:signUp", attempt.body(of: credentials), attempt)
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let token = session.tokens.refresh else { throw .sessionExpired }
    return try FirebaseSessionResponseMapper.refreshed(await service.refresh(token))
  }

  /// Does nothing: Firebase has no call by which an app ends a session. The ID token expires within the hour.
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {}

  /// Signs in, or links to the account of an ID token (`idToken`).
  func open(
    _ credentials: any Credentials, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> SignInOutcome {
    switch credentials {
    case let password as PasswordCredentials:
      // Linking a password to an account is setting one; of an anonymous one it is the sign-up.
      let operation = attempt.isLinking ? "signUp" : "signInWithPassword"
      return try await begin("v1/accounts:\(operation)", attempt.body(of: password), attempt)
    case let phone as PhoneCredentials: return .challenge(try await sendCode(to: phone.phoneNumber, attempt))
    case let email as EmailCredentials where email.method == .emailLink:
      guard let link = email.link else { return .challenge(try await sendLink(to: email.address)) }
      guard let url = link.url else { throw .invalidLink }
      return try await open(url, for: email.address, attempt)
    case _ where credentials.method == .anonymous && !attempt.isLinking:
      return try await begin("v1/accounts:signUp", ["returnSecureToken": true], attempt)
    case let native as NativeCredentials: return try await handOver(native, attempt)
    case let page as BrowserSignIn:
      guard let pages else { throw .unsupportedMethod(page.method) }
      return try await finish(try await pages.show(page, isLinking: attempt.isLinking, by: service), attempt)
    case let callback as BrowserReturn:
      guard let pages else { throw .unsupportedMethod(callback.method) }
      return try await finish(try pages.flow.accept(callback.url), attempt)
    case let custom as CustomTokenCredentials where !attempt.isLinking:
      return try await begin(
        "v1/accounts:signInWithCustomToken", ["token": custom.token, "returnSecureToken": true], attempt)
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  /// Calls an operation that signs in, perhaps after a second factor.
  private func begin(
    _ operation: String, _ body: JSONBody, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> SignInOutcome {
    var body = body
    body["idToken"] = attempt.token
    let response = try await service.call(
      operation, body, errors: attempt.isLinking ? FirebaseErrors.account : FirebaseErrors.signIn)
    let members = response.members
    if let pending = members.secret("mfaPendingCredential") {
      let choices = FirebaseUserResponseMapper.choices(members.list("mfaInfo"))
      return .challenge(try await secondFactor(pending, choices, attempt))
    }
    // The number or the vendor's account belongs to another user already.
    if members["temporaryProof"] != nil || members.flag("needConfirmation") == true {
      throw attempt.isLinking ? .alreadyLinked : .accountExists
    }
    return .session(try FirebaseSessionResponseMapper.session(response))
  }

  /// Presents the redirect of a provider's page.
  private func finish(
    _ returned: PageFlow.Returned, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> SignInOutcome {
    let body = try FirebasePageFlow.body(of: returned, isLinking: attempt.isLinking)
    return try await begin("v1/accounts:signInWithIdp", body, attempt)
  }

  func forgetBegunSignIns() {
    secrets.forgetAll()
    pages?.flow.removeAll()
  }
}

/// The members that a call adds to the requests of a sign-in, or of a link.
struct FirebaseAttempt: Sendable {
  /// The values that the app supplied, by Firebase's names.
  let attributes: Attributes
  /// The ID token of the account to which credentials are linked; nil for a sign-in.
  var token: Secret?

  var isLinking: Bool { token != nil }

  func body(of credentials: PasswordCredentials) -> JSONBody {
    supplied("captchaResponse", "clientType", "recaptchaVersion").adding([
      "email": credentials.userName, "password": credentials.password, "returnSecureToken": true,
    ])
  }

  /// By which the app proves itself before a text message is sent, as the app supplied it for this attempt. Without one
  /// the project decides: fictional numbers and the emulator need none, for any other it requires a captcha.
  var proofOfApp: JSONBody {
    supplied("recaptchaToken", "iosReceipt", "iosSecret", "captchaResponse", "clientType", "recaptchaVersion")
  }

  private func supplied(_ names: String...) -> JSONBody { names.reduce(into: [:]) { $0[$1] = attributes[$1] } }
}

extension Secret {
  var url: URL? { URL(string: reveal()) }
}

/// The steps of a sign-in: a code by text message, a link by e-mail, and the answers to all of them.
extension FirebaseAuthProvider {
  enum Step {
    static let phone = "phone"
    static let link = "link"
    static let choice = "factors"
    static let sms = "mfa-sms"
    static let totp = "mfa-totp"
  }

  func continueSignIn(
    _ answer: ChallengeAnswer, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> SignInOutcome {
    let handle = try ChallengeHandle(answer.challenge)
    switch (handle.step, answer.content) {
    case (Step.phone, .resend): return .challenge(try await sendCode(to: try handle.required("phone"), attempt))
    case (Step.phone, .code(let code)):
      return try await begin(
        "v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": try handle.required("session"), "code": code], attempt)
    case (Step.link, .resend): return .challenge(try await sendLink(to: try handle.required("email")))
    case (Step.link, .link(let url)): return try await open(url, for: try handle.required("email"), attempt)
    case (Step.choice, .choice(let id)), (Step.sms, .choice(let id)), (Step.totp, .choice(let id)):
      return .challenge(try await ask(id, answer.challenge.choices, Secret(try handle.required("pending")), attempt))
    case (Step.sms, .resend):
      let pending = Secret(try handle.required("pending"))
      return .challenge(try await ask(try handle.required("id"), answer.challenge.choices, pending, attempt))
    case (Step.sms, .code(let code)):
      let verification: JSONBody = ["sessionInfo": try handle.required("session"), "code": code]
      return try await finish(handle, ["phoneVerificationInfo": verification], attempt)
    case (Step.totp, .code(let code)):
      let id = try handle.required("id")
      return try await finish(
        handle, ["mfaEnrollmentId": id, "totpVerificationInfo": ["verificationCode": code]], attempt)
    default: throw .challengeReplaced
    }
  }

  func sendCode(
    to number: String, _ attempt: FirebaseAttempt, _ step: String = Step.phone
  ) async throws(AuthenticationError) -> Challenge {
    let sent = try await service.call(
      "v1/accounts:sendVerificationCode", attempt.proofOfApp.adding(["phoneNumber": number]))
    return Challenge(
      kind: .smsCode, destination: number.masked,
      handle: ChallengeHandle(step, ["phone": number, "session": try sent.members.required("sessionInfo")]).secret,
      format: .digits(6), resendDelay: .seconds(30))
  }

  func sendLink(to address: String) async throws(AuthenticationError) -> Challenge {
    guard let url = service.project.continueURL else { throw .unsupportedMethod(.emailLink) }
    try await sendMail("EMAIL_SIGNIN", ["email": address], returningTo: url)
    return Challenge(
      kind: .link, destination: address.masked, handle: ChallengeHandle(Step.link, ["email": address]).secret,
      resendDelay: .seconds(30))
  }

  func sendMail(
    _ purpose: String, _ body: JSONBody, returningTo url: String?,
    errors: [String: AuthenticationError] = FirebaseErrors.signIn
  ) async throws(AuthenticationError) {
    var body = body
    body["requestType"] = purpose
    if let url {
      body["continueUrl"] = url
      body["canHandleCodeInApp"] = true
      body["iOSBundleId"] = service.project.bundleID
    }
    _ = try await service.call("v1/accounts:sendOobCode", body, errors: errors)
  }

  private func open(
    _ url: URL, for address: String, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> SignInOutcome {
    let link = try FirebaseLink(url, apiKey: service.project.apiKey)
    guard link.mode == "signIn" else { throw .invalidLink }
    return try await begin(
      "v1/accounts:signInWithEmailLink", ["email": address, "oobCode": link.code], attempt)
  }

  /// Presents the result of a vendor's sign-in on this device (`accounts:signInWithIdp`).
  private func handOver(
    _ credentials: NativeCredentials, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> SignInOutcome {
    guard let provider = Self.providers[credentials.method] else { throw .unsupportedMethod(credentials.method) }
    var form = FormBody(["providerId": provider])
    form.add("id_token", credentials.identityToken?.reveal())
    form.add("access_token", credentials.accessToken?.reveal())
    form.add("nonce", credentials.rawNonce?.reveal())
    if credentials.method == .apple { form.add("user", Self.appleUser(credentials.name)) }
    return try await begin(
      "v1/accounts:signInWithIdp",
      [
        "postBody": form.encoded, "requestUri": "http://localhost", "returnSecureToken": true,
        "returnIdpCredential": true, "autoCreate": true,
      ], attempt)
  }

  /// `{"name":{"firstName","lastName"}}`, which Apple tells once.
  private static func appleUser(_ name: UserName?) -> String? {
    guard let name else { return nil }
    let wire: JSONBody = ["name": ["firstName": name.given ?? "", "lastName": name.family ?? ""]]
    return (try? JSONEncoder.stable.encode(wire)).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let providers: [SignInMethod: String] = [
    .apple: "apple.com", .google: "google.com", .facebook: "facebook.com",
  ]

  // A second factor, by the credential of the sign-in that waits for it.

  private func secondFactor(
    _ pending: Secret, _ choices: [Challenge.Factor], _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> Challenge {
    guard let only = choices.first else { throw .unexpectedResponse }
    if choices.count == 1 { return try await ask(only.id, choices, pending, attempt) }
    return Challenge(
      kind: .choice, handle: ChallengeHandle(Step.choice, ["pending": pending.reveal()]).secret, choices: choices)
  }

  /// Asks for one of the factors; a text message is sent for it.
  private func ask(
    _ id: String, _ choices: [Challenge.Factor], _ pending: Secret, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> Challenge {
    guard let factor = choices.first(where: { $0.id == id }) else { throw .challengeReplaced }
    let fields = ["pending": pending.reveal(), "id": id]
    guard factor.kind == .smsCode else {
      return Challenge(
        kind: .oneTimePassword, handle: ChallengeHandle(Step.totp, fields).secret, format: .digits(6),
        choices: choices)
    }
    let sent = try await service.call(
      "v2/accounts/mfaSignIn:start",
      ["mfaPendingCredential": pending, "mfaEnrollmentId": id, "phoneSignInInfo": attempt.proofOfApp])
    guard let session = sent.members.members("phoneResponseInfo")?["sessionInfo"] else { throw .unexpectedResponse }
    return Challenge(
      kind: .smsCode, destination: factor.destination,
      handle: ChallengeHandle(Step.sms, fields.merging(["session": session]) { $1 }).secret, format: .digits(6),
      resendDelay: .seconds(30), choices: choices)
  }

  private func finish(
    _ handle: ChallengeHandle, _ verification: JSONBody, _ attempt: FirebaseAttempt
  ) async throws(AuthenticationError) -> SignInOutcome {
    let pending = try handle.required("pending")
    return try await begin(
      "v2/accounts/mfaSignIn:finalize", verification.adding(["mfaPendingCredential": pending]), attempt)
  }
}

/// The link of a mail, which other services may have wrapped once or twice (`link`, `deep_link_id`).
struct FirebaseLink {
  /// The purpose of the link: `signIn`, `resetPassword`, `verifyEmail`, `verifyAndChangeEmail`.
  let mode: String
  /// The code in it, which works once.
  let code: Secret

  /// - Throws: ``AuthenticationError/invalidLink`` if there is no code in it, or another project's.
  init(_ url: URL, apiKey: String) throws(AuthenticationError) {
    var url = url
    for _ in 0..<3 {
      let query = Self.query(of: url)
      if let mode = query["mode"], let code = query["oobCode"], !code.isEmpty {
        guard query["apiKey"] ?? apiKey == apiKey else { throw .invalidLink }
        (self.mode, self.code) = (mode, Secret(code))
        return
      }
      guard let inner = query["link"] ?? query["deep_link_id"], let next = URL(string: inner) else { break }
      url = next
    }
    throw .invalidLink
  }

  /// Its parameters; one that is repeated counts as absent.
  private static func query(of url: URL) -> [String: String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(grouping: items, by: \.name).compactMapValues { $0.count == 1 ? $0[0].value : nil }
  }
}
