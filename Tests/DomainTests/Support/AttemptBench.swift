import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// Attempts over a real manager whose provider is scripted.
struct AttemptBench: Sendable {
  let bench = Bench()
  let pending = InMemoryPendingSignIns()
  let attempts: SignInAttempts
  let signedIn = Log()

  init(
    _ processes: [SignInProcess] = [.password, .phoneCode, .emailLink], sharing pending: InMemoryPendingSignIns? = nil
  ) {
    let manager = bench.manager
    attempts = SignInAttempts(
      processes, useCase: manager.intercept { [signedIn] in signedIn.append($0.id) }.addValidation(), manager: manager,
      pending: pending ?? self.pending, links: SignInLink(host: "app.example.com", path: "/sign-in"),
      clock: bench.clock)
  }

  var provider: ScriptedAuthProvider { bench.provider }

  /// Submits a phone number, which the provider answers with this challenge.
  func challenged(_ challenge: Challenge = .sms) async throws -> SignInAttempt {
    provider.answerSignIn(.success(.challenge(challenge)))
    let attempt = try attempts.begin(.phoneCode)
    attempt.submit(.phone)
    #expect(await attempt.finished() == .challenged(challenge, nil))
    return attempt
  }

  /// The answers to challenges that the provider received, codes in clear text.
  var sent: [String] {
    provider.challengeAnswers.map { answer in
      switch answer.content {
      case .code(let code): code.reveal()
      case .link(let url): url.absoluteString
      case .choice(let id): "choose \(id)"
      case .resend: "resend \(answer.challenge.handle.reveal())"
      default: "other"
      }
    }
  }
}

extension Challenge {
  static let sms = Challenge(
    kind: .smsCode, destination: "•••• 42", handle: Secret("first"), format: .digits(6), lifetime: .seconds(300),
    resendDelay: .seconds(60))
}

extension SignInInput {
  static let phone = SignInInput([.phoneNumber: "+491701234567"])
  static let password = SignInInput([.userName: "ada", .password: "correct horse"])
}
