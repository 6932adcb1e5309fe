import AuthenticationDomain
import AuthenticationDomainTesting

/// A provider with every account service: answers what a test says, and notes what it was asked.
struct AccountProvider: PasswordResetProvider, PasswordChangeProvider, AddressProvider, LinkingProvider, FactorProvider,
  SessionListProvider, AccountDeletionProvider, ProfileProvider
{
  let upstream: ScriptedAuthProvider
  var accountAbilities: Set<AccountAbility>?
  var outcome = AccountStep.done
  var failure: AuthenticationError?
  /// An access token that it no longer accepts.
  var refused: AccessToken?
  var user = User.ada
  var upgraded: AuthSession?
  var others: [RemoteSession] = []
  var unendable: String?
  /// What happens elsewhere while it links, deletes an account, lists sessions or looks up a user.
  var meanwhile: @Sendable () async -> Void = {}
  let log = Log()

  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    try await upstream.signIn(with: credentials)
  }
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await upstream.refresh(session)
  }
  func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) { try await upstream.revoke(tokens) }

  private func note(_ line: String, _ session: AuthSession? = nil) throws(AuthenticationError) {
    log.append(line)
    if let session, session.accessToken == refused { throw .accessTokenRefused }
    if let failure { throw failure }
  }

  func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountStep {
    try note("answer \(session?.user.id ?? "nobody")")
    return .done
  }
  func resetPassword(of account: String) async throws(AuthenticationError) -> AccountStep {
    try note("reset \(account)")
    return outcome
  }
  func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep {
    try note("password", session)
    return outcome
  }
  func verify(_ address: AccountAddress, of session: AuthSession) async throws(AuthenticationError) -> AccountStep {
    try note("verify", session)
    return outcome
  }
  func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    try note("methods", session)
    return [LinkedMethod(id: "1", method: .password)]
  }
  func link(_ credentials: any Credentials, to session: AuthSession) async throws(AuthenticationError) -> AccountStep {
    try note("link \(credentials.method.id)", session)
    await meanwhile()
    return upgraded.map(AccountStep.session) ?? .done
  }
  func unlink(_ method: LinkedMethod, from session: AuthSession) async throws(AuthenticationError) {
    try note("unlink \(method.id)", session)
  }
  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    try note("factors", session)
    return []
  }
  func enrol(_ kind: Challenge.Kind, for session: AuthSession) async throws(AuthenticationError) -> AccountStep {
    try note("enrol \(kind.id)", session)
    return outcome
  }
  func remove(
    _ factor: EnrolledFactor, of session: AuthSession
  ) async throws(AuthenticationError) -> AuthSession? {
    try note("remove \(factor.id)", session)
    return upgraded
  }
  func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession] {
    await meanwhile()
    try note("sessions", session)
    return [RemoteSession(id: "1", isCurrent: true)] + others
  }
  func end(_ remote: RemoteSession, of session: AuthSession) async throws(AuthenticationError) {
    try note("end \(remote.id)", session)
    if remote.id == unendable { throw .serverFailed }
  }
  func deleteAccount(of session: AuthSession) async throws(AuthenticationError) {
    try note("delete", session)
    await meanwhile()
  }
  func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    try note("user", session)
    await meanwhile()
    return user
  }
  func update(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthenticationError) -> User {
    try note("update", session)
    return user
  }
}
