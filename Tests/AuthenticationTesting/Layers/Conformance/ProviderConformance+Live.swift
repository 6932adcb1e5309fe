import AuthenticationAccount
public import AuthenticationData
public import AuthenticationDomain

/// An account at a server that runs, for ``ProviderConformance/violations(of:at:over:)``. It is signed in to a few
/// times and out again, and not changed.
public struct LiveAccount: Sendable {
  /// Credentials that sign in without a second step.
  public var credentials: any Credentials
  /// Credentials that the server refuses: a wrong password of the same account.
  public var wrongCredentials: any Credentials
  /// The app's data for the attempt.
  public var attributes: [String: Secret] = [:]
  /// Texts that nothing may print; the tokens of the sessions are added.
  public var secrets: [String]

  /// An account.
  ///
  /// - Parameters:
  ///   - credentials: those that sign in.
  ///   - wrong: those that are refused.
  ///   - secrets: texts that no value may show: the password.
  public init(_ credentials: any Credentials, wrong: any Credentials, secrets: [String]) {
    self.credentials = credentials
    self.wrongCredentials = wrong
    self.secrets = secrets
  }
}

extension ProviderConformance {
  /// Checks an adapter against a running server: the rules that only the two together can show, without a script.
  ///
  /// ```swift
  /// let account = LiveAccount(
  ///   .password(userName: "ada", password: Secret("correct horse")),
  ///   wrong: .password(userName: "ada", password: Secret("wrong")), secrets: ["correct horse"])
  /// for violation in await ProviderConformance.violations(of: .notes(baseURL: "http://127.0.0.1:8080"), at: account) {
  ///   print(violation)
  /// }
  /// ```
  ///
  /// The rules: wrong credentials are refused as such; a user has one id; a refresh gives an access token that the
  /// server accepts, or is `sessionExpired` where sessions have no refresh token; only a refresh token that the server
  /// refuses ends a session; an unreachable server ends none; a sign-out may be repeated; and neither a text nor the handle
  /// of a step holds a secret.
  ///
  /// - Parameters:
  ///   - configuration: the adapter, as an app names it.
  ///   - account: an account at the server.
  ///   - transport: carries the requests; nil for a ``SystemHTTPClient``.
  /// - Returns: the violations, in the order in which they were found.
  public static func violations(
    of configuration: AuthProviderConfiguration, at account: LiveAccount,
    over transport: (any HTTPClient)? = nil
  ) async -> [Violation] {
    let findings = ConformanceFindings(account.secrets)
    guard let transport = transport ?? (try? SystemHTTPClient.shared) else {
      return [Violation(rule: .signIn, sentence: "The system's HTTP client cannot be created.")]
    }
    let service = LiveService(configuration: configuration, account: account, transport: transport)
    guard let session = await service.session(findings) else { return findings.violations }
    let tokens = [session.accessToken.value, session.tokens.refresh].compactMap { $0?.reveal() }
    let further = ConformanceFindings(account.secrets + tokens)
    await service.checkSignIns(of: session, further)
    await service.checkRefreshes(further)
    await service.checkOutage(of: session, further)
    await service.checkSignOut(of: session, further)
    return findings.violations + further.violations
  }
}

private struct LiveService: Sendable {
  let configuration: AuthProviderConfiguration
  let account: LiveAccount
  let transport: any HTTPClient

  func call<Value: Sendable>(
    _ findings: ConformanceFindings, over other: (any HTTPClient)? = nil,
    _ body: (any RemoteAuthProvider) async throws(AuthenticationError) -> Value
  ) async -> ConformanceCall<Value> {
    let result: Result<Value, AuthenticationError>
    do throws(AuthenticationError) {
      // A request that never arrives is not sent again, so that an outage takes no time here.
      let client: any HTTPClient = other ?? transport.retrying()
      let environment = AuthProviderConfiguration.Environment(
        httpClient: client, clock: SystemClock(), transport: other ?? transport)
      result = .success(try await body(try configuration.make(environment).provider))
    } catch {
      result = .failure(error)
    }
    switch result {
    case .success(let value): findings.check(value, of: "what a call returns")
    case .failure(let error): findings.check(error, of: "the error '\(error.code)'")
    }
    return ConformanceCall(result: result, sent: [])
  }

  private func signIn(
    _ credentials: any Credentials, _ findings: ConformanceFindings, over other: (any HTTPClient)? = nil
  ) async -> ConformanceCall<SignInOutcome> {
    await call(findings, over: other) { provider throws(AuthenticationError) in
      try await provider.signIn(with: credentials, attributes: account.attributes)
    }
  }

  func session(_ findings: ConformanceFindings) async -> AuthSession? {
    let call = await signIn(account.credentials, findings)
    if case .session(let session) = call.value { return session }
    call.value.map { findings.check(handleOf: $0, holdsNoneOf: [account.credentials], in: "A sign-in") }
    let ending = call.value == nil ? call.ending : "a step"
    findings.note(.signIn, "A sign-in with the account's credentials ends with \(ending), and no session.")
    return nil
  }

  func checkSignIns(of session: AuthSession, _ findings: ConformanceFindings) async {
    let wrong = await signIn(account.wrongCredentials, findings)
    if wrong.error != .invalidCredentials {
      findings.note(.wrongCredentials, "Wrong credentials give \(wrong.ending).")
    }
    let unknown = await signIn(UnknownCredentials(), findings)
    if unknown.error != .unsupportedMethod {
      findings.note(.unknownMethod, "Credentials of an unknown type give \(unknown.ending).")
    }
    if let again = await self.session(findings), again.user.id != session.user.id {
      findings.note(.signIn, "A second sign-in is of '\(again.user.id)', the first of '\(session.user.id)'.")
    }
    await checkAccepted(session, "A new access token", .signIn, findings)
  }

  /// By a service that needs the server, if the adapter has one.
  private func checkAccepted(
    _ session: AuthSession, _ name: String, _ rule: ProviderConformance.Rule, _ findings: ConformanceFindings
  ) async {
    let known = await call(findings) { provider throws(AuthenticationError) -> User? in
      guard let provider = provider as? any AccountProvider, provider.accountAbilities.contains(.profile) else {
        return nil
      }
      return try await provider.user(of: session)
    }
    if known.error != nil { findings.note(rule, "\(name) is not accepted: \(known.ending).") }
    if let user = known.value ?? nil, user.id != session.user.id {
      findings.note(rule, "With \(name.lowercased()) the user is '\(user.id)', and not '\(session.user.id)'.")
    }
    let valid = await call(findings) { provider throws(AuthenticationError) -> Bool? in
      try await (provider as? any SessionValidatingProvider)?.isValid(session)
    }
    if valid.value == false { findings.note(.validation, "\(name) is taken for invalid.") }
  }

  func checkRefreshes(_ findings: ConformanceFindings) async {
    guard let session = await session(findings) else { return }
    let call = await refresh(session, findings)
    guard session.tokens.refresh != nil else {
      if call.error != .sessionExpired {
        findings.note(.refresh, "A refresh of a session without a refresh token ends with \(call.ending).")
      }
      return
    }
    if let tokens = call.value {
      await checkAccepted(session.refreshed(with: tokens), "A refreshed access token", .refresh, findings)
    } else {
      findings.note(.refresh, "A refresh ends with \(call.ending).")
    }
    guard let spoiled = session.spoiled else { return }
    let refused = await refresh(spoiled, findings)
    if !refused.endsSession {
      findings.note(.sessionEnding, "A refresh token that the server does not know gives \(refused.ending).")
    }
  }

  private func refresh(
    _ session: AuthSession, _ findings: ConformanceFindings, over other: (any HTTPClient)? = nil
  ) async -> ConformanceCall<SessionTokens> {
    await call(findings, over: other) { provider throws(AuthenticationError) in try await provider.refresh(session) }
  }

  func checkOutage(of session: AuthSession, _ findings: ConformanceFindings) async {
    for failure in [AuthenticationError.unreachable, .connectionLost] {
      let outage = Outage(failure: failure)
      let signIn = await signIn(account.credentials, findings, over: outage)
      if signIn.error?.code != failure.code {
        findings.note(.lostAnswer, "'\(failure.code)' at a sign-in becomes \(signIn.ending).")
      }
      guard session.tokens.refresh != nil else { continue }
      let refresh = await refresh(session, findings, over: outage)
      if refresh.error?.code != failure.code {
        findings.note(.lostAnswer, "'\(failure.code)' at a refresh becomes \(refresh.ending).")
      }
    }
  }

  func checkSignOut(of session: AuthSession, _ findings: ConformanceFindings) async {
    for name in ["A sign-out", "A sign-out that is repeated"] {
      let call = await call(findings) { provider throws(AuthenticationError) -> Bool in
        try await provider.revoke(session.tokens)
        return true
      }
      if let error = call.error, error != .unsupportedMethod {
        findings.note(.revocation, "\(name) ends with \(call.ending).")
      }
    }
  }
}

extension AuthSession {
  /// With a refresh token that no server knows; a token that refreshes itself stays one.
  fileprivate var spoiled: AuthSession? {
    let unknown = Secret("unknown-\(accessToken.value.reveal().count)")
    guard tokens.refreshThemselves else {
      return AuthSession(user: user, tokens: SessionTokens(access: accessToken, refresh: unknown))
    }
    guard let access = try? AccessToken(unknown, receivedAt: accessToken.receivedAt, lifetime: accessToken.lifetime)
    else { return nil }
    return AuthSession(user: user, tokens: SessionTokens(access: access, refresh: unknown))
  }
}

private struct Outage: HTTPClient {
  let failure: AuthenticationError
  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse { throw failure }
}
