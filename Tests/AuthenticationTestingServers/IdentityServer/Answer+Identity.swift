#if Tools
import Foundation

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
    case .unknownPasskey: .error("unknown_passkey", status: 401)
    case .usernameTaken: .error("username_taken", status: 409)
    case .wrongCode(let left): .json(WrongCodeBody(attemptsLeft: left), status: 400)
    case .tooManyAttempts: .error("too_many_attempts", status: 400)
    case .codeExpired: .error("code_expired", status: 400)
    case .unknownChallenge: .error("sign_in_expired", status: 400)
    case .unknownGrant, .reusedGrant: .error("invalid_grant", status: 401)
    case .weakPassword: .json(WeakPasswordBody(), status: 422)
    case .recentSignInRequired: .error("recent_sign_in_required", status: 403)
    case .lastMethod: .error("last_method", status: 409)
    case .unsupportedMethod: .error("unsupported_method", status: 400)
    }
  }

  /// Asks for a code.
  static func challenge(_ sent: SentCode, _ options: LoopbackIdentityServer.Options, status: Int) -> Answer {
    .json(
      ChallengeAnswerBody(
        challenge: .init(
          id: sent.id, kind: sent.purpose.kind, destination: sent.purpose.destination, length: sent.code.count,
          expiresIn: Int(options.codeLifetime.components.seconds),
          resendIn: Int(options.resendDelay.components.seconds), attemptsLeft: sent.attemptsLeft)),
      status: status)
  }

  /// Asks for another password.
  static func newPassword(_ id: String) -> Answer {
    .json(
      ChallengeAnswerBody(
        challenge: .init(id: id, kind: "new_password", passwordRules: WeakPasswordBody().passwordRules))
    )
  }

  /// Asks for a passkey.
  static func passkey(_ request: RelyingParty.Request, status: Int) -> Answer {
    .json(
      ChallengeAnswerBody(challenge: .init(id: request.id, kind: request.kind, passkey: request.options)),
      status: status)
  }

  static func user(_ account: LoopbackIdentityServer.Account, lastAuthenticated: Date?) -> Answer {
    .json(UserBody(account, lastAuthenticated: lastAuthenticated))
  }
}
#endif
