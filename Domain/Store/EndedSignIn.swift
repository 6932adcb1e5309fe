/// A sign-in that has ended.
package struct EndedSignIn: Sendable, Hashable {
  /// Which sign-in.
  package let id: RecordID
  /// The provider refused it after this many refreshes: a session with more of them is a later one. Nil if a person
  /// signed out or in, which ends it for good.
  package let refreshes: Int?

  /// A sign-in that ended for good, or, with `refreshes`, at that count of them.
  package init(id: RecordID, refreshes: Int? = nil) {
    self.id = id
    self.refreshes = refreshes
  }
}

extension SessionRecord {
  /// How many ended sign-ins a record remembers.
  package static let maximumEndedSignIns = 32

  /// Whether this record says that the sign-in ended after this many refreshes, or more.
  func hasEnded(_ signInID: RecordID?, after refreshes: Int = 0) -> Bool {
    endedSignIns.contains { $0.id == signInID && refreshes <= $0.refreshes ?? .max }
  }

  /// Notes that the provider has refused the session's sign-in, after all the refreshes that are known here.
  mutating func refuseSignIn() {
    if let signInID { note(EndedSignIn(id: signInID, refreshes: refreshes)) }
  }

  /// Notes that a person signs in or out: the session's sign-in, and those that the provider refused, end for good.
  mutating func endSignIn() {
    endedSignIns = endedSignIns.map { EndedSignIn(id: $0.id) }
    if let signInID { note(EndedSignIn(id: signInID)) }
  }

  /// Of two ends of one sign-in the later one counts.
  mutating func note(_ ended: EndedSignIn) {
    var latest = ended
    if let known = endedSignIns.first(where: { $0.id == ended.id }) {
      if known.refreshes ?? .max >= ended.refreshes ?? .max { latest = known }
      endedSignIns.removeAll { $0.id == ended.id }
    }
    endedSignIns.append(latest)
    endedSignIns.removeFirst(max(0, endedSignIns.count - Self.maximumEndedSignIns))
  }
}
