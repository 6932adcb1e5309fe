import AuthenticationTesting
import Testing

/// A cancelled wait changes nothing more; that it ends is shown where a time limit may end it.
@Suite(.timeLimit(.minutes(10))) struct WaitingTests {
  private let state = AwaitableState(0)
  private let asked = AwaitableState(0)

  private func start(cancelled: Bool) -> Task<Void, Never> {
    Task { [state, asked] in
      if cancelled { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      await state.wait { value in
        asked.update { $0 += 1 }
        return value > 0
      }
    }
  }

  @Test func `a wait that is cancelled asks for its condition no more`() async {
    let wait = start(cancelled: false)
    await asked.wait { $0 == 1 }
    wait.cancel()
    state.update { $0 = 1 }
    await wait.value
    #expect(asked.value == 1)
  }

  @Test func `a wait that was cancelled before asks for nothing`() async {
    let wait = start(cancelled: true)
    state.update { $0 = 1 }
    await wait.value
    #expect(asked.value == 0)
  }
}
