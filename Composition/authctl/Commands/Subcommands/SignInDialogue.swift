import AuthenticationKit

/// Leads an attempt to its end: on a terminal by questions, in a script by lines of standard input. Whether the user
/// has approved on another device is asked again and again meanwhile.
struct SignInDialogue {
  let console: Console
  var clock: any AuthenticationClock = SystemClock()
  /// The next line of the input; nil at its end.
  var readLine: @Sendable () async throws -> String? = StandardInput.line

  func signIn(at root: MainRoot, by method: SignInMethod, _ input: SignInInput) async throws -> User {
    let attempt = try root.attempts.begin(method)
    attempt.submit(input)
    return try await lead(attempt)
  }

  /// Continues with the pending step.
  func resume(at root: MainRoot) async throws -> User {
    guard let attempt = await root.attempts.resume() else { throw AuthenticationError.nothingPending }
    return try await lead(attempt)
  }

  /// Creates an account, and signs in to it.
  func signUp(at root: MainRoot, _ input: SignInInput) async throws -> User {
    let attempt = try root.attempts.begin(.password)
    attempt.submit(input, createsAccount: true)
    return try await lead(attempt)
  }

  private func lead(_ attempt: SignInAttempt) async throws -> User {
    let showing = Task {
      for await state in attempt.states() {
        if case .externalInteraction(let interaction) = state { console.show(interaction) }
      }
    }
    defer { showing.cancel() }
    return try await withTaskCancellationHandler {
      try await finish(attempt)
    } onCancel: {
      // A challenge stays: a later login continues with it.
      if attempt.state.challenge == nil { attempt.cancel() }
    }
  }

  private func finish(_ attempt: SignInAttempt) async throws -> User {
    var approval: PendingApproval?
    while true {
      switch await attempt.finished() {
      case .ended(.signedIn(let user)): return user
      case .ended(.replaced): throw AuthenticationError.superseded
      case .ended: throw AuthenticationError.cancelled
      case .failed(let error): throw error
      case .challenged(let challenge, let failure):
        if let failure {
          // No input of the user changes the answer of the other device; a user who declined there has ended it.
          if challenge.kind == .approval, failure != .rateLimited {
            if failure == .declined { await giveUp(attempt) }
            throw failure
          }
          guard failure.disposition != .transient || failure == .rateLimited else { throw failure }
          console.say(failure.told)
        }
        let line: ChallengeLine
        if challenge.kind == .approval {
          let pending = approval ?? PendingApproval(readLine)
          if pending.challenge?.handle != challenge.handle {
            console.show(challenge, timeLeft: attempt.timeLeft(), resendIn: attempt.timeToResend())
          }
          approval = pending
          line = try await pending.next(for: challenge, retryAfter: failure?.retryAfter, clock)
        } else {
          line = try await console.line(
            answering: challenge, timeLeft: attempt.timeLeft(), resendIn: attempt.timeToResend(),
            continuing: "login --continue", from: approval?.nextLine ?? readLine)
        }
        switch line {
        case .answer(let answer): attempt.answer(answer)
        case .resend:
          if let sentence = ChallengeLine.refusal(toResendIn: attempt.timeToResend()) {
            console.say(sentence)
          } else {
            attempt.resend()
          }
        case .cancel:
          await giveUp(attempt)
          throw AuthenticationError.declined
        }
      case .collecting, .submitting, .externalInteraction: continue
      }
    }
  }

  /// Ends the attempt, which leaves nothing to continue.
  private func giveUp(_ attempt: SignInAttempt) async {
    attempt.cancel()
    await attempt.finished()
  }
}

/// A step that the user takes on another device, while a line may be typed. The one line that is being read is not lost
/// when the step is another one afterwards.
private final class PendingApproval {
  /// The one that was asked last.
  private(set) var challenge: Challenge?
  private let readLine: @Sendable () async throws -> String?
  private var reading: Task<String?, any Error>?
  /// Whether the input has answered once: where it ends after that, the other device alone is waited for.
  private var isAnswered = false
  private var isAtEnd = false

  init(_ readLine: @escaping @Sendable () async throws -> String?) { self.readLine = readLine }

  private enum Event: Sendable {
    case line(Result<String?, any Error>)
    case time
  }

  /// The answer of the input, or the question whether the user has approved, once the provider may be asked for it.
  ///
  /// - Parameter retryAfter: how long the provider wants to be left alone; nil if it did not say.
  /// - Throws: ``AuthenticationError/challengeRequired`` where the input ends.
  func next(
    for challenge: Challenge, retryAfter: Duration?, _ clock: any AuthenticationClock
  ) async throws -> ChallengeLine {
    self.challenge = challenge
    let time = max(challenge.pollInterval ?? .seconds(5), retryAfter ?? .zero)
    let (events, source) = AsyncStream<Event>.makeStream()
    let alarm = Task {
      try await clock.sleep(for: time)
      source.yield(.time)
    }
    defer { alarm.cancel() }
    if !isAtEnd {
      let reading = startReading()
      Task { source.yield(.line(await reading.result)) }
    }
    for await event in events {
      switch event {
      case .time: return .answer(ChallengeAnswer(to: challenge, .approval))
      case .line(let read):
        reading = nil
        if let line = try read.get() {
          isAnswered = true
          return ChallengeLine(line, to: challenge)
        }
        isAtEnd = true
        if !isAnswered { throw AuthenticationError.leftPending(challenge, "login --continue") }
      }
    }
    // The time for the login is over.
    throw AuthenticationError.leftPending(challenge, "login --continue")
  }

  /// The line that is being read, or the next one.
  var nextLine: @Sendable () async throws -> String? {
    let reading = startReading()
    self.reading = nil
    return { try await reading.value }
  }

  private func startReading() -> Task<String?, any Error> {
    let task = reading ?? Task { [readLine] in try await readLine() }
    reading = task
    return task
  }
}

extension AuthenticationError {
  static let nothingPending = Self(
    .notSignedIn, "No login waits for a step, or the step is no longer accepted.", suggestion: "Log in anew."
  ).with(\.reason, .ownAdvice)
}
