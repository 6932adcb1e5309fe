import AuthenticationDomain

/// A caller of a manager: it must be answered, unless its process dies.
///
/// `@unchecked Sendable`: confined to its world's thread (``World/add(_:)`` checks that).
final class Call: @unchecked Sendable {
  let name: String
  let process: SimulatedProcess
  var task: Task<Void, Never>?
  private(set) var isAnswered = false

  init(_ name: String, in process: SimulatedProcess) {
    self.name = name
    self.process = process
  }

  fileprivate func answer(_ text: @autoclosure () -> String) {
    isAnswered = true
    task = nil
    if !process.hasExited { process.world.note("\(name) is answered: \(text())") }
  }
}

extension World {
  /// Calls a manager from a task of its process.
  func call(
    _ name: String, on client: Client, _ body: @escaping @Sendable (AuthManager) async -> String
  ) {
    guard let manager = client.manager else { return }
    let call = Call("\(name) on \(client.name)", in: client.process)
    note("\(call.name) begins")
    calls.append(call)
    call.task = Task.detached(executorPreference: client.process.executor) {
      let answer = await body(manager)
      call.answer(answer)
    }
  }
}
