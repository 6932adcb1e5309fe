#if Tools && OpenID
import Foundation

extension IssuerState {
  /// OpenID Connect Core §5.3.
  mutating func userInfo(_ request: Request, at now: Date) -> Answer {
    switch authorization(of: request, on: .userInfo, at: now) {
    case .refused(let answer): return answer
    case .accepted(_, let signIn):
      let claims: [String: JSON] = ["sub": .string(signIn.account.subject)]
      return .json(JSON.object(claims).replacing(userClaims(of: signIn)).replacing(quirks.userInfo).text)
    }
  }

  mutating func serve(_ request: Request, on endpoint: Endpoint, at now: Date) -> Answer {
    switch authorization(of: request, on: endpoint, at: now) {
    case .refused(let answer): return answer
    case .accepted(let token, let signIn):
      if endpoint == .strongResource, !isStrong(signIn, at: now) {
        return challenge(strongChallenge, token, code: "insufficient_user_authentication", status: 401)
      }
      if endpoint == .scopedResource, !token.scopes.contains("notes:write") {
        let error = "error=\"insufficient_scope\", scope=\"notes:write\""
        return challenge(error, token, code: "insufficient_scope", status: 403)
      }
      let scopes = JSON.string(token.scopes.joined(separator: " "))
      return .json(JSON.object(["sub": .string(signIn.account.subject), "scope": scopes]).text)
    }
  }

  private enum Authorization {
    case accepted(IssuedAccessToken, SignIn)
    case refused(Answer)
  }

  private mutating func authorization(
    of request: Request, on endpoint: Endpoint, at now: Date
  ) -> Authorization {
    let parts = request.header("Authorization")?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
    guard parts.count == 2 else {
      let challenge = "Bearer realm=\"loopback\", DPoP algs=\"ES256\""
      return .refused(Answer.error("unauthorized", status: 401).adding("WWW-Authenticate", challenge))
    }
    guard let token = accessTokens[parts[1]], now < token.expiresAt, let signIn = signIns[token.signIn],
      parts[0].lowercased() == (token.thumbprint == nil ? "bearer" : "dpop")
    else {
      let error = "error=\"invalid_token\""
      return .refused(challenge(error, nil, scheme: parts[0], code: "invalid_token", status: 401))
    }
    do {
      let thumbprint = try checkProof(of: request, on: endpoint, accessToken: parts[1], at: now)
      guard token.thumbprint == nil || token.thumbprint == thumbprint else { throw Refusal("invalid_dpop_proof") }
    } catch {
      let refusal = error as? Refusal ?? Refusal("invalid_dpop_proof")
      var answer = challenge("error=\"\(refusal.code)\"", token, code: refusal.code, status: 401)
      answer.headers.merge(refusal.headers) { $1 }
      return .refused(answer)
    }
    return .accepted(token, signIn)
  }

  private func challenge(
    _ attributes: String, _ token: IssuedAccessToken?, scheme: String = "Bearer", code: String, status: Int
  ) -> Answer {
    let isBound = token.map { $0.thumbprint != nil } ?? (scheme.lowercased() == "dpop")
    return Answer.error(code, status: status).adding("WWW-Authenticate", (isBound ? "DPoP " : "Bearer ") + attributes)
  }

  private func isStrong(_ signIn: SignIn, at now: Date) -> Bool {
    guard signIn.context == options.strongContext else { return false }
    guard let maxAge = options.strongMaxAge else { return true }
    return now.timeIntervalSince(signIn.authenticatedAt) <= maxAge / .seconds(1)
  }

  /// RFC 9470 §3.
  private var strongChallenge: String {
    let age = options.strongMaxAge.map { ", max_age=\"\(Int($0 / .seconds(1)))\"" } ?? ""
    return "error=\"insufficient_user_authentication\", acr_values=\"\(options.strongContext)\"" + age
  }
}
#endif
