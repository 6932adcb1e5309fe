import AuthenticationDomain

/// The use case of an app's attempts, which tells the invariants how each call ends.
struct WatchedUseCase: AuthenticationUseCase {
  let upstream: any AuthenticationUseCase
  let client: Client

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    do throws(AuthenticationError) {
      let outcome = try await upstream.signIn(request)
      if let call = request.credentials.number { client.world.ended(call, on: client) }
      return outcome
    } catch {
      if let call = request.credentials.number { client.world.ended(call, on: client, error) }
      throw error
    }
  }
}

extension Credentials {
  /// The call that a simulated user's form or code belongs to.
  fileprivate var number: Int? {
    switch self {
    case let form as SimulatedCredentials: form.call
    case let answer as ChallengeAnswer: Int(answer.code.reveal())
    default: nil
    }
  }
}

extension World {
  /// The caller of a sign-in is told how it ended.
  func ended(_ call: Int, on client: Client, _ failure: AuthenticationError? = nil) {
    guard failure == nil || !client.process.hasExited else { return }
    invariants.signInEnded(call, on: client.id)
    guard let failure, failure != .challengeRequired else { return }
    // A caller that leaves while a root's side effects run stays signed in.
    if client.app != nil, failure == .cancelled, invariants.wasAdopted(call) { return }
    invariants.signInFailed(call)
  }
}
