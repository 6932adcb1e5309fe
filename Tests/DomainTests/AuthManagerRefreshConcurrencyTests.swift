import AuthenticationDomain
import AuthenticationDomainTesting
import Testing
import Foundation

/// Many callers, one refresh.
@Suite(.tags(.concurrency), .timeLimit(.minutes(10))) struct AuthManagerRefreshConcurrencyTests {
  // failure row 11
  @Test func `a thousand callers cause one refresh, and all are answered by it`() async throws {
    let bench = try await Bench.refreshing()
    let callers = (0..<1_000).map { _ in bench.startRefresh() }
    await bench.provider.waitForArrival(of: .refresh)
    bench.provider.release(.refresh)
    for caller in callers { #expect(await caller.value == .success(bench.session(2))) }
    #expect(bench.refreshes == 1)
  }

  // failure row 11
  @Test func `ten thousand parallel callers cause one refresh`() async throws {
    let bench = try await Bench.refreshing()
    bench.provider.release(.refresh)
    try await withThrowingTaskGroup { group in
      for _ in 0..<10_000 { group.addTask { try await bench.manager.validSession() } }
      for try await session in group { #expect(session.accessToken.value == Secret("access-2")) }
    }
    #expect(bench.refreshes == 1)
  }

  // failure row 30
  @Test(arguments: [AuthenticationError.unreachable, .sessionRejected])
  func `a hundred waiting callers hear of one failure`(error: AuthenticationError) async throws {
    let bench = try await Bench.refreshing(answering: .failure(error))
    let callers = (0..<100).map { _ in bench.startRefresh() }
    await bench.provider.waitForArrival(of: .refresh)
    bench.provider.release(.refresh)
    for caller in callers { #expect(await caller.value == .failure(error)) }
    #expect(bench.refreshes == 1)
  }

  // failure row 17
  @Test(arguments: [[0], [4], [0, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3, 4]])
  func `callers that give up end no other caller's wait`(cancelled: [Int]) async throws {
    let bench = try await Bench.refreshing()
    var states = bench.manager.states().makeAsyncIterator()
    _ = await states.next()
    let callers = (0..<5).map { _ in bench.startRefresh() }
    await bench.provider.waitForArrival(of: .refresh)
    for index in cancelled { callers[index].cancel() }
    for index in cancelled { #expect(await callers[index].value == .failure(.cancelled)) }
    bench.provider.release(.refresh)
    for index in 0..<5 where !cancelled.contains(index) {
      #expect(await callers[index].value == .success(bench.session(2)))
    }
    #expect(await states.next() == .using(bench.session(2)))
    #expect(bench.refreshes == 1)
  }

  // failure row 17
  @Test(arguments: [3, 7, 11, 19]) func `callers that give up while the answer comes leave every other caller answered`(
    seed: Int
  ) async throws {
    let bench = try await Bench.refreshing()
    let callers = (0..<200).map { _ in bench.startRefresh() }
    await bench.provider.waitForArrival(of: .refresh)
    await withTaskGroup { group in
      for (index, caller) in callers.enumerated() where index * index % seed < seed / 2 {
        group.addTask { caller.cancel() }
      }
      group.addTask { bench.provider.release(.refresh) }
    }
    for caller in callers {
      let answer = await caller.value
      #expect(answer == .success(bench.session(2)) || (caller.isCancelled && answer == .failure(.cancelled)))
    }
    #expect(bench.refreshes == 1)
  }

  // failure row 31
  @Test func `a caller whose token was refused is not answered with it by another caller's failed refresh`()
    async throws
  {
    let bench = Bench()
    let session = bench.session(1)
    try await bench.signIn(as: session)
    bench.clock.advance(by: .seconds(3_540))
    bench.provider.answerRefresh(.failure(.unreachable))
    bench.provider.hold(.refresh)
    let early = bench.startRefresh()
    await bench.provider.waitForArrival(of: .refresh)
    let refused = bench.startRefresh(rejecting: session.accessToken)
    bench.provider.release(.refresh)
    #expect(await early.value == .success(session))
    #expect(await refused.value == .failure(.unreachable))
  }

  @Test func `a caller that has given up is not made to wait`() async throws {
    let bench = try await Bench.refreshing()
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask {
        _ = await #expect(throws: AuthenticationError.cancelled) { try await bench.manager.validSession() }
      }
    }
  }
}
