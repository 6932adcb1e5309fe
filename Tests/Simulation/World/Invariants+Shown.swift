import AuthenticationDomain

extension Invariants {
  @discardableResult
  mutating func asksToSignOut(_ client: Int) -> Attempts {
    views[client]?.signOuts += 1
    return attempts(on: client)
  }

  /// - Parameters:
  ///   - family: the family that the manager showed when it was asked.
  ///   - attempts: the result of ``asksToSignOut(_:)``.
  mutating func signedOut(_ client: Int, from family: Int?, ending attempts: Attempts? = nil, threw: Bool) {
    views[client]?.signOuts -= 1
    guard !threw else { return }
    if let attempts { overtake(attempts, on: client) }
    guard let family else { return }
    if stored.session?.family == family || views[client]?.shown.family == family {
      fail("\(name(client)) signed out of \(family), which is still in use")
    }
  }

  mutating func shows(_ now: Shown, on client: Int) {
    guard var view = views[client] else { return }
    let before = view.shown
    view.shown = now
    if let family = before.family, family != now.family { view.left.insert(family) }
    views[client] = view
    switch now {
    case .challenged(let handle):
      if before.family != nil, view.known?.session != nil { fail("\(view.name) lost sight of \(before)") }
      if view.openChallenge != handle { fail("\(view.name) asks for a code of \(handle), which is over") }
    case .signedIn(let set, let user, _):
      families[set.family]?.wasAdopted = true
      if case .challenged = before { views[client]?.openChallenge = nil }
      if before.family != set.family { check(set, of: user, by: "\(view.name) shows \(set)") }
      if mayReturn(set.family, after: before, on: view) { views[client]?.left.remove(set.family) }
      // A process that lost the lock may still have a session that another one was refused.
      let isUnguarded = sends.contains { $0.token.family == set.family && $0.isUnguarded }
      if views[client]?.left.contains(set.family) == true, !isUnguarded { fail("\(view.name) shows \(set) again") }
      if case .signedIn(let old, _, _) = before, old.family == set.family, old.rotation > set.rotation, !isUnguarded {
        fail("\(view.name) shows \(set) after the newer \(old)")
      }
      if families[set.family]?.user != user { fail("\(view.name) shows \(set) as \(user)'s") }
    case .signedOut(let reason):
      views[client]?.latestReason = reason
      if case .challenged = before, reason == view.latestReason ?? .absent { return }
      if !isAllowed(reason, after: before, on: view) {
        fail("\(view.name) signed out of \(before): \(reason)")
      }
    case .unknown, .unavailable:
      if before.family != nil { fail("\(view.name) lost sight of \(before)") }
    }
  }

  /// A process that cannot know whether its sign-in was stored takes the stored record for its successor. That may be
  /// the same user's session before, where another process has refreshed it: it never left the store.
  private func mayReturn(_ family: Int, after before: Shown, on view: View) -> Bool {
    guard case .signedIn(let set, let user, _) = before, view.unsure == set.family else { return false }
    return families[family].map { $0.user == user && !$0.wasReplaced } ?? false
  }

  private func isAllowed(_ reason: SignOutReason, after before: Shown, on view: View) -> Bool {
    let family = before.family
    let isStored = view.known.map { $0.session == nil && $0.endReason == reason } ?? false
    switch reason {
    // Another process ended the session, and was held to the reason when it showed it.
    case .requested where isStored: return true
    case .rejected where isStored && family.flatMap({ view.refusals[$0] }) == nil: return true
    // The session that was refused is a later one: it had taken the place of this one.
    case .rejected where isStored && family.flatMap({ families[$0]?.wasReplaced }) ?? false: return true
    case .requested: return view.signOuts > 0
    case .absent, .elsewhere: return view.known.map { $0.session == nil } ?? false
    case .ambiguousLoss:
      if let formerUser = view.known?.formerUser {
        guard case .signedIn(_, let user, _) = before else { return true }
        if user != formerUser { return false }
        if family.map({ view.refusals[$0] == nil }) ?? true { return true }
      }
      return family.map { view.refusals[$0] != nil && lostAnswer(of: $0) } ?? false
    case .rejected:
      guard let family, let refusal = view.refusals[family] else { return false }
      if refusal != .reuse, refusal != .unknown { return true }
      if families[family]?.endedLate == true { return true }
      return sends.contains { $0.token.family == family && (!$0.isJournalled || $0.isUnguarded) }
    default: return false
    }
  }

  private func lostAnswer(of family: Int?) -> Bool {
    let isLost = sends.contains { $0.token.family == family && ($0.isLost || $0.isUnguarded) }
    return isLost || family.flatMap { families[$0]?.isInDoubt } ?? false
  }

  /// After a job: the shown session is the stored one as far as this manager can know, or it is marked.
  mutating func rests(_ client: Int) {
    guard let view = views[client], let known = view.known else { return }
    switch view.shown {
    case .signedIn(let set, _, false) where known.session != set:
      fail("\(view.name) shows \(set), knows that \(known) is stored, and does not say so")
    case .signedOut where known.session != nil && !view.hasFailedToWrite,
      .challenged where known.session != nil && !view.hasFailedToWrite:
      fail("\(view.name) shows no user, and knows that \(known) is stored")
    default: break
    }
  }

  /// A session is current only after it was stored.
  ///
  /// - Parameter now: the manager's state when the write begins.
  mutating func willWrite(_ record: Stored, by client: Int, showing now: Shown) {
    guard let view = views[client], view.known?.session != record.session, !view.hasFailedToWrite else { return }
    switch now {
    case .signedIn(let set, _, false) where set == record.session && view.shown != now:
      fail("\(view.name) shows \(set) before it is stored")
    case .signedOut where record.session == nil && view.shown.family != nil:
      fail("\(view.name) shows no user before that is stored")
    default: break
    }
  }
}
