import AuthenticationAccount
import AuthenticationKit
import Foundation

/// Leads an account service to its end: on a terminal by questions, in a script by lines of standard input.
struct AccountDialogue {
  let opened: OpenProfile
  let account: any AccountUseCase
  let console: Console
  private let command: String
  private let pending: PendingAccountStep

  init(_ opened: OpenProfile, command: String) throws {
    self.opened = opened
    account = opened.root.manager.account
    console = opened.folder.console
    self.command = command
    pending = try PendingAccountStep(
      of: opened.profile, in: opened.folder, command: command, user: opened.root.currentUser)
  }

  /// Begins a service, or continues with the step that the same command left waiting; asks for the steps that are left,
  /// and says at the end that all is done.
  ///
  /// - Parameter prepare: asks for the inputs of the service, once, and returns the request that begins it.
  func lead(
    continuing isContinued: Bool, _ done: String, _ prepare: () throws -> () async throws -> AccountOutcome
  ) async throws {
    if isContinued {
      guard let (challenge, receivedAt) = await pending.step() else { throw AuthenticationError.noStepPending }
      try await lead(challenge, receivedAt: receivedAt)
    } else {
      let begin = try prepare()
      let outcome: AccountOutcome
      do {
        outcome = try await begin()
      } catch let error as AuthenticationError where error.confirmation != nil {
        try await confirm(error)
        outcome = try await begin()
      }
      if let challenge = outcome.challenge { try await lead(challenge, receivedAt: Date()) }
    }
    console.done(done)
  }

  /// The provider wants to know that the user is still the same one; that step is not kept.
  private func confirm(_ error: AuthenticationError) async throws {
    console.say(error.told)
    var asked = error.confirmation
    while let challenge = asked { asked = try await next(after: challenge, Date()) }
  }

  /// The step is kept while it waits, in case the process ends; one that is refused for good is forgotten.
  private func lead(_ first: Challenge, receivedAt: Date) async throws {
    var (challenge, receivedAt) = (first, receivedAt)
    await pending.save(challenge, receivedAt: receivedAt)
    do {
      while let next = try await next(after: challenge, receivedAt) {
        if next.handle != challenge.handle {
          receivedAt = Date()
          await pending.save(next, receivedAt: receivedAt)
        }
        challenge = next
      }
    } catch let error as AuthenticationError where [.declined, .signInExpired].contains(error) {
      await pending.remove()
      throw error
    }
    await pending.remove()
  }

  /// The next question: another step, or the same one after a rejected answer; nil at the end.
  private func next(after challenge: Challenge, _ receivedAt: Date) async throws -> Challenge? {
    let age = Duration.seconds(Date().timeIntervalSince(receivedAt))
    let resendIn = challenge.resendDelay.map { $0 - age }
    let line = try await console.line(
      answering: challenge, timeLeft: challenge.lifetime.map { $0 - age }, resendIn: resendIn,
      continuing: "account \(command) --continue")
    do {
      switch line {
      case .cancel:
        throw AuthenticationError(.declined, "The step was given up; nothing has changed.").with(\.reason, .ownAdvice)
      case .answer(let answer): return try await account.perform(.answer(answer)).challenge
      case .resend:
        if let sentence = ChallengeLine.refusal(toResendIn: resendIn) {
          console.say(sentence)
          return challenge
        }
        return try await account.perform(.answer(ChallengeAnswer(to: challenge, .resend))).challenge
      }
    } catch let error as AuthenticationError where error.confirmation != nil {
      try await confirm(error)
      return challenge
    } catch let error as AuthenticationError where error.keepsStep {
      console.say(error.told)
      return error.attemptsLeft.map(challenge.leaving) ?? challenge
    }
  }
}

extension AccountOutcome {
  fileprivate var challenge: Challenge? {
    if case .challenge(let challenge) = self { challenge } else { nil }
  }
}

extension AuthenticationError {
  /// Whether the same step can be answered again.
  fileprivate var keepsStep: Bool {
    if [.declined, .signInExpired].contains(self) { return false }
    return disposition == .attempt || self == .rateLimited
  }

  /// The step after which the same can be asked again.
  fileprivate var confirmation: Challenge? { self == .recentSignInRequired ? self.challenge : nil }

  fileprivate static let noStepPending = Self(
    .notSignedIn, "This command left no step waiting, or the step is no longer accepted.",
    suggestion: "Run it without --continue."
  ).with(\.reason, .ownAdvice)
}

/// The step of an account service that waits for the user between two commands. It holds no password and no code.
struct PendingAccountStep {
  private let store: SecurePendingSignIns
  private let command: String
  private let user: String

  /// - Parameters:
  ///   - command: whose step it is; another one does not see it.
  ///   - user: its user; no other one sees it. Nil if no user is signed in.
  init(of profile: Profile, in folder: ProfileFolder, command: String = "", user: User? = nil) throws {
    let secrets = try folder.storage(profile.storage).realm(profile.realm).secrets
    store = SecurePendingSignIns(PrefixedStorage(secrets, prefix: "account-"), realm: profile.realm)
    self.command = command
    self.user = user?.id ?? ""
  }

  func save(_ challenge: Challenge, receivedAt: Date) async {
    await store.save(PendingSignIn(attempt: user, method: command, challenge: challenge, receivedAt: receivedAt))
  }

  /// Nil also if the provider no longer accepts an answer: such a step is deleted, of any command and user.
  func step() async -> (challenge: Challenge, receivedAt: Date)? {
    guard let step = await store.pending() else { return nil }
    guard step.isAccepted(at: Date()) else {
      await removeAny()
      return nil
    }
    return step.method == command && step.attempt == user ? (step.challenge, step.receivedAt) : nil
  }

  func remove() async { await store.remove(user) }

  /// That of any command: the next signed-in user has not asked for it.
  func removeAny() async { await store.removeAll() }
}
