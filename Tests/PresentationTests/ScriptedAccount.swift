import AuthenticationAccount
import AuthenticationDomain
import AuthenticationTesting
import Synchronization

/// Account services with the results that a test scripted, and a record of their calls.
final class ScriptedAccount: Sendable {
  private struct Contents {
    var abilities: Set<AccountAbility> = [.resetPassword, .link, .factors, .sessions, .delete]
    var asked: [String] = []
    var outcomes: [Result<AccountOutcome, AuthenticationError>] = []
    var methods: [LinkedMethod] = []
    var sessions: [RemoteSession] = []
    var factors: [EnrolledFactor] = []
  }

  private let contents = Mutex(Contents())
  let gate = Gate()

  var abilities: Set<AccountAbility> { contents.withLock { $0.abilities } }

  /// The abilities that work from now on; at first all of them.
  func offer(_ abilities: Set<AccountAbility>) { contents.withLock { $0.abilities = abilities } }

  var asked: [String] { contents.withLock { $0.asked } }

  func answer(_ outcomes: Result<AccountOutcome, AuthenticationError>...) {
    contents.withLock { $0.outcomes += outcomes }
  }

  func have(methods: [LinkedMethod] = [], sessions: [RemoteSession] = [], factors: [EnrolledFactor] = []) {
    contents.withLock { ($0.methods, $0.sessions, $0.factors) = (methods, sessions, factors) }
  }

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

extension ScriptedAccount: AccountUseCase {
  func perform(_ request: AccountRequest) async throws(AuthenticationError) -> AccountOutcome {
    try await ask(request.change.line, request.proof)
  }
  func refreshUser() async throws(AuthenticationError) -> User { throw .cancelled }
  func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod] { contents.withLock { $0.methods } }
  func factors() async throws(AuthenticationError) -> [EnrolledFactor] { contents.withLock { $0.factors } }
  func sessions() async throws(AuthenticationError) -> [RemoteSession] { contents.withLock { $0.sessions } }
}

extension AccountChange {
  /// The calls that a test expects.
  fileprivate var line: String {
    switch self {
    case .resetPassword(let account): "reset \(account)"
    case .link(let credentials): "link \(credentials.method.id)"
    case .unlink(let method): "unlink \(method.id)"
    case .enrol(let kind): "enrol \(kind.id)"
    case .remove(let factor): "remove \(factor.id)"
    case .rename(let factor, let name): "rename \(factor.id) \(name)"
    case .end(let session): "end \(session.id)"
    case .deleteAccount: "delete"
    case .changePassword, .verify, .update: "other"
    case .answer(let answer):
      switch answer.content {
      case .code(let code): "code \(code.reveal())"
      case .newPassword(let password): "password \(password.reveal())"
      case .resend: "resend"
      default: "other"
      }
    }
  }
}
