import AuthenticationAccount
import AuthenticationDomain
import AuthenticationDomainTesting

/// A provider with every account service: returns a test's results, and notes its calls.
struct ScriptedAccountProvider: AccountProvider {
  let upstream: ScriptedAuthProvider
  var accountAbilities: Set<AccountAbility> = [
    .resetPassword, .changePassword, .verify, .link, .factors, .sessions, .delete, .profile,
  ]
  var outcome = AccountOutcome.done
  var failure: AuthenticationError?
  /// An access token that it no longer accepts.
  var refused: AccessToken?
  var user = User.ada
  var upgraded: AuthSession?
  var others: [RemoteSession] = []
  var unendable: String?
  /// A change elsewhere while it links, deletes an account, lists sessions or looks up a user.
  var meanwhile: @Sendable () async -> Void = {}
  let log = Log()

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    try await upstream.signIn(request)
  }
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await upstream.refresh(session)
  }
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    try await upstream.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
  }

  private func note(_ line: String, _ session: AuthSession? = nil) throws(AuthenticationError) {
    log.append(line)
    if let session, session.accessToken == refused { throw .accessTokenRefused }
    if let failure { throw failure }
  }

  func perform(
    _ request: AccountRequest, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch request.change {
    case .resetPassword(let account): try note("reset \(account)")
    case .changePassword: try note("password", session)
    case .verify: try note("verify", session)
    case .enrol(let kind): try note("enrol \(kind.id)", session)
    case .answer:
      try note("answer \(session?.user.id ?? "none")")
      return .done
    case .link(let credentials):
      try note("link \(credentials.method.id)", session)
      await meanwhile()
      return upgraded.map(AccountOutcome.session) ?? .done
    case .unlink(let method):
      try note("unlink \(method.id)", session)
      return .done
    case .remove(let factor):
      try note("remove \(factor.id)", session)
      return upgraded.map(AccountOutcome.session) ?? .done
    case .rename(let factor, _):
      try note("rename \(factor.id)", session)
      return .done
    case .end(let other):
      try note("end \(other.id)", session)
      if other.id == unendable { throw .serverFailed }
      return .done
    case .update:
      try note("update", session)
      return session.map { .session(AuthSession(user: user, tokens: $0.tokens)) } ?? .done
    case .deleteAccount:
      try note("delete", session)
      await meanwhile()
      return .done
    }
    return outcome
  }

  func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    try note("methods", session)
    return [LinkedMethod(id: "1", method: .password)]
  }
  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    try note("factors", session)
    return []
  }
  func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession] {
    await meanwhile()
    try note("sessions", session)
    return [RemoteSession(id: "1", isCurrent: true)] + others
  }
  func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    try note("user", session)
    await meanwhile()
    return user
  }
}
