import AuthenticationDomain

/// The provider's part in attempts.
extension SimulatedProvider {
  func signIn(byForm form: SimulatedCredentials) async throws(AuthenticationError) -> SignInOutcome {
    let world = world
    guard begin(form.call, "a form", to: nil) else { throw .cancelled }
    guard world.attempts.chance(75) else {
      return try await session(of: form.userID, for: form.call) {
        world.attempts.chance(20) ? .invalidCredentials : nil
      }
    }
    return try await step("a form of \(form.userID)", call: form.call) {
      .success(world.issuer.ask(form.userID, for: form.call, at: world.time))
    }
  }

  func signIn(by answer: ChallengeAnswer) async throws(AuthenticationError) -> SignInOutcome {
    let world = world
    let handle = answer.challenge.handle.reveal()
    if case .resend = answer.content {
      let call = world.newCall()
      guard begin(call, "a resend", to: handle) else { throw .cancelled }
      return try await step("a resend of \(handle)", call: call) {
        world.issuer.askAgain(handle, for: call, at: world.time)
      }
    }
    guard let call = Int(answer.code.reveal()), begin(call, "a code", to: handle) else { throw .cancelled }
    return try await session(of: answer.challenge.userID, for: call) {
      world.issuer.take(world.attempts.chance(70), for: handle, at: world.time)
    }
  }

  private func begin(_ call: Int, _ request: String, to handle: String?) -> Bool {
    guard begin(call) else { return false }
    if call >= World.firstCallOfAttempts { client.app?.willSend(request, to: handle) }
    return true
  }

  private func step(
    _ request: String, call: Int, serve: @escaping () -> Result<String, AuthenticationError>
  ) async throws(AuthenticationError) -> SignInOutcome {
    let world = world
    let handle: String = try await client.exchange(request, serve: serve) { [client] result in
      guard case .success(let handle) = result else { return }
      world.summary.challenges += 1
      world.askedAt[handle] = world.time
      world.invariants.asked(handle, for: call, on: client.id)
    }
    return .challenge(
      Challenge(
        kind: .smsCode, handle: Secret(handle), lifetime: Issuer.stepLifetime, resendDelay: Issuer.resendDelay))
  }
}
