import AuthenticationDomain

extension Invariants {
  mutating func asksToSignOut(_ client: Int) { views[client]?.signOuts += 1 }

  /// - Parameter family: what the manager showed when it was asked.
  mutating func signedOut(_ client: Int, from family: Int?, threw: Bool) {
    views[client]?.signOuts -= 1
    guard !threw, let family else { return }
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
    case .signedIn(let set, let user, _):
      if before.family != set.family { check(set, of: user, by: "\(view.name) shows \(set)") }
      if mayReturn(set.family, after: before, on: view) { views[client]?.left.remove(set.family) }
      if views[client]?.left.contains(set.family) == true { fail("\(view.name) shows \(set) again") }
      if case .signedIn(let old, _, _) = before, old.family == set.family, old.rotation > set.rotation {
        fail("\(view.name) shows \(set) after the newer \(old)")
      }
      if families[set.family]?.user != user { fail("\(view.name) shows \(set) as \(user)'s") }
    case .signedOut(let reason):
      if !isAllowed(reason, after: before, on: view) {
        fail("\(view.name) signed out of \(before): \(reason)")
      }
    case .unknown, .unavailable:
      if before.family != nil { fail("\(view.name) lost sight of \(before)") }
    }
  }

  /// Who cannot know whether its sign-in was stored takes what is stored now for what was made of it. That may be the
  /// same person's session before, where another process has renewed it: it never left the store.
  private func mayReturn(_ family: Int, after before: Shown, on view: View) -> Bool {
    guard case .signedIn(let set, let user, _) = before, view.unsure == set.family else { return false }
    return families[family].map { $0.user == user && !$0.wasReplaced } ?? false
  }

  private func isAllowed(_ reason: SignOutReason, after before: Shown, on view: View) -> Bool {
    let family = before.family
    switch reason {
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
      return sends.contains { $0.token.family == family && !$0.isJournalled }
    default: return false
    }
  }

  private func lostAnswer(of family: Int?) -> Bool {
    sends.contains { $0.token.family == family && $0.isLost } || family.flatMap { families[$0]?.isInDoubt } ?? false
  }

  /// After a job: what is shown is what is stored as far as this manager can know, or it is marked.
  mutating func rests(_ client: Int) {
    guard let view = views[client], let known = view.known else { return }
    switch view.shown {
    case .signedIn(let set, _, false) where known.session != set:
      fail("\(view.name) shows \(set), knows that \(known) is stored, and does not say so")
    case .signedOut where known.session != nil && !view.hasFailedToWrite:
      fail("\(view.name) shows nobody, and knows that \(known) is stored")
    default: break
    }
  }
}
