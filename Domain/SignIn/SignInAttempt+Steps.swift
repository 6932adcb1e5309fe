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
    let context = SignInProcess.Context(step.input, link: link) { [weak self] in self?.wait($0) }
    let result: Result
    do throws(AuthenticationError) {
      result = try await AbandonableCall.run { [process, surroundings] () async throws(AuthenticationError) in
        await SignInAttributes.$current.withValue(step.input.attributes) {
          await Self.result(of: step, context, process, surroundings.useCase)
        }
      }
    } catch {
      result = Result(challenge: step.challenge, outcome: .failure(error))
    }
    await conclude(result, step)
  }

  /// A process may answer the challenges of its own method by itself, a passkey's for example.
  private static func result(
    of step: Step, _ context: SignInProcess.Context, _ process: SignInProcess, _ useCase: any AuthenticationUseCase
  ) async -> Result {
    var challenge = step.challenge
    do throws(AuthenticationError) {
      var credentials = try await step.credentials(context)
      while true {
        do throws(AuthenticationError) {
          let user = try await send(credentials, creating: step.isSignUp && challenge == nil, useCase)
          return Result(challenge: challenge, outcome: .success(user))
        } catch {
          guard error.code == .challengeRequired, let asked = error.challenge, asked != challenge,
            let content = try await process.challengeAnswer(asked, context)
          else { throw error }
          challenge = asked
          credentials = ChallengeAnswer(to: asked, content)
        }
      }
    } catch {
      return Result(challenge: challenge, outcome: .failure(error))
    }
  }

  private static func send(
    _ credentials: any Credentials, creating: Bool, _ useCase: any AuthenticationUseCase
  ) async throws(AuthenticationError) -> User {
    guard creating else { return try await useCase.signIn(with: credentials) }
    guard let useCase = useCase as? any SignUpUseCase else { throw .signUpUnsupported }
    return try await useCase.signUp(with: credentials)
  }

  private func conclude(_ result: Result, _ step: Step) async {
    switch result.outcome {
    case .success(let user): await finish(.signedIn(user), at: result.challenge)
    case .failure(let error) where error.code == .cancelled: await finish(at: result.challenge)
    case .failure(let error) where error.code == .superseded: await finish(.replaced, at: result.challenge)
    case .failure(let error):
      if error.code == .challengeRequired, let asked = error.challenge {
        await ask(asked, isNew: asked.handle != step.challenge?.handle)
      } else if let challenge = result.challenge, error.code != .signInExpired {
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

  /// Ends it: as the result says, or else as the app asked.
  private func finish(_ result: End? = nil, at challenge: Challenge?) async {
    publish(.ended(result ?? contents.withLock { $0.end } ?? .cancelled))
    await forget(challenge)
  }

  func forget(_ challenge: Challenge?) async {
    await surroundings.pending?.remove(id)
    if let challenge { await surroundings.dropChallenge(challenge) }
    contents.withLock { $0.work = nil }
  }
}
