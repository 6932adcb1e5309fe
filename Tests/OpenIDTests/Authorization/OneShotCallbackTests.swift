import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationBrowser
@testable import AuthenticationOpenID

@Suite struct OneShotCallbackTests {
  private static let first = URL(string: "com.example.app:/callback?first")!
  private static let second = URL(string: "com.example.app:/callback?second")!

  @Test func `of several answers the first counts`() async throws {
    let callback = OneShotCallback()
    #expect(!callback.isComplete)
    #expect(callback.complete(.success(Self.first)))
    #expect(!callback.complete(.success(Self.second)) && !callback.complete(.failure(.cancelled)))
    #expect(try await callback.value() == Self.first && callback.isComplete)
  }

  @Test func `10,000 answers at once are one`() async throws {
    let callback = OneShotCallback()
    async let value = callback.value()
    let counted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<10_000 { group.addTask { callback.complete(.success(Self.first)) } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(counted == 1)
    #expect(try await value == Self.first)
  }

  @Test func `a waiting caller is told of a cancellation, and a later answer is too late`() async {
    let callback = OneShotCallback()
    let task = Task { try await callback.value() }
    task.cancel()
    await #expect(throws: AuthenticationError.cancelled) { try await task.value }
    #expect(!callback.complete(.success(Self.first)))
  }
}

/// A browser session by a test's script.
@MainActor
private final class ScriptedAgent: CallbackAgent {
  let log = Log()
  let starts: Bool
  let answers: [OneShotCallback.Outcome]
  let started: @MainActor () -> Void

  init(
    starts: Bool = true, _ answers: OneShotCallback.Outcome..., started: @escaping @MainActor () -> Void = {}
  ) {
    self.starts = starts
    self.answers = answers
    self.started = started
  }

  func start(_ url: URL, completing callback: OneShotCallback) -> Bool {
    log.append("start \(url)")
    for answer in answers { callback.complete(answer) }
    started()
    return starts
  }

  func cancel() { log.append("cancel") }
}

@Suite @MainActor struct CallbackAgentTests {
  private let page = URL(string: "https://id.example.com/authorize")!
  private let redirect = URL(string: "com.example.app:/callback")!

  // failure row 39
  @Test func `the answer of a session is taken once, and its page closed`() async throws {
    let agent = ScriptedAgent(.success(redirect), .failure(.cancelled), .success(page))
    #expect(try await agent.callback(from: page) == redirect)
    #expect(agent.log.lines == ["start https://id.example.com/authorize", "cancel"])
  }

  // failure row 39
  @Test func `a session that does not start is an error at once`() async {
    let agent = ScriptedAgent(starts: false)
    await #expect(throws: AuthenticationError.notStarted) { try await agent.callback(from: page) }
  }

  @Test func `a page that the user closes is a cancellation`() async {
    let agent = ScriptedAgent(.failure(.cancelled))
    await #expect(throws: AuthenticationError.cancelled) { try await agent.callback(from: page) }
  }

  // failure row 39
  @Test func `a session that never calls back ends with the task, and its page closes`() async {
    let started = Gate()
    let agent = ScriptedAgent { Task { await started.pass() } }
    let task = Task { try await agent.callback(from: page) }
    await started.waitForArrivals(1)
    task.cancel()
    await #expect(throws: AuthenticationError.cancelled) { try await task.value }
    #expect(agent.log.lines.last == "cancel")
  }
}
