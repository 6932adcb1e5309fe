import AuthenticationDomain

/// Runs one sign-in at a time; requests of one person that were refused for the same reason share a sign-in.
///
/// A sign-in runs in a task of its own, which is cancelled when the last caller that wants it leaves.
actor SharedStepUps {
  struct Wanted: Hashable, Sendable {
    let person: String
    let requirements: AuthenticationRequirements
  }

  /// Whether this call is made by a running sign-in, which it therefore cannot wait for.
  @TaskLocal static var isSigningIn = false

  private typealias Answer = Result<Bool, AuthenticationError>

  private struct Running {
    let wanted: Wanted
    let task: Task<Void, Never>
    var isAbandoned = false
    /// The callers that want this sign-in, and the bystanders that wait for it to end because they want another one.
    var waiters: [Int: (isBystander: Bool, continuation: CheckedContinuation<Answer, Never>)] = [:]
  }

  private let useCase: any AuthenticationUseCase
  private let credentials: StepUp
  private var running: Running?
  private var nextWaiter = 0
  /// The value of ``count`` after the last success, for each wanted sign-in.
  private var succeeded: [Wanted: Int] = [:]
  /// How many sign-ins succeeded.
  private(set) var count = 0

  init(useCase: any AuthenticationUseCase, credentials: @escaping StepUp) {
    self.useCase = useCase
    self.credentials = credentials
  }

  /// Signs in, or waits for the sign-in that runs.
  ///
  /// - Parameter seen: the count before the request that was refused: a later sign-in for the same reason is enough.
  /// - Returns: false if there are no credentials to sign in with.
  func signIn(_ wanted: Wanted, after seen: Int) async throws(AuthenticationError) -> Bool {
    while true {
      if succeeded[wanted, default: 0] > seen { return true }
      let joins = running.map { $0.wanted == wanted && !$0.isAbandoned } ?? true
      if running == nil { start(wanted) }
      let answer = await wait(asBystander: !joins)
      if joins { return try answer.get() }
      if Task.isCancelled { throw .cancelled }
    }
  }

  private func start(_ wanted: Wanted) {
    running = Running(
      wanted: wanted, task: Task { finish(await Self.$isSigningIn.withValue(true) { await result(wanted) }, wanted) })
  }

  private func wait(asBystander isBystander: Bool) async -> Answer {
    nextWaiter += 1
    let waiter = nextWaiter
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        running?.waiters[waiter] = (isBystander, continuation)
        if Task.isCancelled { leave(waiter) }
      }
    } onCancel: {
      Task { await self.leave(waiter) }
    }
  }

  private func leave(_ waiter: Int) {
    guard let left = running?.waiters.removeValue(forKey: waiter) else { return }
    left.continuation.resume(returning: .failure(.cancelled))
    guard running?.waiters.values.contains(where: { !$0.isBystander }) == false else { return }
    running?.isAbandoned = true
    running?.task.cancel()
  }

  private func finish(_ answer: Answer, _ wanted: Wanted) {
    if case .success(true) = answer {
      count += 1
      succeeded[wanted] = count
    }
    let waiters = running?.waiters.values.map(\.continuation) ?? []
    running = nil
    for waiter in waiters { waiter.resume(returning: answer) }
  }

  private func result(_ wanted: Wanted) async -> Answer {
    do throws(AuthenticationError) {
      guard let credentials = try await credentials(wanted.requirements) else { return .success(false) }
      let user =
        if let useCase = useCase as? any ReauthenticationUseCase {
          try await useCase.reauthenticate(as: User(id: wanted.person), with: credentials)
        } else {
          try await useCase.signIn(with: credentials)
        }
      return user.id == wanted.person ? .success(true) : .failure(.superseded)
    } catch {
      return .failure(error)
    }
  }
}
