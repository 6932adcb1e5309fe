#if Tools
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Answer {
  static let invalidRequest = Answer.error("invalid_request", status: 400)
  static let invalidToken = Answer.bearerChallenge("error=\"invalid_token\"", code: "invalid_token", status: 401)
  static let adminOnly = Answer.bearerChallenge(
    "error=\"insufficient_scope\", scope=\"admin\"", code: "insufficient_scope", status: 403)

  /// `expiresIn` is JSON text; nil leaves the field out.
  static func tokens(_ grant: IdentityGrant, expiresIn: String?, status: Int) -> Answer {
    var fields = [
      "\"accessToken\":\"\(grant.accessToken)\"",
      "\"idToken\":\"\(grant.idToken)\"",
      "\"refreshToken\":\"\(grant.refreshToken)\"",
    ]
    if let expiresIn { fields.append("\"expiresIn\":\(expiresIn)") }
    return .json("{\(fields.joined(separator: ","))}", status: status)
  }

  static func refusal(_ refusal: IdentityRefusal) -> Answer {
    switch refusal {
    case .invalidCredentials: .error("invalid_credentials", status: 401)
    case .usernameTaken: .error("username_taken", status: 409)
    case .wrongCode(let left): .json(WrongCodeBody(attemptsLeft: left), status: 400)
    case .tooManyAttempts: .error("too_many_attempts", status: 400)
    case .codeExpired: .error("code_expired", status: 400)
    case .unknownChallenge: .error("sign_in_expired", status: 400)
    case .unknownGrant, .reusedGrant: .error("invalid_grant", status: 401)
    }
  }

  static func challenge(_ sent: SentCode) -> Answer {
    .json(
      ChallengeAnswerBody(
        challenge: .init(
          id: sent.id, kind: "sms", destination: "•••• 42", length: sent.code.count,
          expiresIn: Int(SentCode.lifetime), resendIn: Int(SentCode.resendDelay), attemptsLeft: sent.attemptsLeft)),
      status: 401)
  }

  static func user(_ account: LoopbackIdentityServer.Account, lastAuthenticated: Date?) -> Answer {
    .json(UserBody(account, lastAuthenticated: lastAuthenticated))
  }
}
#endif
