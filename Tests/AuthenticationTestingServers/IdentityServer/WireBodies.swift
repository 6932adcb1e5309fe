#if Tools
import Foundation

struct SignInBody: Decodable {
  let username: String
  let password: String
}

struct ChallengeBody: Decodable {
  let challenge: String
  let code: String?
  let resend: Bool?
  let password: String?
  let passkey: RelyingParty.Response?
}

struct SignUpBody: Decodable {
  let username: String
  let password: String
  let email: String?
  let terms: [String: String]?
}

struct RefreshBody: Decodable {
  let refreshToken: String
}

struct SignOutBody: Decodable {
  let refreshToken: String?
  let accessToken: String?
}

struct UserBody: Encodable {
  struct Name: Encodable {
    let firstName: String
    let lastName: String
  }

  enum CodingKeys: CodingKey {
    case email, username, name, lastAuthenticated
  }

  let account: LoopbackIdentityServer.Account
  let lastAuthenticated: Date?

  init(_ account: LoopbackIdentityServer.Account, lastAuthenticated: Date?) {
    self.account = account
    self.lastAuthenticated = lastAuthenticated
  }

  /// A new user's `lastAuthenticated` is null, not absent.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(account.email, forKey: .email)
    try container.encode(account.username, forKey: .username)
    try container.encode(Name(firstName: account.firstName, lastName: account.lastName), forKey: .name)
    try container.encode(lastAuthenticated, forKey: .lastAuthenticated)
  }
}

struct ChallengeAnswerBody: Encodable {
  struct Challenge: Encodable {
    let id: String
    let kind: String
    var destination: String?
    var length: Int?
    var expiresIn: Int?
    var resendIn: Int?
    var attemptsLeft: Int?
    var passwordRules: [String]?
    var passkey: RelyingParty.Options?
  }

  let challenge: Challenge
}

struct WrongCodeBody: Encodable {
  let error = "wrong_code"
  let attemptsLeft: Int
}

struct NoteBody: Encodable {
  let title: String
  let author: String
}
#endif
