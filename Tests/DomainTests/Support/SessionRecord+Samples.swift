import AuthenticationDomainTesting
import Foundation

@testable package import AuthenticationDomain

extension RecordID: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    guard let id = RecordID(text) else { preconditionFailure("\(text) is no identifier") }
    self = id
  }
}

extension SessionRecord {
  /// A record of this sign-in, with tokens of that number.
  static func of(_ id: RecordID, _ tokens: Int, at date: Date = .noon) -> Self {
    SessionRecord().signedIn(id, tokens, at: date)
  }

  func signedIn(_ id: RecordID, _ tokens: Int, at date: Date = .noon) -> Self {
    var record = self
    let replaced = session
    record.endSignIn()
    record.session = .sample(tokens, receivedAt: .noon)
    (record.signInID, record.refreshes, record.signedInAt) = (id, 0, date)
    record.queue(replaced, .noon)
    return record
  }

  func refreshed(to tokens: Int) -> Self {
    var record = self
    record.session = session?.refreshed(with: .sample(tokens, receivedAt: .noon))
    record.refreshes += 1
    return record
  }

  func signedOut() -> Self {
    var record = self
    record.endSignIn()
    record.session = nil
    record.endReason = .requested
    record.queue(session, .noon)
    return record
  }

  /// The provider has refused the refresh token.
  func refused() -> Self {
    var record = self
    record.refuseSignIn()
    record.session = nil
    record.endReason = .rejected
    return record
  }

  /// The members that a user would compare: without the names of writes and sign-ins.
  var withoutIDs: Self {
    SessionRecord(
      session: session, signedInAt: signedInAt, refreshJournal: refreshJournal, formerUser: formerUser,
      endReason: endReason, pendingRevocations: pendingRevocations)
  }
}
