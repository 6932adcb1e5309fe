import AuthenticationDomain

/// Account services of a preset: nothing is ever done.
struct PresetAccount: PasswordResetUseCase, AccountChallengeUseCase, LinkingUseCase, SessionListUseCase {
  func resetPassword(of account: String) async throws(AuthenticationError) -> AccountOutcome { throw .cancelled }
  func answer(_ answer: ChallengeAnswer) async throws(AuthenticationError) -> AccountOutcome { throw .cancelled }
  func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod] { throw .cancelled }
  func link(_ credentials: any Credentials) async throws(AuthenticationError) -> AccountOutcome { throw .cancelled }
  func unlink(_ method: LinkedMethod) async throws(AuthenticationError) { throw .cancelled }
  func sessions() async throws(AuthenticationError) -> [RemoteSession] { throw .cancelled }
  func end(_ session: RemoteSession) async throws(AuthenticationError) { throw .cancelled }
  func signOutEverywhere(
    by control: any SessionControl, losing loss: SignOutLoss?
  ) async throws(AuthenticationError) { throw .cancelled }
}
