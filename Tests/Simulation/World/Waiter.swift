/// A caller that waits for the world: it is answered once, cancelled, or abandoned with its process.
///
/// `@unchecked Sendable`: confined to its world's thread (``World/add(_:)`` checks that).
final class Waiter<Answer: Sendable>: @unchecked Sendable {
  private var continuation: CheckedContinuation<Answer, Never>?
  private var answer: Answer?
  var onAnswer: () -> Void = {}

  var isAnswered: Bool { answer != nil }

  func resolve(_ answer: Answer) {
    guard self.answer == nil else { return }
    self.answer = answer
    onAnswer()
    onAnswer = {}
    continuation?.resume(returning: answer)
    continuation = nil
  }

  fileprivate func wait(_ continuation: CheckedContinuation<Answer, Never>) {
    if let answer { return continuation.resume(returning: answer) }
    self.continuation = continuation
  }
}

extension SimulatedProcess {
  /// Suspends until the world resolves the waiter; `gone` is the answer to a cancelled task and in a process that
  /// exited.
  ///
  /// - Parameter isCancellable: false where a cancelled task waits all the same.
  func wait<Answer: Sendable>(
    gone: Answer, isCancellable: Bool = true, start: (Waiter<Answer>) -> Void
  ) async -> Answer {
    let waiter = Waiter<Answer>()
    if hasExited { return gone }
    let id = register { waiter.resolve(gone) }
    waiter.onAnswer = { [self] in unregister(id) }
    return await withTaskCancellationHandler {
      if !waiter.isAnswered { start(waiter) }
      return await withCheckedContinuation { waiter.wait($0) }
    } onCancel: {
      if isCancellable { waiter.resolve(gone) }
    }
  }
}
