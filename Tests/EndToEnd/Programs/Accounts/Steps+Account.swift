import AuthenticationAccount
import AuthenticationKit
import AuthenticationPasskeys

extension Steps {
  /// The account services.
  func account(_ step: String, _ values: [String]) async throws(AuthenticationError) {
    let account = root.manager.account
    switch (step, values.count) {
    case ("reset-password", 1): conclude(try await account.perform(.resetPassword(of: values[0])))
    case ("change-password", 2):
      conclude(try await account.perform(.changePassword(from: Secret(values[0]), to: Secret(values[1]))))
    case ("change-email", 1): conclude(try await account.perform(.verify(.email(values[0]))))
    case ("enrol", 1): conclude(try await account.perform(.enrol(.init(id: values[0]))))
    case ("confirm", 1): try await answer { ChallengeAnswer(to: $0, code: Secret(values[0])) }
    case ("confirm-password", 1): try await answer { ChallengeAnswer(to: $0, .newPassword(Secret(values[0]))) }
    case ("confirm-and-choose", 2):
      try await answer { ChallengeAnswer(to: $0, code: Secret(values[0])) }
      try await answer { ChallengeAnswer(to: $0, .newPassword(Secret(values[1]))) }
    case ("noted", 0): try await answer { ChallengeAnswer(to: $0, .approval) }
    case ("add-passkey", 0): try await addPasskey()
    case ("factors", 0):
      for factor in try await account.factors() { tell("factor", factor.kind.id) }
    case ("sessions", 0):
      for session in try await account.sessions() { tell("session", "\(session.id) \(session.isCurrent)") }
    case ("end-others", 0):
      for session in try await account.sessions() where !session.isCurrent {
        try await account.perform(.end(session))
        tell("ended", session.id)
      }
    default: tell("failed", "no such step")
    }
  }

  private func addPasskey() async throws(AuthenticationError) {
    let outcome = try await root.manager.account.perform(.enrol(.passkeyRegistration))
    guard case .challenge(let challenge) = outcome else { return conclude(outcome) }
    tell("asked", challenge.kind.id)
    conclude(try await root.manager.account.perform(.answer(try await passkeys.register(challenge))))
  }

  private func answer(_ make: (Challenge) -> ChallengeAnswer) async throws(AuthenticationError) {
    guard let challenge = pending.challenge else { return tell("pending", "nothing") }
    conclude(try await root.manager.account.perform(.answer(make(challenge))))
  }

  private func conclude(_ outcome: AccountOutcome) {
    switch outcome {
    case .done, .session:
      pending.pop()
      tell("done", pending.challenge?.kind.id ?? "all")
    case .challenge(let challenge):
      pending.replace(with: challenge)
      tell("asked", challenge.kind.id)
      if let secret = challenge.enrolment?.secret { tell("shown", secret.reveal()) }
    }
  }
}
