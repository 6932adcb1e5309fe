import AuthenticationDomain
import AuthenticationTesting
import Synchronization

/// Account services that answer what a test scripted, and record what they were asked.
final class ScriptedAccount: Sendable {
  private struct Contents {
    var asked: [String] = []
    var outcomes: [Result<AccountOutcome, AuthenticationError>] = []
    var methods: [LinkedMethod] = []
    var sessions: [RemoteSession] = []
    var factors: [EnrolledFactor] = []
  }

  private let contents = Mutex(Contents())
  let gate = Gate()

  var asked: [String] { contents.withLock { $0.asked } }

  func answer(_ outcomes: Result<AccountOutcome, AuthenticationError>...) {
    contents.withLock { $0.outcomes += outcomes }
  }

  func have(methods: [LinkedMethod] = [], sessions: [RemoteSession] = [], factors: [EnrolledFactor] = []) {
    contents.withLock { ($0.methods, $0.sessions, $0.factors) = (methods, sessions, factors) }
  }

  @discardableResult
  private func ask(_ what: String, _ proof: ChallengeAnswer?) async throws(AuthenticationError) -> AccountOutcome {
    guard let proof else { return try await ask(what) }
    let text =
      switch proof.content {
      case .code(let code): code.reveal()
      case .newPassword(let password): password.reveal()
      default: "other"
      }
    return try await ask("\(what), proved to \(proof.challenge.handle.reveal()) by \(text)")
  }

  @discardableResult
  private func ask(_ what: String) async throws(AuthenticationError) -> AccountOutcome {
    let outcome = contents.withLock { contents in
      contents.asked.append(what)
      return contents.outcomes.isEmpty ? .success(.done) : contents.outcomes.removeFirst()
    }
    await gate.pass()
    if Task.isCancelled { throw .cancelled }
    return try outcome.get()
  }
}

extension ScriptedAccount: PasswordResetUseCase, AccountChallengeUseCase, LinkingUseCase, FactorUseCase,
  SessionListUseCase, AccountDeletionUseCase
{
  func resetPassword(of account: String) async throws(AuthenticationError) -> AccountOutcome {
    try await ask("reset \(account)")
  }
  func answer(_ answer: ChallengeAnswer) async throws(AuthenticationError) -> AccountOutcome {
    switch answer.content {
    case .code(let code): try await ask("code \(code.reveal())")
    case .newPassword(let password): try await ask("password \(password.reveal())")
    case .resend: try await ask("resend")
    default: try await ask("other")
    }
  }
  func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod] { contents.withLock { $0.methods } }
  func link(_ credentials: any Credentials) async throws(AuthenticationError) -> AccountOutcome {
    try await ask("link \(credentials.method.id)")
  }
  func unlink(_ method: LinkedMethod) async throws(AuthenticationError) { try await ask("unlink \(method.id)") }
  func factors() async throws(AuthenticationError) -> [EnrolledFactor] { contents.withLock { $0.factors } }
  func enrol(_ kind: Challenge.Kind) async throws(AuthenticationError) -> AccountOutcome {
    try await ask("enrol \(kind.id)")
  }
  func enrol(_ kind: Challenge.Kind, proof: ChallengeAnswer?) async throws(AuthenticationError) -> AccountOutcome {
    try await ask("enrol \(kind.id)", proof)
  }
  func remove(_ factor: EnrolledFactor, proof: ChallengeAnswer?) async throws(AuthenticationError) {
    try await ask("remove \(factor.id)", proof)
  }
  func end(_ session: RemoteSession, proof: ChallengeAnswer?) async throws(AuthenticationError) {
    try await ask("end \(session.id)", proof)
  }
  func deleteAccount(proof: ChallengeAnswer?) async throws(AuthenticationError) { try await ask("delete", proof) }
  func remove(_ factor: EnrolledFactor) async throws(AuthenticationError) { try await ask("remove \(factor.id)") }
  func sessions() async throws(AuthenticationError) -> [RemoteSession] { contents.withLock { $0.sessions } }
  func end(_ session: RemoteSession) async throws(AuthenticationError) { try await ask("end \(session.id)") }
  func signOutEverywhere(
    by control: any SessionControl, losing loss: SignOutLoss?
  ) async throws(AuthenticationError) {
    try await ask("everywhere, losing \(loss?.description ?? "nothing")")
  }
  func deleteAccount() async throws(AuthenticationError) { try await ask("delete") }
}
