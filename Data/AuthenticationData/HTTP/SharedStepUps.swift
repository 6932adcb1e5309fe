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
    let task: Task<Answer, Never>
    var waiters: [Int: CheckedContinuation<Answer, Never>] = [:]
    var isAbandoned = false
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
    while let other = running, other.wanted != wanted || other.isAbandoned { _ = await other.task.value }
    if succeeded[wanted, default: 0] > seen { return true }
    if running == nil { start(wanted) }
    nextWaiter += 1
    let waiter = nextWaiter
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0, as: waiter) }
    } onCancel: {
      Task { await self.leave(waiter) }
    }
    return try answer.get()
  }

  private func start(_ wanted: Wanted) {
    let task = Task {
      let answer = await result(wanted)
      finish(answer, wanted)
      return answer
    }
    running = Running(wanted: wanted, task: task)
  }

  private func wait(_ continuation: CheckedContinuation<Answer, Never>, as waiter: Int) {
    running?.waiters[waiter] = continuation
    if Task.isCancelled { leave(waiter) }
  }

  private func leave(_ waiter: Int) {
    guard let continuation = running?.waiters.removeValue(forKey: waiter) else { return }
    continuation.resume(returning: .failure(.cancelled))
    guard running?.waiters.isEmpty == true else { return }
    running?.isAbandoned = true
    running?.task.cancel()
  }

  private func finish(_ answer: Answer, _ wanted: Wanted) {
    if case .success(true) = answer {
      count += 1
      succeeded[wanted] = count
    }
    let waiters = running?.waiters.values.map { $0 } ?? []
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
