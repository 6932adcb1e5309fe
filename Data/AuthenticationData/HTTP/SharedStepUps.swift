import AuthenticationDomain

/// One sign-in at a time; all the requests that one person was refused for the same reason wait for the same one.
///
/// It runs in a task of its own, which ends with the last of those who wait for it.
actor SharedStepUps {
  struct Wanted: Hashable, Sendable {
    let person: String
    let requirements: AuthenticationRequirements
  }

  private typealias Answer = Result<Bool, AuthenticationError>

  private struct Running {
    let wanted: Wanted
    let task: Task<Void, Never>
    var isAbandoned = false
    /// Those who want it, and those who wait for it to end because they want another.
    var waiters: [Int: (isBystander: Bool, continuation: CheckedContinuation<Answer, Never>)] = [:]
  }

  private let useCase: any AuthenticationUseCase
  private let credentials: StepUp
  private var running: Running?
  private var nextWaiter = 0
  /// The count at the last success of each.
  private var succeeded: [Wanted: Int] = [:]
  /// How many sign-ins succeeded.
  private(set) var count = 0

  init(useCase: any AuthenticationUseCase, credentials: @escaping StepUp) {
    self.useCase = useCase
    self.credentials = credentials
  }

  /// False where nobody shall sign in again.
  ///
  /// - Parameter seen: the count before the request that was refused: a later sign-in for the same reason is enough.
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
    running = Running(wanted: wanted, task: Task { finish(await result(wanted), wanted) })
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
      let user = try await useCase.signIn(with: credentials)
      return user.id == wanted.person ? .success(true) : .failure(.superseded)
    } catch {
      return .failure(error)
    }
  }
}
