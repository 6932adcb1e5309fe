import Synchronization

extension SignInAttempt {
  /// One thing that is sent: credentials, or the answer to a challenge.
  struct Step: Sendable {
    let input: SignInInput
    /// Whether the credentials create an account.
    var isSignUp = false
    /// The challenge that is answered; nil at the beginning.
    let challenge: Challenge?
    let credentials: @Sendable (SignInProcess.Context) async throws(AuthenticationError) -> any Credentials
  }

  /// What came of a step, and which challenge was asked last.
  private struct Result: Sendable {
    var challenge: Challenge?
    let outcome: Swift.Result<User, AuthenticationError>
  }

  func run(_ step: Step) async {
    receipt.stepBegins()
    let context = SignInProcess.Context(step.input, link: link) { [weak self] in self?.wait($0) }
    let result = await SignInReceipt.$current.withValue(receipt) {
      await SignInAttributes.$current.withValue(step.input.attributes) { await perform(step, context) }
    }
    await conclude(result, step)
  }

  /// A process may answer the challenges of its own method by itself, a passkey's for example. Where the attempt is
  /// ended, the use case says whether the session was stored: nobody leaves it before that.
  private func perform(_ step: Step, _ context: SignInProcess.Context) async -> Result {
    var challenge = step.challenge
    do throws(AuthenticationError) {
      let presented = try await unlessEnded { () async throws(AuthenticationError) in
        try await step.credentials(context)
      }
      var credentials = presented
      while true {
        do throws(AuthenticationError) {
          let user = try await send(credentials, creating: step.isSignUp && challenge == nil)
          await process.accepted(presented, user)
          return Result(challenge: challenge, outcome: .success(user))
        } catch {
          guard error.code == .challengeRequired, let asked = error.challenge, asked != challenge,
            let content = try await unlessEnded({ [process] () async throws(AuthenticationError) in
              try await process.challengeAnswer(asked, context)
            })
          else { throw error }
          challenge = asked
          credentials = ChallengeAnswer(to: asked, content)
        }
      }
    } catch {
      return Result(challenge: challenge, outcome: .failure(error))
    }
  }

  private func send(_ credentials: any Credentials, creating: Bool) async throws(AuthenticationError) -> User {
    guard creating else { return try await surroundings.useCase.signIn(with: credentials) }
    guard let useCase = surroundings.useCase as? any SignUpUseCase else { throw .signUpUnsupported }
    return try await useCase.signUp(with: credentials)
  }

  /// A process may not notice that the attempt was ended, while a sheet of the system is open for example.
  private func unlessEnded<Value: Sendable>(
    _ obtain: @escaping @Sendable () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    try await AbandonableCall.run(on: surroundings.taskExecutor, obtain)
  }

  private func conclude(_ result: Result, _ step: Step) async {
    switch result.outcome {
    case .success(let user): await finish(.signedIn(user), at: result.challenge)
    case .failure(let error) where error.code == .cancelled: await finish(at: result.challenge)
    case .failure(let error) where error.code == .superseded: await finish(.replaced, at: result.challenge)
    case .failure(let error):
      if error.code == .challengeRequired, let asked = error.challenge {
        await ask(asked, isNew: !asked.isSameStep(as: step.challenge))
      } else if let challenge = result.challenge, error.code != .signInExpired, !receipt.isRefused {
        publish(.challenged(error.attemptsLeft.map(challenge.leaving) ?? challenge, error))
      } else {
        await surroundings.pending?.remove(id)
        publish(.failed(error))
      }
      // The app ended the attempt while its answer came.
      if state.isEnded { await forget(result.challenge) }
    }
  }

  /// It is kept for a relaunch before it is shown; if it cannot be kept, a relaunch begins anew.
  private func ask(_ challenge: Challenge, isNew: Bool) async {
    if isNew, contents.withLock({ $0.end == nil }) {
      let record = PendingSignIn(
        attempt: id, method: method.id, challenge: challenge, receivedAt: surroundings.clock.now)
      await surroundings.pending?.save(record)
    }
    publish(.challenged(challenge, nil), challengedAt: isNew ? surroundings.clock.uptime : nil)
    if state.isEnded { await forget(challenge) }
  }

  /// Ends it: as the result says, or else as the app asked. After the session was stored that is
  /// ``End/signedIn(_:)``, unless a sign-out has erased it since.
  private func finish(_ result: End? = nil, at challenge: Challenge?) async {
    let (end, isSignedOut) = contents.withLock { ($0.end, $0.isSignedOut) }
    let signedIn = receipt.session.map { End.signedIn($0.user) }
    publish(.ended(isSignedOut ? .cancelled : result ?? signedIn ?? end ?? .cancelled))
    await forget(challenge)
  }

  func forget(_ challenge: Challenge?) async {
    await surroundings.pending?.remove(id)
    if let challenge { await surroundings.dropChallenge(challenge) }
    contents.withLock { $0.work = nil }
  }
}
