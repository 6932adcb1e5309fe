import Foundation
import Synchronization

/// A process that asks for a valid token after each expiry, listened to by a separate thread.
package final class RotatingProcess: Sendable {
  private let commands = DispatchSemaphore(value: 0)
  private let answers = DispatchSemaphore(value: 0)
  private let state = Mutex((command: "", answer: ""))

  package init(_ world: World, isBlind: Bool) {
    // It is used on the thread alone.
    let arguments = world.arguments + (isBlind ? ["--blind"] : [])
    Thread.detachNewThread { [self] in
      let client = try? ClientProcess(arguments)
      while true {
        commands.wait()
        let command = state.withLock { $0.command }
        if command.isEmpty { return }
        let answer = (try? client?.answer(command)) ?? ClientProcess.died
        state.withLock { $0.answer = answer }
        answers.signal()
      }
    }
  }

  package func begin(_ command: String) {
    state.withLock { $0.command = command }
    commands.signal()
  }

  /// Waits for the answer to the begun call.
  package func end() -> String {
    answers.wait()
    return state.withLock { $0.answer }
  }

  package func stop() { begin("") }
}
