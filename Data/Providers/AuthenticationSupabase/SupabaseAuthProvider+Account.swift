import AuthenticationAccount
import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import Foundation

extension SupabaseAuthProvider: VendorAccountProvider {
  var accountAbilities: Set<AccountAbility> {
    [.resetPassword, .changePassword, .verify, .link, .factors, .sessions, .profile]
  }

  func perform(_ request: AccountRequest, of session: AuthSession) async throws(AuthenticationError) -> AccountOutcome {
    switch request.change {
    case .changePassword(let old, let new): return try await changePassword(from: old, to: new, of: session)
    case .verify(let address): return try await self.change(to: address, of: session)
    case .link(let credentials): return try await link(credentials, to: session, request.attributes)
    case .unlink(let method): try await delete("user/identities/\(method.id)", session)
    case .enrol(let kind): return try await enrol(kind, for: session, request.attributes)
    case .remove(let factor):
      try await delete("\(factor.kind == .passkey ? "passkeys" : "factors")/\(factor.id)", session)
    case .rename(let passkey, let name):
      guard passkey.kind == .passkey else { throw .unsupportedChange(request.change) }
      let token = session.accessToken.value
      _ = try await client.send(.patch, "passkeys/\(passkey.id)", as: token, ["friendly_name": name], errors: .account)
    case .end(let other): try await end(other, of: session)
    case .update(let changes):
      return .session(AuthSession(user: try await update(changes, of: session), tokens: session.tokens))
    case .deleteAccount, .resetPassword, .answer: throw .unsupportedChange(request.change)
    }
    return .done
  }

  private func delete(_ path: String, _ session: AuthSession) async throws(AuthenticationError) {
    _ = try await client.send(.delete, path, as: session.accessToken.value, errors: .account)
  }

  func userBody(of session: AuthSession) async throws(AuthenticationError) -> JSONMembers {
    try JSONMembers(await client.send(.get, "user", as: session.accessToken.value, errors: .account))
  }

  func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    try SupabaseUserResponseMapper.map(await userBody(of: session))
  }

  func update(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthenticationError) -> User {
    var data = changes.claims
    if let name = changes.name { data["full_name"] = .string(name) }
    if let picture = changes.picture { data["avatar_url"] = .string(picture) }
    if let locale = changes.locale { data["locale"] = .string(locale) }
    return try await change(["data": data], of: session)
  }

  func change(
    _ body: JSONBody, _ verifier: CodeVerifier? = nil, of session: AuthSession, errors: SupabaseErrors = .account
  ) async throws(AuthenticationError) -> User {
    let response = try await client.send(
      .put, "user", query: redirect(for: verifier), as: session.accessToken.value, body.proving(verifier),
      errors: errors)
    return try SupabaseUserResponseMapper.map(JSONMembers(response))
  }

  // MARK: Addresses

  /// - Parameter password: the name of one that is set when the address is confirmed.
  func change(
    to address: AccountAddress, of session: AuthSession, password: String? = nil
  ) async throws(AuthenticationError) -> AccountOutcome {
    let isLink = project.confirmation == .link && !address.isPhone
    let verifier = verifier(for: isLink)
    let user = try await change(address.member, verifier, of: session, errors: .linking)
    guard address.isConfirmed(for: user) else {
      return .challenge(challenge(SupabaseStep(.change, address, isLink: isLink), verifier, password: password))
    }
    let changed = AuthSession(user: user, tokens: session.tokens)
    guard let password else { return .session(changed) }
    return .session(try await setPassword(passwordBody(password), of: changed))
  }

  // MARK: Ways to sign in

  func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    SupabaseUserResponseMapper.linkedMethods(try await userBody(of: session))
  }

  /// An anonymous account is upgraded, and keeps its user id.
  private func link(
    _ credentials: any Credentials, to session: AuthSession, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch credentials {
    case let credentials as EmailCredentials: return try await change(to: .email(credentials.address), of: session)
    case let credentials as PhoneCredentials: return try await change(to: .phone(credentials.phoneNumber), of: session)
    case let credentials as PasswordCredentials:
      let password = secrets.keep(credentials.password, for: Self.passwordStep)
      return try await change(to: AccountAddress(typed: credentials.userName), of: session, password: password)
    case let credentials as NativeCredentials:
      let body = try identityToken(credentials).adding(["link_identity": true])
      let linked = try await client.session(
        "token", query: ["grant_type": "id_token"], as: session.accessToken.value, body, errors: .linking)
      return AccountOutcome(try await complete(linked))
    case let credentials as BrowserSignIn:
      return try await link(onPageOf: credentials.method, to: session, attributes)
    case let credentials as BrowserReturn:
      return try await link(onPageOf: credentials.method, returningTo: credentials.url, to: session, attributes)
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  // MARK: Sessions

  /// The service lists none: this one, and one entry for all others.
  func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession] {
    let id = JSONMembers(unverified: session.accessToken.value)?["session_id"]
    return [RemoteSession(id: id ?? "current", isCurrent: true), RemoteSession(id: "others", isCurrent: false)]
  }

  private func end(_ remote: RemoteSession, of session: AuthSession) async throws(AuthenticationError) {
    _ = try await client.send(
      .post, "logout", query: ["scope": remote.isCurrent ? "local" : "others"], as: session.accessToken.value,
      errors: .account)
  }
}

extension SupabaseAuthProvider {
  static let factorStep = "factor"

  /// A session, or the challenge of a second factor where the project asks for one: a code of the only one, or a
  /// choice.
  func complete(_ signedIn: SupabaseSession) async throws(AuthenticationError) -> SignInOutcome {
    guard project.requiresSecondFactor, signedIn.level != "aal2", !signedIn.factors.isEmpty else {
      return .session(signedIn.session)
    }
    let choices = signedIn.factors.map {
      Challenge.Factor(id: $0.id, kind: $0.kind, destination: $0.phone?.masked, label: $0.label)
    }
    var handle = ChallengeHandle(Self.factorStep, ["user": signedIn.session.user.id])
    handle["token"] = signedIn.session.accessToken.value.reveal()
    if choices.count > 1 { return .challenge(Challenge(kind: .choice, handle: handle.secret, choices: choices)) }
    return .challenge(try await ask(choices[0], among: [], handle, signedIn.session.accessToken.value))
  }

  /// Sends a code to a phone, or asks for a passkey; of an authenticator app nothing is asked before its code is there.
  private func ask(
    _ factor: Challenge.Factor, among choices: [Challenge.Factor], _ handle: ChallengeHandle, _ token: Secret
  ) async throws(AuthenticationError) -> Challenge {
    var handle = handle
    (handle["factor"], handle["challenge"]) = (factor.id, nil)
    if factor.kind == .oneTimePassword {
      return Challenge(kind: factor.kind, handle: handle.secret, format: .digits(6), choices: choices)
    }
    let begun = try await begin(factor.id, token, handle.errors)
    handle["challenge"] = try begun.required("id")
    if factor.kind != .smsCode {
      let asked = begun.members("webauthn")
      guard asked?["type"] == handle.ceremony else { throw .unexpectedResponse }
      let kind: Challenge.Kind = handle.ceremony == "create" ? .passkeyRegistration : .passkey
      return try .passkey(kind, handle, options: asked?.members("credential_options"), choices: choices)
    }
    return Challenge(
      kind: .smsCode, destination: factor.destination, handle: handle.secret, format: project.codeFormat,
      lifetime: .seconds(300), resendDelay: .seconds(60), choices: choices)
  }

  private func begin(
    _ factor: String, _ token: Secret, _ errors: SupabaseErrors
  ) async throws(AuthenticationError) -> JSONMembers {
    try JSONMembers(await client.send(.post, "factors/\(factor)/challenge", as: token, [:], errors: errors))
  }

  /// The response is a whole session, of a higher level.
  func answerFactor(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    guard let token = handle["token"].map(Secret.init) ?? session?.accessToken.value else { throw .notSignedIn }
    let choices = answer.challenge.choices
    switch answer.content {
    case .choice(let id):
      guard let factor = choices.first(where: { $0.id == id }) else { throw .challengeReplaced }
      return .challenge(try await ask(factor, among: choices, handle, token))
    case .resend:
      let factor = Challenge.Factor(
        id: try handle.required("factor"), kind: answer.challenge.kind, destination: answer.challenge.destination)
      return .challenge(try await ask(factor, among: choices, handle, token))
    case .code(let code):
      var handle = handle
      if handle["challenge"] == nil {
        handle["challenge"] = try await begin(handle.required("factor"), token, handle.errors).required("id")
      }
      return try await verify(["code": code], handle, token, errors: handle.errors)
    case .passkey(let response):
      let signed: JSONBody = ["type": handle.ceremony, "credential_response": try JSONValue(of: response)]
      return try await verify(["webauthn": signed], handle, token, errors: handle.errors.ofSignature)
    default: throw .challengeReplaced
    }
  }

  private func verify(
    _ proof: JSONBody, _ handle: ChallengeHandle, _ token: Secret, errors: SupabaseErrors
  ) async throws(AuthenticationError) -> AccountOutcome {
    let signedIn = try await client.session(
      "factors/\(try handle.required("factor"))/verify", as: token,
      proof.adding(["challenge_id": try handle.required("challenge")]), errors: errors)
    guard handle["user"].isSame(as: signedIn.session.user.id) else { throw .otherSubject }
    guard signedIn.level == "aal2" else { throw .unexpectedResponse }
    return .session(signedIn.session)
  }

  // MARK: Account

  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    let factors = SupabaseUserResponseMapper.factors(try await userBody(of: session)).map {
      EnrolledFactor(
        id: $0.id, kind: $0.kind == .passkey ? .webAuthn : $0.kind, label: $0.label ?? $0.phone,
        createdAt: $0.createdAt)
    }
    return factors + (try await passkeys(of: session))
  }

  /// An authenticator app, the account's own phone number, a passkey to sign in with, or one that is a second factor.
  private func enrol(
    _ kind: Challenge.Kind, for session: AuthSession, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome {
    var handle = ChallengeHandle(Self.factorStep, ["user": session.user.id])
    switch kind {
    case .enrolment, .oneTimePassword:
      let body = try await add(["factor_type": "totp"], session)
      guard let totp = body.members("totp"), let secret = totp.secret("secret") else { throw .unexpectedResponse }
      handle["factor"] = try body.required("id")
      return .challenge(
        Challenge(
          kind: .enrolment, handle: handle.secret, format: .digits(6),
          enrolment: .init(secret: secret, uri: totp.secret("uri"))))
    case .smsCode:
      guard let phone = session.user.phoneNumber else { throw .invalidPhoneNumber }
      let id = try await add(["factor_type": "phone", "phone": phone], session).required("id")
      let factor = Challenge.Factor(id: id, kind: .smsCode, destination: phone)
      return .challenge(try await ask(factor, among: [], handle, session.accessToken.value))
    case .webAuthn:
      // The service refuses a second one with the same name, or with none.
      let name = attributes["friendly_name"]?.reveal() ?? "Passkey \(client.clock.now.formatted(.iso8601))"
      let id = try await add(["factor_type": "webauthn", "friendly_name": name], session).required("id")
      return .challenge(
        try await ask(Challenge.Factor(id: id, kind: .passkey), among: [], handle, session.accessToken.value))
    case .passkey, .passkeyRegistration: return .challenge(try await askToRegister(for: session))
    default: throw .unsupportedMethod(SignInMethod(id: kind.id, displayName: kind.id))
    }
  }

  private func add(_ body: JSONBody, _ session: AuthSession) async throws(AuthenticationError) -> JSONMembers {
    try JSONMembers(await client.send(.post, "factors", as: session.accessToken.value, body, errors: .account))
  }

  static let nonceStep = "nonce"
  static let resetStep = "reset"
  /// Under which a new password waits for a code, in memory alone: a challenge's handle holds none.
  private static let passwordStep = "password"

  func resetPassword(of account: String, _ attributes: Attributes) async throws(AuthenticationError) -> AccountOutcome {
    try EmailCredentials(address: account).validate()
    let step = SupabaseStep(.recovery, .email(account), isLink: project.confirmation == .link)
    return .challenge(try await send(step, attributes))
  }

  /// The code or the link of a forgotten password opens a separate session, which sets the new password and ends. Its
  /// token is kept in memory alone: a step may be stored, and outlive a sign-out.
  func askForPassword(_ session: AuthSession, after step: SupabaseStep) -> Challenge {
    let handle = ChallengeHandle(
      Self.resetStep,
      [
        "memory": secrets.keep(session.accessToken.value, for: Self.resetStep), "address": step.address.text,
        "link": step.isLink ? "true" : nil,
      ])
    return Challenge(kind: .newPassword, handle: handle.secret, lifetime: session.accessToken.lifetime)
  }

  func reset(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome {
    guard case .newPassword(let password) = answer.content else { throw .challengeReplaced }
    guard let token = secrets.secret(handle["memory"], of: Self.resetStep) else {
      // After a relaunch, a sign-in or a sign-out: the code is spent, and another one is sent.
      let address = try AccountAddress(typed: handle.required("address"))
      return .challenge(try await send(SupabaseStep(.recovery, address, isLink: handle["link"] != nil), attributes))
    }
    _ = try await client.send(.put, "user", as: token, ["password": password], errors: .factor)
    secrets.forget(Self.resetStep)
    _ = try? await client.send(.post, "logout", query: ["scope": "local"], as: token)
    return .done
  }

  /// Whether the old password is checked is the project's choice. If the project wants a code first, a challenge asks
  /// for it.
  private func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    let id = secrets.keep(new, old, for: Self.passwordStep)
    do throws(AuthenticationError) {
      _ = try await setPassword(passwordBody(id), of: session)
      return .done
    } catch {
      guard error.providerCode == "reauthentication_needed" else { throw error }
      return .challenge(try await askForNonce(ChallengeHandle(Self.nonceStep, ["password": id]), session))
    }
  }

  /// The request that sets the password kept under this id.
  ///
  /// - Throws: ``AuthenticationError/challengeReplaced`` if another one was kept since, or if the app was closed.
  func passwordBody(_ id: String) throws(AuthenticationError) -> JSONBody {
    guard let kept = secrets.secrets(id, of: Self.passwordStep) else { throw .challengeReplaced }
    return ["password": kept[0], "current_password": kept.count > 1 ? kept[1] : nil]
  }

  func setPassword(_ body: JSONBody, of session: AuthSession) async throws(AuthenticationError) -> AuthSession {
    let user = try await change(body, of: session)
    secrets.forget(Self.passwordStep)
    return AuthSession(user: user, tokens: session.tokens)
  }

  func answerNonce(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    guard let session else { throw .notSignedIn }
    switch answer.content {
    case .resend: return .challenge(try await askForNonce(handle, session))
    case .code(let nonce):
      let body = try passwordBody(handle.required("password"))
      _ = try await setPassword(body.adding(["nonce": nonce]), of: session)
      return .done
    default: throw .challengeReplaced
    }
  }

  private func askForNonce(
    _ handle: ChallengeHandle, _ session: AuthSession
  ) async throws(AuthenticationError) -> Challenge {
    _ = try await client.send(.get, "reauthenticate", as: session.accessToken.value, errors: .account)
    let email = session.user.email
    return Challenge(
      kind: email == nil ? .smsCode : .emailCode, destination: email ?? session.user.phoneNumber,
      handle: handle.secret, format: project.codeFormat, lifetime: .seconds(3_600), resendDelay: .seconds(60))
  }
}

extension ChallengeHandle {
  /// With the tokens of an attempt the user is not signed in yet.
  fileprivate var errors: SupabaseErrors { self["token"] == nil ? .accountFactor : .factor }

  /// The purpose of a WebAuthn request: a signed-in user adds a factor, and any other shows one.
  fileprivate var ceremony: String { self["token"] == nil ? "create" : "request" }
}
