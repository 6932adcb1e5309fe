import AuthenticationDomain
import AuthenticationDiagnostics
import Simulation
import Testing

/// The report of a world in which everything fails that can.
@Suite struct ReportTests {
  /// The causes that a report may name for the states of a manager.
  private static let names: [SignOutReason: Set<String>] = [
    .requested: ["requested", "elsewhere"], .rejected: ["rejected", "token_reused"], .ambiguousLoss: ["ambiguous_loss"],
    .elsewhere: ["elsewhere", "store_erased", "another_user"],
  ]

  @Test(.serialized, arguments: [0..<200, 50_000..<50_200] as [Range<UInt64>])
  func `each end of a session is named from its report alone, which replays as it was`(seeds: Range<UInt64>)
    async throws
  {
    let ends = try await onThreadOfItsOwn {
      var ends: [SignOutReason: Int] = [:]
      for seed in seeds {
        for recording in Simulation.recordings(seed: seed) {
          let report = recording.report()
          for (index, step) in report.replay.enumerated() {
            #expect(step.isReplayed, "seed \(seed), \(recording.name), step \(index)")
            #expect(step.difference == nil, "seed \(seed), \(recording.name), step \(index), \(step.step.name)")
          }
          var latest: Set<String>?
          for (state, next) in zip(recording.shown, recording.shown.dropFirst()) {
            if next.session != nil { latest = nil }
            guard case .signedOut(let reason) = next, let names = Self.names[reason] else { continue }
            // A session of another process that came and ended in one transaction was never shown.
            latest?.formUnion(names)
            if state.session == nil { continue }
            latest = names
            ends[reason, default: 0] += 1
            let isNamed = report.findings.contains { names.contains($0.kind.rawValue) }
            #expect(isNamed, "seed \(seed), \(recording.name): \(reason) is not in \(report.findings)")
          }
          if let latest {
            #expect(report.cause.map(latest.contains) == true, "seed \(seed), \(recording.name): \(report.findings)")
          }
        }
      }
      return ends
    }
    for reason in [SignOutReason.requested, .rejected, .ambiguousLoss] {
      #expect(ends[reason, default: 0] > 0, "\(reason)")
    }
  }
}
