/// One refresh token that is sent to the provider.
struct Send {
  enum End: Equatable {
    case refreshed
    case refused(Issuer.Refusal)
    case unprocessed
    case lost
    /// The provider said that it failed, and not whether before or after it used the token.
    case failed
    /// The sender died while it waited.
    case died
  }

  let token: TokenSet
  let client: Int
  let process: String
  let journal: Int
  let isJournalled: Bool
  let sentAt: Duration
  var end: End?
  var endedAt: Duration?
  /// The sender lost the lock: another one may send the same token.
  var isUnguarded = false

  /// Its result is not known to any process.
  var isLost: Bool { end == .lost || end == .failed || end == .died }
}

extension Invariants {
  /// - Parameter journal: how many sends of this token the store has been told of, this one included.
  mutating func willSend(
    _ token: TokenSet, by client: Int, of process: String, journal: Int, at time: Duration
  ) -> Int {
    let isJournalled = views[client]?.isBehind == false
    abandonSends(at: time)
    // Without a lock the refresh of a replaced session continues next to that of its successor.
    if let other = sends.first(where: {
      $0.end == nil && !$0.isUnguarded && (usesLocks || $0.token.family == token.family)
    }) {
      fail("\(name(client)) sends \(token) while a refresh of \(name(other.client)) is in flight")
    }
    if views[client]?.hasDrained == true { fail("\(name(client)) sends \(token) after it has drained") }
    if rotates { checkRepetition(of: token, by: client, journal: isJournalled ? journal : nil) }
    sends.append(
      Send(
        token: token, client: client, process: process, journal: journal, isJournalled: isJournalled, sentAt: time))
    return sends.count - 1
  }

  private mutating func checkRepetition(of token: TokenSet, by client: Int, journal: Int?) {
    if let latest = families[token.family]?.latest, latest > token.rotation {
      fail("\(name(client)) sends \(token), which the stored \(token.family).\(latest) has replaced")
    }
    let earlier = sends.filter { $0.token == token }
    if let refreshed = earlier.first(where: { $0.end == .refreshed && !$0.isUnguarded && isAlive($0.process) }) {
      fail("\(name(client)) sends \(token) again after \(name(refreshed.client)) had the answer")
    }
    if earlier.contains(where: { $0.client == client && $0.isRefused }) {
      fail("\(name(client)) sends \(token) again after it was refused")
    }
    let unresolved = earlier.filter { $0.isLost && $0.isJournalled }.count
    if let journal, journal <= unresolved {
      fail("\(name(client)) sends \(token), send number \(unresolved + 1), but the journal says \(journal)")
    }
  }

  private func isAlive(_ process: String) -> Bool { !exitedProcesses.contains(process) }

  mutating func ended(_ send: Int, _ end: Send.End, at time: Duration) {
    sends[send].end = end
    sends[send].endedAt = time
    if case .refused(let refusal) = end { views[sends[send].client]?.refusals[sends[send].token.family] = refusal }
  }

  /// A manager waits for its provider no longer than its policy says; the answer may come all the same.
  private mutating func abandonSends(at time: Duration) {
    for index in sends.indices where sends[index].end == nil {
      if time >= sends[index].sentAt + Self.refreshTimeout { ended(index, .lost, at: time) }
    }
  }

  mutating func refusedOddly(_ send: Int) { families[sends[send].token.family]?.oddRefusals += 1 }

  /// A session asks for another sign-in only after several refusals.
  mutating func showsExpired(_ family: Int, on client: Int) {
    guard let refusals = families[family]?.oddRefusals, refusals < 3 else { return }
    fail("\(name(client)) shows \(family) as expired after \(refusals) refusals")
  }

  static let refreshTimeout = Duration.seconds(45)

  /// - Parameter inTime: whether the responses to its requests came before it stopped waiting for them.
  mutating func drained(_ client: Int, inTime: Bool) {
    guard let view = views[client] else { return }
    views[client]?.hasDrained = true
    guard inTime, !view.isBehind, !view.hasFailedToWrite else { return }
    views[client]?.isResolved = true
    for send in sends where send.client == client && !send.isUnguarded {
      if send.end == nil { fail("\(view.name) drained while its refresh with \(send.token) is in flight") }
      if rotates, send.end == .refreshed, stored.session == send.token {
        fail("\(view.name) drained, and the response to \(send.token) is not stored")
      }
    }
  }

  /// - Parameter isInDoubt: false after it has drained.
  mutating func died(_ process: String, isInDoubt: Bool = true) {
    exitedProcesses.insert(process)
    if isInDoubt, stored.sends > 0, let family = stored.session?.family { families[family]?.isInDoubt = true }
    for index in sends.indices where sends[index].process == process && sends[index].end == nil {
      sends[index].end = .died
    }
  }

  mutating func lostLock(_ client: Int) {
    for index in sends.indices where sends[index].client == client { sends[index].isUnguarded = true }
  }

  mutating func wasStopped(_ process: String) { stoppedProcesses.insert(process) }

  /// The request of a process that exited may reach the provider after another one's request in its place: then the
  /// session ends although another process has had the response.
  mutating func cameLate(_ send: Int) {
    if sends[send].isLost { families[sends[send].token.family]?.endedLate = true }
  }

  /// The provider took a spent token for theft. Not so where one answer was lost, its grace was long enough, and the
  /// store had nothing against the journal.
  mutating func reused(_ send: Int, spentAt: Duration) {
    let again = sends[send]
    let all = sends.indices.filter { sends[$0].token == again.token }
    guard all.count == 2, all[1] == send, let first = all.first.map({ sends[$0] }), first.end == .lost else { return }
    guard first.journal == 1, isAlive(first.process), !stoppedProcesses.contains(first.process) else { return }
    guard let lostAt = first.endedAt, lostAt + .seconds(1) < spentAt + grace else { return }
    if again.sentAt > spentAt + grace {
      fail("\(name(first.client)) did not ask again for \(again.token) within the grace of the provider")
    }
  }

  /// The library's own sign-outs must not end a session that is in use, unless the store refuses to let go of it.
  mutating func willRevoke(_ family: Int, by client: Int) {
    guard family == stored.session?.family, views[client]?.isBehind == false else { return }
    fail("\(name(client)) revokes the stored session \(family)")
  }
}

extension Send {
  fileprivate var isRefused: Bool {
    if case .refused = end { true } else { false }
  }
}
