import AuthenticationDomain

/// The content of a record, as far as the invariants are concerned.
struct Stored: Equatable, CustomStringConvertible {
  var session: TokenSet?
  var user: String?
  /// How often the refresh token was sent without a known end.
  var sends = 0
  /// The response to the latest came, and could not be used: to send the token again would bring no other.
  var isAnswered = false
  var formerUser: String?
  var endReason: SignOutReason?

  init() {}

  init(_ record: SessionRecord) {
    session = record.session?.set
    user = record.session?.user.id
    sends = record.refreshJournal?.sends ?? 0
    isAnswered = record.refreshJournal?.isAnswered ?? false
    formerUser = record.formerUser?.id
    endReason = record.endReason
  }

  var description: String {
    guard let session, let user else { return formerUser.map { "no session (\($0) lost it)" } ?? "no session" }
    return "\(session) of \(user)" + (sends > 0 ? ", sent \(sends) times" : "")
  }
}
