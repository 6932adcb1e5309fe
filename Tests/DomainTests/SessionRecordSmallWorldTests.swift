import AuthenticationDomainTesting
import Testing

@testable import AuthenticationDomain

/// All that two processes can do to one record in up to three steps each, merged in all ways.
@Suite struct SessionRecordSmallWorldTests {
  enum Step: CaseIterable { case refresh, signIn, signOut, refusal, orphan, delivery }

  /// One process's change of the record that both knew.
  struct Side: CustomStringConvertible {
    var record: SessionRecord
    var steps: [Step] = []
    /// A user signed in or out.
    var hasIntent: Bool { steps.contains(.signIn) || steps.contains(.signOut) }
    var description: String { "\(steps)" }

    func taking(_ step: Step, as process: Int) -> Side? {
      let number = process * 100 + steps.count * 10
      var next = self
      next.steps.append(step)
      switch step {
      case .refresh where record.session != nil: next.record = record.refreshed(to: number + 1)
      case .signIn: next.record = record.signedIn(RecordID(UInt64(process), UInt64(steps.count)), number + 2)
      case .signOut where record.session != nil: next.record = record.signedOut()
      case .refusal where record.session != nil: next.record = record.refused()
      case .orphan:
        next.record.pendingRevocations.append(.init(tokens: .sample(number + 3, receivedAt: .noon), queuedAt: .noon))
      case .delivery where !record.pendingRevocations.isEmpty: next.record.pendingRevocations.removeFirst()
      default: return nil
      }
      return next
    }
  }

  static func sides(from base: SessionRecord, as process: Int) -> [Side] {
    var all = [Side(record: base)]
    var last = all
    for _ in 1...3 {
      last = last.flatMap { side in Step.allCases.compactMap { side.taking($0, as: process) } }
      all += last
    }
    return all
  }

  static let bases: [SessionRecord] = {
    var owing = SessionRecord.of("a", 1)
    owing.pendingRevocations = [PendingRevocation(tokens: .sample(9, receivedAt: .noon), queuedAt: .noon)]
    return [SessionRecord(), owing, owing.refused()]
  }()

  @Test(arguments: bases.indices)
  func `no merge restores an ended sign-in, forgets a revocation or overrules a sign-in or a sign-out`(index: Int) {
    let base = Self.bases[index]
    let (all, others) = (Self.sides(from: base, as: 1), Self.sides(from: base, as: 2))
    var pairs = 0
    for ours in all {
      for stored in others {
        pairs += 1
        if let violation = violation(of: ours, stored, since: base) {
          Issue.record("ours \(ours), stored \(stored), base \(index): \(violation)")
          return
        }
      }
    }
    #expect(pairs > 1_000)
  }

  private func violation(of ours: Side, _ stored: Side, since base: SessionRecord) -> String? {
    let merged = ours.record.merged(with: stored.record, since: base, at: .noon)
    if merged.merged(with: stored.record, since: stored.record, at: .noon) != merged { return "merging again differs" }
    let ended = (ours.record.endedSignIns + stored.record.endedSignIns).filter { $0.refreshes == nil }
    if ended.contains(where: { $0.id == merged.signInID }) { return "a sign-in that was ended returns" }
    if merged.hasEnded(merged.signInID) { return "the session's sign-in counts as ended" }
    if merged.session != nil, merged.endReason != nil { return "a session has a reason why it ended" }
    if merged.session == nil, base.session ?? ours.record.session ?? stored.record.session != nil,
      merged.endReason == nil
    {
      return "it is not known why the session ended"
    }
    for loser in [ours.record, stored.record] where loser.signInID != merged.signInID {
      guard let session = loser.session, !isOver(session, in: [ours, stored], since: base) else { continue }
      if !merged.pendingRevocations.contains(where: { $0.tokens.access == session.accessToken }) {
        return "tokens of a loser are not revoked"
      }
    }
    if ours.hasIntent != stored.hasIntent, ours.steps.last != .refusal, stored.steps.last != .refusal {
      let wanted = ours.hasIntent ? ours : stored
      if merged.session != wanted.record.session { return "a refresh beats an intent" }
    }
    return nil
  }

  /// Whether the tokens are taken back already: by the revocation or the refresh of a side, or by the provider's
  /// refusal.
  private func isOver(_ session: AuthSession, in sides: [Side], since base: SessionRecord) -> Bool {
    sides.contains { side in
      side.steps.contains(.delivery) || side.steps.contains(.refusal)
        || side.steps.contains(.refresh) && session == base.session
    }
  }
}
