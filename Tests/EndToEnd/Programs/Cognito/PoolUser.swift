import AuthenticationAccount
import AuthenticationCognito
import AuthenticationKit

/// A user of an app on one device, controlled by commands.
final class PoolUser {
  private let root: MainRoot
  private var challenge: Challenge?

  init(endpoint: String, pool: String, client: String) throws(AuthenticationError) {
    let pool = CognitoUserPool(
      id: pool, clientID: client, endpoint: endpoint, methods: [.password, .plainPassword])
    root = try MainRoot(.cognito(pool)) { options in
      options.storage = .secure(InMemoryStorage())
      options.refreshPolicy = .onDemand
    }
  }

  func response(to words: [String]) async -> String {
    do throws(AuthenticationError) {
      return try await perform(words[0], Array(words.dropFirst()))
    } catch {
      guard error == .challengeRequired, let asked = error.challenge else {
        return "failed \(error.code) \(error.providerCode ?? "-")"
      }
      return ask(asked)
    }
  }

  private func perform(_ command: String, _ words: [String]) async throws(AuthenticationError) -> String {
    switch (command, words.count) {
    case ("sign-in", 2):
      return told(try await root.useCase.signIn(with: .password(userName: words[0], password: Secret(words[1]))))
    case ("sign-in-plain", 2):
      return told(
        try await root.useCase.signIn(
          with: CognitoCredentials(userName: words[0], password: Secret(words[1]), method: .plainPassword)))
    case ("sign-up", 2):
      return told(try await root.useCase.signUp(with: .password(userName: words[0], password: Secret(words[1]))))
    case ("answer", 2):
      guard let challenge else { return "failed nothing-asked -" }
      let secret = Secret(words[1])
      let answer = ChallengeAnswer(to: challenge, words[0] == "code" ? .code(secret) : .newPassword(secret))
      return told(try await root.useCase.signIn(with: answer))
    default: return try await serve(command, words)
    }
  }

  private func serve(_ command: String, _ words: [String]) async throws(AuthenticationError) -> String {
    switch (command, words.count) {
    case ("refresh", 0):
      let old = try await root.manager.validSession()
      return told(try await root.manager.validSession(rejecting: old.accessToken).user)
    case ("refresh-token", 0):
      return "token \(try await root.manager.validSession().tokens.refresh?.reveal() ?? "-")"
    case ("access-token", 0):
      return "token \(try await root.manager.validSession().accessToken.value.reveal())"
    case ("sign-out", 0):
      try await root.manager.signOut()
      let failures = await root.manager.deliverRevocations()
      return failures.first.map { "failed \($0.code) \($0.providerCode ?? "-")" } ?? "done"
    case ("who", 0): return told(try await root.manager.account.refreshUser())
    case ("change-password", 2):
      return told(try await root.manager.account.perform(.changePassword(from: Secret(words[0]), to: Secret(words[1]))))
    case ("reset-password", 1): return told(try await root.manager.account.perform(.resetPassword(of: words[0])))
    case ("enrol", 0): return told(try await root.manager.account.perform(.enrol(.oneTimePassword)))
    case ("account-answer", 2):
      guard let challenge else { return "failed nothing-asked -" }
      let secret = Secret(words[1])
      let answer = ChallengeAnswer(to: challenge, words[0] == "code" ? .code(secret) : .newPassword(secret))
      return told(try await root.manager.account.perform(.answer(answer)))
    default: return "failed unknown-command -"
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
    return "challenge \(challenge.kind.id) \(challenge.enrolment?.secret.reveal() ?? "-")"
  }
}
