import AuthenticationDomain
import Foundation
import Simulation
import Testing

@Suite struct SimulationTests {
  // Failure rows 8 to 21, 28 and 33, wherever a seed lets them meet.
  // One after the other: the tests that run at the same time need a core, too.
  @Test(.serialized, arguments: [0..<2_000, 2_000..<4_000] as [Range<UInt64>])
  func `no schedule, fault or crash costs anybody a session`(seeds: Range<UInt64>) async throws {
    try await onThreadOfItsOwn {
      for seed in seeds { _ = try Simulation.run(seed: seed) }
    }
  }

  @Test func `a seed makes the same world again, whatever was simulated before it`() async throws {
    let seeds: [UInt64] = Array(100..<130)
    let (once, again) = try await onThreadOfItsOwn {
      (seeds.map { Simulation.trace(seed: $0).lines }, seeds.reversed().map { Simulation.trace(seed: $0).lines })
    }
    #expect(once == again.reversed())
    #expect(once.allSatisfy { $0.count > 5 })
  }

  /// Each found a defect, of the library or of its specification.
  @Test(
    arguments: [
      // A queue that was to be saved later brought the session back that another process had refreshed meanwhile.
      47_841,
      // A caller that gave up waiting for a refresh got the token that a resource had just refused.
      120_611,
      // The request of a process that exited reached the provider after its successor's.
      217_445,
      // A manager that had lost its watch heard of nothing any more.
      389,
      // A sign-in over a store that could not be read, stored and said not to be, came back over its own refreshes.
      941,
      // Another process told the journal of a send between a sign-in that was not stored and its next try.
      73_947,
      // A session came back together with its revocation, which a sign-out elsewhere had queued.
      4_318,
      // A process that could not know whether a sign-in was stored went back to that user's earlier session.
      185_845,
      // A journal that was written, and said not to be, was taken for another process's refresh.
      255_612,
      // A send that the journal did not count was taken off it.
      89_869,
      // The refresh of a sign-in that was stored, and said not to be, came back over a later sign-in elsewhere.
      368_670,
      // A sign-in that seemed not to be stored cannot know that it was, and was signed out elsewhere.
      2_811,
    ] as [UInt64])
  func `a seed that once failed does not fail again`(seed: UInt64) async throws {
    _ = try await onThreadOfItsOwn { try Simulation.run(seed: seed, hasExtras: false) }
  }

  @Test func `the worlds are no idyll`() async throws {
    let sum = try await onThreadOfItsOwn {
      var sum = Summary()
      for seed in 20_000..<20_600 as Range<UInt64> { sum += try Simulation.run(seed: seed) }
      return sum
    }
    #expect(sum.seeds == 600)
    #expect(sum.intents > 2_000)
    #expect(sum.refreshes > 300)
    #expect(sum.kills > 50)
    #expect(sum.stops > 10)
    #expect(sum.drains > 20)
    #expect(sum.lostAnswers > 20)
    #expect(sum.deniedWrites > 20)
    #expect(sum.lostWatches > 20)
    #expect(sum.lostLocks > 2)
    #expect(sum.challenges > 20)
    #expect(sum.serverDates > 20)
    #expect(sum.attempts > 200)
    #expect(sum.attemptsGivenUp > 50)
    #expect(sum.stepsResumed > 20)
    #expect(sum.resourceTokens > 200)
    for reason in ["requested", "rejected", "elsewhere", "ambiguous_loss"] {
      #expect(sum.signOuts.contains { $0.key.description == reason && $0.value > 0 }, "\(reason)")
    }
  }
}

/// Worlds are simulated for seconds without a suspension: that is nothing for the threads that all tests share.
func onThreadOfItsOwn<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try body() }) }
    thread.stackSize = 8 << 20
    thread.start()
  }
}
