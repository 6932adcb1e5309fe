extension Invariants {
  /// The provider began a family for a call that may have failed already.
  mutating func issued(_ family: Int, to user: String, for call: Int?) {
    families[family] = FamilyHistory(user: user, call: call)
  }

  func isForbidden(_ family: Int) -> Bool {
    families[family]?.call.map(failedCalls.contains) ?? false
  }

  /// The caller was told that the sign-in failed: it changed nothing, and never will.
  mutating func signInFailed(_ call: Int) {
    failedCalls.insert(call)
    let shown = views.values.compactMap(\.shown.family) + [stored.session?.family].compactMap(\.self)
    if let family = shown.first(where: isForbidden) { fail("a sign-in failed, and its session \(family) is in use") }
  }

  mutating func read(_ record: Stored, by client: Int) {
    if record.session == views[client]?.known?.session { views[client]?.unsure = nil }
    views[client]?.known = record
    if views[client]?.hasFailedToWrite == false { views[client]?.isBlind = false }
  }

  /// - Parameter wanted: the record to be written, where it came to that.
  mutating func failedToWrite(_ client: Int, _ wanted: Stored? = nil) {
    if let session = wanted?.session {
      views[client]?.unsure = session.family
      families[session.family]?.isUnaccounted = true
    }
    views[client]?.hasFailedToWrite = true
    views[client]?.couldNotResolve = true
    views[client]?.isBehind = true
  }

  /// - Parameter isConfirmed: false where the writer hears that it failed.
  mutating func wrote(_ record: Stored, by client: Int, isConfirmed: Bool = true) {
    if views[client]?.isBlind == true, let unread = stored.session { families[unread.family]?.isUnaccounted = true }
    if isConfirmed {
      views[client]?.known = record
      views[client]?.isBlind = false
      if let session = record.session { families[session.family]?.isUnaccounted = false }
      views[client]?.unsure = nil
    }
    views[client]?.hasFailedToWrite = !isConfirmed
    views[client]?.isBehind = false
    let before = stored.session
    stored = record
    if let session = record.session { check(session, of: record.user, by: "\(name(client)) stores \(session)") }
    if let before, let session = record.session, before.family == session.family, session.rotation < before.rotation {
      fail("\(name(client)) stores \(session) over the newer \(before)")
    }
    if let before, before.family != record.session?.family { families[before.family]?.wasReplaced = true }
    if let session = record.session {
      let latest = families[session.family]?.latest ?? 0
      families[session.family]?.latest = max(latest, session.rotation)
    }
  }

  /// A session that is to be stored or shown.
  mutating func check(_ session: TokenSet, of user: String?, by act: String) {
    guard let family = families[session.family] else { return fail("\(act), which was never issued") }
    if family.user != user { fail("\(act), a session of \(family.user), as \(user ?? "no user")'s") }
    if family.wasReplaced { fail("\(act), which was signed out or replaced") }
    if isForbidden(session.family) { fail("\(act), whose sign-in failed") }
    if family.call.map(givenUpCalls.contains) ?? false { fail("\(act), whose attempt was given up") }
    if family.call.map(overtakenCalls.contains) ?? false { fail("\(act), whose sign-in was overtaken") }
  }
}
