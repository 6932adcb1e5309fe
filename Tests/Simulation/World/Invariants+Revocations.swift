import AuthenticationDomain

extension Invariants {
  /// The first tokens of a family have come to a process that runs.
  mutating func reached(_ family: Int, _ client: Int, of process: String) {
    families[family]?.receiver = (client, process)
  }

  mutating func keeps(_ record: SessionRecord?) {
    for family in record?.families ?? [] { families[family]?.wasKept = true }
  }

  /// A disk too full for the queue of revocations still has room for less: then the queue dies with the process.
  mutating func erases(_ record: SessionRecord?, by client: Int) {
    guard views[client]?.hasFailedToWrite == true else { return }
    for family in record?.families ?? [] { families[family]?.isUnaccounted = true }
  }

  /// The provider has taken back tokens, and nothing besides.
  mutating func revokedAlone(_ family: Int) { families[family]?.isRevokedAlone = true }

  /// Some providers end all sessions of a user with one of them.
  ///
  /// - Parameter now: the manager's state.
  mutating func willEndAll(of family: Int, by client: Int, showing now: Shown) {
    guard case .signedIn(_, let user, _) = now, families[family]?.user == user else { return }
    fail("\(name(client)) revokes session \(family) of \(user), who is signed in")
  }

  /// The families that a running process or the store has had, and none can use any more.
  var abandonedFamilies: [Int] {
    families.filter { family, history in
      let isKnown = history.wasKept || history.receiver.map { !exitedProcesses.contains($0.process) } ?? false
      return isKnown && !history.isUnaccounted && !history.isRevokedAlone && family != stored.session?.family
    }.keys.sorted()
  }
}

extension SessionRecord {
  /// Whose tokens it holds: of the session, and of the queued revocations.
  fileprivate var families: [Int] {
    [session?.tokens].compactMap(\.self).map(\.family) + pendingRevocations.map(\.tokens.family)
  }
}

extension SessionTokens {
  fileprivate var family: Int { TokenSet(access.value).family }
}
