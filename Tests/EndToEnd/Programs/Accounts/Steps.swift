import AuthenticationAccount
import AuthenticationKit
import AuthenticationPasskeys
import Foundation

/// The actions of a user in one launch.
struct Steps: Sendable {
  let root: MainRoot
  let pending: PendingStep
  let passkeys: KeptPasskeys

  func take(_ step: String, _ values: [String]) async throws(AuthenticationError) {
    switch (step, values.count) {
    case ("sign-up", 2):
      let input = SignInInput([.userName: values[0], .password: values[1]])
      try await begin(.password) { $0.submit(input, createsAccount: true) }
    case ("password", 2):
      try await begin(.password) { $0.submit(SignInInput([.userName: values[0], .password: values[1]])) }
    case ("email-code", 1): try await begin(.emailCode) { $0.submit(SignInInput([.emailAddress: values[0]])) }
    case ("phone-code", 1): try await begin(.phoneCode) { $0.submit(SignInInput([.phoneNumber: values[0]])) }
    case ("passkey", 0), ("passkey-unanswered", 0): try await begin(.passkey) { $0.submit() }
    case ("code", 1): try await goOn { $0.answer(code: Secret(values[0])) }
    case ("resend", 0): try await goOn { $0.resend() }
    case ("choose", 1):
      try await goOn { attempt in
        guard let challenge = attempt.state.challenge else { return }
        attempt.answer(ChallengeAnswer(to: challenge, .choice(values[0])))
      }
    case ("status", 0): break
    case ("call", 0): tell("called", try await root.manager.account.refreshUser().email ?? "-")
    case ("sign-out", 0):
      try await root.manager.signOut()
      tell("owed", "\(await root.manager.deliverRevocations().count)")
    default: try await account(step, values)
    }
  }

  private func begin(
    _ method: SignInMethod, _ submit: (SignInAttempt) -> Void
  ) async throws(AuthenticationError) {
    let attempt = try root.attempts.begin(method)
    submit(attempt)
    tell(await attempt.finished())
  }

  private func goOn(_ answer: (SignInAttempt) -> Void) async throws(AuthenticationError) {
    guard let attempt = await root.attempts.resume() else { return tell("pending", "nothing") }
    answer(attempt)
    tell(await attempt.finished())
  }

  private func tell(_ word: String, _ value: String) { endtoend.tell(word, value) }

  private func tell(_ state: SignInAttempt.State) {
    if let failure = state.failure { tell("failed", failure.code) }
    if let challenge = state.challenge { tell("asked", challenge.kind.id) }
    if let choices = state.challenge?.choices, !choices.isEmpty {
      tell("choices", choices.map(\.id).joined(separator: " "))
    }
    if case .ended(.signedIn(let user)) = state { tell("signed-in", user.id) }
  }
}
