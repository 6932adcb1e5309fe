import AuthenticationAccount
import AuthenticationKit
import AuthenticationTesting
import Foundation

/// An app on one device, by commands.
final class App {
  private let configuration: AuthProviderConfiguration
  private let root: MainRoot
  private var challenge: Challenge?

  init(_ configuration: AuthProviderConfiguration) throws(AuthenticationError) {
    self.configuration = configuration
    root = try MainRoot(configuration) { $0.storage = .secure(InMemoryStorage()) }
  }

  func response(to words: [String]) async -> String {
    do throws(AuthenticationError) {
      return try await perform(words[0], Array(words.dropFirst()))
    } catch {
      guard error == .challengeRequired, let asked = error.challenge else { return "failed \(error.code)" }
      return ask(asked)
    }
  }

  private func perform(_ command: String, _ words: [String]) async throws(AuthenticationError) -> String {
    switch (command, words.count) {
    case ("sign-in", 2):
      return told(try await root.useCase.signIn(with: .password(userName: words[0], password: Secret(words[1]))))
    case ("sign-up", 2):
      return told(try await root.useCase.signUp(with: .password(userName: words[0], password: Secret(words[1]))))
    case ("mail", 1): return told(try await root.useCase.signIn(with: .emailCode(words[0])))
    case ("answer", 2):
      guard let challenge else { return "failed nothing-asked" }
      return told(try await root.useCase.signIn(with: ChallengeAnswer(to: challenge, content(words[0], words[1]))))
    case ("account-answer", 2):
      guard let challenge else { return "failed nothing-asked" }
      return told(
        try await root.manager.account.perform(.answer(ChallengeAnswer(to: challenge, content(words[0], words[1])))))
    case ("refresh", 0): return told(try await root.manager.refreshNow().user)
    case ("token", 0): return "token \(try await root.manager.validSession().accessToken.value.reveal())"
    case ("seconds", 0):
      let session = try await root.manager.validSession()
      return "seconds \(session.accessToken.lifetime.map { Int($0.components.seconds) } ?? 0)"
    case ("end", 0): return "end \(root.manager.state.activeSession?.expiresAt.map { _ in "known" } ?? "none")"
    case ("idle", 0):
      let token = root.manager.state.session?.accessToken
      for await state in root.manager.states() where state.session?.accessToken != token {
        return state.session == nil ? "signed-out" : "refreshed"
      }
      return "failed ended"
    case ("expired", 0):
      for await state in root.manager.states() where state.activeSession?.freshness != .fresh {
        return "now \(state.activeSession.map { "\($0.freshness)" } ?? "signed-out")"
      }
      return "failed ended"
    default: return try await serve(command, words)
    }
  }

  private func serve(_ command: String, _ words: [String]) async throws(AuthenticationError) -> String {
    switch (command, words.count) {
    case ("who", 0): return told(try await root.manager.account.refreshUser())
    case ("change", 2):
      return told(try await root.manager.account.perform(.changePassword(from: Secret(words[0]), to: Secret(words[1]))))
    case ("reset", 1): return told(try await root.manager.account.perform(.resetPassword(of: words[0])))
    case ("rename", 1):
      let changes = ProfileChanges(name: words[0], claims: ["first_name": .string(words[0])])
      return told(try await root.manager.account.update(changes))
    case ("sessions", 0):
      let sessions = try await root.manager.account.sessions()
      return "sessions \(sessions.count) \(sessions.filter(\.isCurrent).count)"
    case ("end-other", _):
      for other in try await root.manager.account.sessions() where !other.isCurrent {
        try await proving(words.first) { [root] proof throws(AuthenticationError) in
          try await root.manager.account.perform(.end(other), proof: proof)
        }
      }
      return "done"
    case ("delete", _):
      try await proving(words.first) { [root] proof throws(AuthenticationError) in
        try await root.manager.account.perform(.deleteAccount, proof: proof)
      }
      return "done"
    case ("sign-out", 0):
      try await root.manager.signOut()
      return await root.manager.deliverRevocations().first.map { "failed \($0.code)" } ?? "done"
    case ("sign-out-everywhere", 0):
      try await root.manager.signOut(scope: .everywhere)
      return await root.manager.deliverRevocations().first.map { "failed \($0.code)" } ?? "done"
    case ("code", 2):
      do throws(AuthenticationError) { return try await perform("sign-in", words) } catch {
        return "code \(error.providerCode ?? "none")"
      }
    case ("state", 0):
      switch await root.manager.restore() {
      case .signedIn(let active): return "signed-in \(active.session.user.id) \(active.freshness)"
      case .signedOut(let reason): return "signed-out \(reason)"
      default: return "other"
      }
    case ("verify", 2):
      let account = LiveAccount(
        .password(userName: words[0], password: Secret(words[1])),
        wrong: .password(userName: words[0], password: Secret("wrong-\(words[1])")), secrets: [words[1]])
      let violations = await ProviderConformance.violations(of: configuration, at: account)
      return violations.isEmpty ? "done" : violations.map(\.description).joined(separator: " | ")
    default: return "failed unknown-command"
    }
  }

  /// Calls a service, and again with the password if it asks for one.
  private func proving(
    _ password: String?, _ service: (ChallengeAnswer?) async throws(AuthenticationError) -> Void
  ) async throws(AuthenticationError) {
    do throws(AuthenticationError) { try await service(nil) } catch {
      guard let password, error == .challengeRequired, let challenge = error.challenge else { throw error }
      try await service(ChallengeAnswer(to: challenge, .newPassword(Secret(password))))
    }
  }

  private func content(_ kind: String, _ value: String) -> ChallengeAnswer.Content {
    switch kind {
    case "code": .code(Secret(value))
    case "choice": .choice(value)
    case "resend": .resend
    default: .newPassword(Secret(value))
    }
  }

  private func told(_ user: User) -> String { "signed-in \(user.id)" }

  private func told(_ outcome: AccountOutcome) -> String {
    switch outcome {
    case .done, .session: "done"
    case .challenge(let challenge): ask(challenge)
    }
  }

  private func ask(_ challenge: Challenge) -> String {
    self.challenge = challenge
    return "challenge \(challenge.kind.id)"
  }
}
