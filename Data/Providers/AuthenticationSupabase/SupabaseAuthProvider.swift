import AuthenticationAccount
import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import Foundation

/// Signs in at Supabase Auth (GoTrue). It keeps no session; in memory it keeps a new password while a code is asked for
/// before it may be set, and the token of a forgotten password's code until the new one is set.
struct SupabaseAuthProvider: RemoteAuthProvider {
  let client: SupabaseClient
  let randomBytes: @Sendable (Int) -> [UInt8]
  let secrets = StepSecrets()
  /// Nil where no page can be shown.
  let pages: SupabasePages?

  var project: SupabaseProject { client.project }

  var methods: [SignInMethod] {
    project.methods.filter { method in
      if method == .emailLink { return project.redirectURL != nil }
      return pages != nil || method.pageVendor == nil && !method.isSingleSignOn
    }
  }

  var createsAccounts: Bool { true }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    let attributes = request.attributes
    return switch request.credentials {
    case let answer as ChallengeAnswer: try await outcome(self.answer(answer, for: nil, attributes))
    case let credentials as PasswordCredentials where request.createsAccount:
      try await signUp(credentials, attributes)
    case let credentials as PasswordCredentials: try await signIn(credentials, attributes)
    case let credentials as EmailCredentials: try await signIn(credentials, attributes)
    case let credentials as PhoneCredentials:
      .challenge(try await send(SupabaseStep(.signIn, .phone(credentials.phoneNumber)), attributes))
    case let credentials where credentials.method == .anonymous:
      try await complete(client.session("signup", ([:] as JSONBody).protected(by: attributes), isNew: true))
    case let credentials as NativeCredentials: try await signIn(credentials, attributes)
    case let credentials as BrowserSignIn: try await signIn(onPage: credentials, attributes)
    case let credentials as BrowserReturn: try await signIn(returningTo: credentials.url)
    case let credentials as PasskeyCredentials where credentials.response == nil:
      .challenge(try await askForPasskey(attributes))
    default: throw .unsupportedMethod(request.credentials.method)
    }
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let token = session.tokens.refresh else { throw .sessionExpired }
    let response = try await exchange(token)
    let id = session.user.id
    let tokens = try SupabaseSessionResponseMapper.tokens(response, of: id, receivedAt: client.clock.now)
    guard let user = try JSONMembers(response).members("user"), user["id"].isSame(as: id) else { return tokens }
    return tokens.with(SupabaseUserResponseMapper.claims(user))
  }

  /// Of this device alone: the vendor's default would sign out all of them. An access token that has expired ends
  /// nothing, so it is refreshed first. A refused session has ended.
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    do throws(AuthenticationError) {
      var access = tokens.access.value
      if let expiry = tokens.access.expiresAt, expiry <= client.clock.now, let token = tokens.refresh {
        access = try JSONMembers(await exchange(token)).secret("access_token") ?? access
      }
      _ = try await client.send(.post, "logout", query: ["scope": "local"], as: access, errors: .account)
    } catch {
      guard error == .accessTokenRefused || error.disposition == .endsSession else { throw error }
    }
  }

  private func exchange(_ token: Secret) async throws(AuthenticationError) -> HTTPResponse {
    try await client.send(
      .post, "token", query: ["grant_type": "refresh_token"], ["refresh_token": token], errors: .refresh)
  }

  func forgetBegunSignIns() {
    secrets.forgetAll()
    pages?.flow.removeAll()
  }

  // MARK: Methods

  private func signIn(
    _ credentials: PasswordCredentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let address = try AccountAddress(typed: credentials.userName)
    do throws(AuthenticationError) {
      let body = address.member.adding(["password": credentials.password]).protected(by: attributes)
      return try await complete(client.session("token", query: ["grant_type": "password"], body))
    } catch {
      guard ["email_not_confirmed", "phone_not_confirmed"].contains(error.providerCode) else { throw error }
      return .challenge(challenge(.confirming(address, by: project.confirmation)))
    }
  }

  private func signIn(
    _ credentials: EmailCredentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    // The verifier is where the link was asked for; elsewhere the link alone proves nothing.
    if credentials.link != nil { throw .invalidLink }
    let isLink = credentials.method == .emailLink
    return .challenge(try await send(SupabaseStep(.signIn, .email(credentials.address), isLink: isLink), attributes))
  }

  private func signIn(
    _ credentials: NativeCredentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    do throws(AuthenticationError) {
      let signedIn = try await client.session(
        "token", query: ["grant_type": "id_token"], identityToken(credentials).protected(by: attributes))
      if let name = credentials.name, signedIn.session.user.name == nil {
        // Apple tells it once.
        let whole = [name.given, name.family].compactMap(\.self).joined(separator: " ")
        _ = try? await update(ProfileChanges(name: whole), of: signedIn.session)
      }
      return try await complete(signedIn)
    } catch {
      guard error.providerCode == "provider_email_needs_verification",
        let token = credentials.identityToken, let email = JSONMembers(unverified: token)?["email"]
      else { throw error }
      return .challenge(challenge(.confirming(.email(email), by: project.confirmation)))
    }
  }

  func identityToken(_ credentials: NativeCredentials) throws(AuthenticationError) -> JSONBody {
    guard let token = credentials.identityToken else { throw .unsupportedMethod(credentials.method) }
    return [
      "provider": credentials.method.id, "id_token": token, "access_token": credentials.accessToken,
      "nonce": credentials.rawNonce,
    ]
  }

  private func outcome(_ step: AccountOutcome) throws(AuthenticationError) -> SignInOutcome {
    switch step {
    case .session(let session): .session(session)
    case .challenge(let challenge): .challenge(challenge)
    case .done: throw .unexpectedResponse
    }
  }

  /// Where the project confirms addresses, a challenge follows. An address that is taken is made known by an account
  /// without identities.
  private func signUp(
    _ credentials: PasswordCredentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let step = SupabaseStep.confirming(try AccountAddress(typed: credentials.userName), by: project.confirmation)
    let verifier = verifier(for: step.isLink)
    let body = step.address.member.adding(["password": credentials.password])
    let response = try await client.send(
      .post, "signup", query: redirect(for: verifier), body.proving(verifier).protected(by: attributes))
    let members = try JSONMembers(response)
    if members["access_token"] != nil {
      return try await complete(
        SupabaseSessionResponseMapper.map(response, isNew: true, receivedAt: client.clock.now))
    }
    _ = try members.required("id")
    if case .array([]) = members.values["identities"] { throw .accountExists }
    return .challenge(challenge(step, verifier))
  }

  func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome {
    let handle = try ChallengeHandle(answer.challenge)
    return switch handle.step {
    case SupabaseStep.name: try await self.answer(answer, handle, SupabaseStep(handle), session, attributes)
    case Self.factorStep: try await answerFactor(answer, handle, session)
    case Self.nonceStep: try await answerNonce(answer, handle, session)
    case Self.resetStep: try await reset(answer, handle, attributes)
    case Self.passkeyStep, Self.registrationStep: try await answerPasskey(answer, handle, session, attributes)
    default: throw .challengeReplaced
    }
  }

  /// Sends a code or a link, and asks for it.
  func send(_ step: SupabaseStep, _ attributes: Attributes) async throws(AuthenticationError) -> Challenge {
    let verifier = verifier(for: step.isLink)
    let isSignIn = step.purpose == .signIn
    var body = step.address.member
    let path: String
    switch step.purpose {
    case .recovery: path = "recover"
    // The link of `resend` could not be bound to this device.
    case .signIn,
      .confirmation where step.isLink:
      path = "otp"
      body["create_user"] = isSignIn && project.createsAccounts
    default:
      path = "resend"
      body["type"] = step.type
    }
    _ = try await client.send(
      .post, path, query: redirect(for: verifier), body.proving(verifier).protected(by: attributes))
    return challenge(step, verifier)
  }

  func challenge(
    _ step: SupabaseStep, _ verifier: CodeVerifier? = nil, password: String? = nil, canResend: Bool = true
  ) -> Challenge {
    Challenge(
      kind: step.kind, destination: step.address.text, handle: step.handle(verifier, password: password).secret,
      format: step.isLink ? nil : project.codeFormat, lifetime: step.address.isPhone ? .seconds(60) : .seconds(3_600),
      resendDelay: canResend ? .seconds(60) : nil)
  }

  /// For a link, which is worth nothing without the verifier of this device.
  func verifier(for isLink: Bool) -> CodeVerifier? { isLink ? CodeVerifier(random: randomBytes(32)) : nil }

  func redirect(for verifier: CodeVerifier?) -> [String: String] {
    if verifier != nil, let redirectURL = project.redirectURL { ["redirect_to": redirectURL] } else { [:] }
  }

  // MARK: The code or link that was sent

  private func answer(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ step: SupabaseStep, _ session: AuthSession?,
    _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome {
    // Not after the code is spent.
    let password = try handle["password"].map(passwordBody)
    let response: HTTPResponse
    switch answer.content {
    case .resend:
      guard step.purpose == .change else { return .challenge(try await send(step, attributes)) }
      guard let session else { throw .notSignedIn }
      return try await change(to: step.address, of: session, password: handle["password"])
    case .code(let code):
      let body = step.address.member.adding(["type": step.type, "token": code])
      response = try await client.send(.post, "verify", body)
    case .link(let link): response = try await exchange(link, handle)
    default: throw .challengeReplaced
    }
    if step.purpose == .change, try JSONMembers(response)["access_token"] == nil, let former = session?.user.email {
      // The change must be confirmed from the former address as well, by the code or link that was sent there at the
      // same time.
      let step = SupabaseStep(.change, .email(former), isLink: step.isLink)
      return .challenge(challenge(step, password: handle["password"], canResend: false))
    }
    let signedIn = try SupabaseSessionResponseMapper.map(
      response, isNew: step.purpose == .confirmation, receivedAt: client.clock.now)
    if step.purpose == .recovery { return .challenge(askForPassword(signedIn.session, after: step)) }
    if let password { return .session(try await setPassword(password, of: signedIn.session)) }
    return AccountOutcome(try await complete(signedIn))
  }

  /// The link's code, which is worth nothing without the verifier of this device. A session in its fragment is not
  /// used: it could be any user's.
  private func exchange(_ link: URL, _ handle: ChallengeHandle) async throws(AuthenticationError) -> HTTPResponse {
    let items = URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let value = { (name: String) in items.first { $0.name == name }?.value }
    if value("error_code") == "otp_expired" || value("error") != nil { throw .codeExpired }
    guard let code = value("code"), !code.isEmpty, let verifier = handle["verifier"] else { throw .invalidLink }
    return try await client.send(
      .post, "token", query: ["grant_type": "pkce"], ["auth_code": code, "code_verifier": verifier])
  }
}

/// Where something is sent.
extension AccountAddress {
  /// The identity that was typed in place of a user name.
  init(typed text: String) throws(AuthenticationError) {
    self = text.hasPrefix("+") ? .phone(text) : .email(text)
    try validate()
  }

  var text: String {
    switch self {
    case .email(let text), .phone(let text): text
    }
  }

  var isPhone: Bool { if case .phone = self { true } else { false } }

  var member: JSONBody { [isPhone ? "phone" : "email": text] }

  /// Whether the account has it, and it is confirmed.
  func isConfirmed(for user: User) -> Bool {
    switch self {
    case .email(let text): user.email?.lowercased() == text.lowercased() && user.isEmailVerified == true
    case .phone(let text): user.phoneNumber == text
    }
  }
}

/// A code or a link that was sent, and its purpose.
struct SupabaseStep: Sendable {
  enum Purpose: String { case signIn, confirmation, change, recovery }

  let purpose: Purpose
  let address: AccountAddress
  let isLink: Bool

  static func confirming(_ address: AccountAddress, by confirmation: SupabaseProject.Confirmation) -> Self {
    Self(.confirmation, address, isLink: confirmation == .link && !address.isPhone)
  }

  /// As `POST /verify` takes it.
  var type: String {
    switch (purpose, address) {
    case (.signIn, .email): "email"
    case (.confirmation, .email): "signup"
    case (.signIn, .phone), (.confirmation, .phone): "sms"
    case (.change, .email): "email_change"
    case (.change, .phone): "phone_change"
    case (.recovery, _): "recovery"
    }
  }

  var kind: Challenge.Kind {
    if isLink { return .link }
    if purpose == .confirmation { return .confirmation }
    return address.isPhone ? .smsCode : .emailCode
  }

  // MARK: In a challenge

  static let name = "sent"

  func handle(_ verifier: CodeVerifier?, password: String?) -> ChallengeHandle {
    ChallengeHandle(
      Self.name,
      [
        "purpose": purpose.rawValue, "address": address.text, "link": isLink ? "true" : nil,
        "verifier": verifier?.secret.reveal(), "password": password,
      ])
  }

  init(_ purpose: Purpose, _ address: AccountAddress, isLink: Bool = false) {
    (self.purpose, self.address, self.isLink) = (purpose, address, isLink)
  }

  init(_ handle: ChallengeHandle) throws(AuthenticationError) {
    guard let purpose = Purpose(rawValue: try handle.required("purpose")) else { throw .challengeReplaced }
    self.init(purpose, try AccountAddress(typed: handle.required("address")), isLink: handle["link"] != nil)
  }
}

extension JSONBody {
  /// With the token of a captcha, for the calls that a project may protect with one.
  func protected(by attributes: [String: Secret]) -> Self {
    guard let token = attributes["captcha_token"] else { return self }
    return adding(["gotrue_meta_security": ["captcha_token": token]])
  }

  /// With the challenge of a verifier, whose method GoTrue writes in lower case (RFC 7636 §4.3).
  func proving(_ verifier: CodeVerifier?) -> Self {
    guard let verifier else { return self }
    return adding(["code_challenge": verifier.challenge, "code_challenge_method": "s256"])
  }
}
