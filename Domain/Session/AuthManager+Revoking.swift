/// The delivery of revocations.
extension AuthManager {
  /// Whether revocations of earlier sign-outs are still queued.
  public var hasPendingRevocations: Bool { !machine.record.pendingRevocations.isEmpty }

  /// Sends the queued revocations to the provider, and returns when each was tried once.
  ///
  /// A caller whose task is cancelled gets ``AuthenticationError/Code/cancelled`` immediately; the delivery continues.
  ///
  /// - Returns: why revocations of the latest delivery failed: ``AuthenticationError/Code/unsupportedMethod`` if the
  ///   provider has no way to end a session, ``AuthenticationError/Code/timedOut`` if it did not respond in time. First
  ///   of all, ``AuthenticationError/Code/otherSessionsRemain`` after a sign-out on all devices that left some of them,
  ///   whichever delivery found that, until the next sign-in or sign-out.
  @discardableResult
  public nonisolated func deliverRevocations() async -> [AuthenticationError] {
    do throws(AuthenticationError) {
      return try await AbandonableCall.run(on: taskExecutor) { () async throws(AuthenticationError) in
        await self.deliver()
      }
    } catch {
      return [error]
    }
  }

  private func deliver() async -> [AuthenticationError] {
    readIfDue()
    startDelivery()
    return await delivery?.value ?? [othersRemain].compactMap { $0 } + deliveryFailures
  }

  func startDelivery() {
    guard delivery == nil, !machine.record.pendingRevocations.isEmpty else { return }
    delivery = Task(executorPreference: taskExecutor) { await self.deliverEach() }
  }

  private func deliverEach() async -> [AuthenticationError] {
    var failures: [AuthenticationError] = []
    var tried: [SessionTokens] = []
    while true {
      if !farewells.isEmpty {
        let (farewell, session, generation) = farewells.removeFirst()
        await say(farewell, of: session, generation)
        continue
      }
      guard let revocation = machine.record.pendingRevocations.first(where: { !tried.contains($0.tokens) }) else {
        break
      }
      tried.append(revocation.tokens)
      if !revocation.isTimely(at: clock.now) {
        transaction { handle(.revocationStarted(revocation, at: clock.now)) }
      }
      do { try await deliver(revocation) } catch { failures.append(error) }
    }
    delivery = nil
    deliveryFailures = failures
    return [othersRemain].compactMap { $0 } + failures
  }

  private func say(_ farewell: Farewell, of session: AuthSession, _ generation: Int) async {
    do throws(AuthenticationError) {
      try await AbandonableCall<Void>().run(within: policy.callerTimeout, by: clock, on: taskExecutor) { _ in
        do throws(AuthenticationError) { return .success(try await farewell.end(session)) } catch {
          return .failure(error)
        }
      }
    } catch {
      // After a later sign-in or sign-out it is no news of the latest one.
      if generation == machine.generation { othersRemain = .othersRemain(because: error) }
    }
  }

  /// A call that hangs does not delay those after it; its response counts even if it comes after the timeout.
  private func deliver(_ revocation: PendingRevocation) async throws(AuthenticationError) {
    try await AbandonableCall<Void>().run(within: policy.callerTimeout, by: clock, on: taskExecutor) { _ in
      await self.send(revocation)
    }
  }

  private func send(_ revocation: PendingRevocation) async -> Result<Void, AuthenticationError> {
    let answer: Result<Void, AuthenticationError>
    do throws(AuthenticationError) {
      if let user = machine.record.session?.user, revocation.userID ?? user.id == user.id {
        try await provider.retire(revocation.tokens)
      } else {
        try await provider.revoke(revocation.tokens)
      }
      answer = .success(())
      noteProviderReached()
    } catch {
      answer = .failure(error)
    }
    transaction { handle(.revocationAnswered(revocation, answer.failure)) }
    return answer
  }
}
