import AuthenticationDomain
import Foundation

/// The members of a stored session, in the shape that JSONDecoder reads fastest.
struct FlatRecord: Codable {
  var version = 1
  var userID: String
  var userName: String?
  var email: String?
  var isNewUser: Bool?
  var access: String
  var type: String
  var receivedAt: Date
  var lifetime: Int64?
  var scopes: [String]?
  var refresh: String?
  var identity: String?

  init(_ session: AuthSession) {
    let tokens = session.tokens
    userID = session.user.id
    userName = session.user.name
    email = session.user.email
    isNewUser = session.user.isNew
    access = tokens.access.value.reveal()
    type = tokens.access.type
    receivedAt = tokens.access.receivedAt
    lifetime = tokens.access.lifetime?.components.seconds
    scopes = tokens.access.scopes
    refresh = tokens.refresh?.reveal()
    identity = tokens.identity?.reveal()
  }
}
