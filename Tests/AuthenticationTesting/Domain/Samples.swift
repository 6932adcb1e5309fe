public import AuthenticationDomain
public import Foundation

extension User {
  /// A user with an earlier sign-in.
  public static let ada = User(id: "ada", name: "Ada Lovelace", email: "ada@example.com")
  /// A user without an earlier sign-in.
  public static let grace = User(id: "grace", name: "Grace Hopper", email: "grace@example.com", isNew: true)
}

extension SessionTokens {
  /// Tokens named `access-N` and `refresh-N`, so that a test can tell one generation from another.
  public static func sample(
    _ number: Int = 1, receivedAt: Date, lifetime: Duration? = .seconds(3_600), canRefresh: Bool = true
  ) -> SessionTokens {
    do {
      return SessionTokens(
        access: try AccessToken(Secret("access-\(number)"), receivedAt: receivedAt, lifetime: lifetime),
        refresh: canRefresh ? Secret("refresh-\(number)") : nil)
    } catch {
      preconditionFailure("A sample must be well formed: \(error)")
    }
  }
}

extension AuthSession {
  /// A session with the tokens of that number; `receivedAt` is UTC, nil `lifetime` is unknown.
  public static func sample(
    _ number: Int = 1, of user: User = .ada, receivedAt: Date, lifetime: Duration? = .seconds(3_600),
    canRefresh: Bool = true
  ) -> AuthSession {
    AuthSession(
      user: user,
      tokens: .sample(number, receivedAt: receivedAt, lifetime: lifetime, canRefresh: canRefresh))
  }
}

extension SessionRecord {
  /// Two records, signed in and signed out, that have each field between them; `noon` is UTC.
  package static func samples(at noon: Date) -> [SessionRecord] {
    var signedIn = SessionRecord(session: .sample(1, receivedAt: noon))
    (signedIn.writeID, signedIn.signInID) = (RecordID(1, 2), RecordID(3, 4))
    (signedIn.refreshes, signedIn.signedInAt) = (3, noon)
    signedIn.endedSignIns = [EndedSignIn(id: RecordID(7, 8), refreshes: 2)]
    signedIn.refreshJournal = RefreshJournalEntry(begunAt: noon, sends: 2, isAnswered: true)
    signedIn.refusedRefresh = RefusedRefresh(latestAt: noon, count: 2, isConfirmed: true)
    (signedIn.retryAt, signedIn.needsInteraction) = (noon, true)
    signedIn.keep(SessionTokens.sample(2, receivedAt: noon).access, for: "orders")
    signedIn.pendingRevocations = [
      PendingRevocation(
        tokens: SessionTokens.sample(3, receivedAt: noon).withoutIdentity, queuedAt: noon, userID: "ada")
    ]
    var signedOut = SessionRecord()
    (signedOut.writeID, signedOut.endReason) = (RecordID(1, 2), .requested)
    signedOut.formerUser = User(id: "ada", name: "Ada", email: "ada@example.com")
    return [signedIn, signedOut]
  }
}
