#if Tools && OpenID
import Foundation

extension IssuerState {
  /// RFC 7009 §2: an unknown token is as good as revoked.
  mutating func revoke(_ request: Request, at now: Date) -> Answer {
    switch authenticatedForm(request, at: now) {
    case .failure(let refusal): return .refusal(refusal)
    case .success(let form):
      guard let token = form["token"] else { return .refusal(Refusal("invalid_request")) }
      if let signIn = refreshTokens[token]?.signIn { end(signIn) }
      accessTokens[token] = nil
      counters.revocations += 1
      return Answer(status: 200)
    }
  }

  /// RFC 7662 §2.
  mutating func introspect(_ request: Request, at now: Date) -> Answer {
    switch authenticatedForm(request, at: now) {
    case .failure(let refusal): return .refusal(refusal)
    case .success(let form):
      guard let token = form["token"] else { return .refusal(Refusal("invalid_request")) }
      return .json(introspection(of: token, at: now).replacing(quirks.introspection).text)
    }
  }

  private func introspection(of token: String, at now: Date) -> JSON {
    if let access = accessTokens[token], now < access.expiresAt, let signIn = signIns[access.signIn] {
      return [
        "active": true, "scope": .string(access.scopes.joined(separator: " ")), "client_id": .string(options.clientID),
        "sub": .string(signIn.account.subject), "exp": .integer(Int(access.expiresAt.timeIntervalSince1970)),
        "token_type": access.thumbprint == nil ? "Bearer" : "DPoP",
        "cnf": access.thumbprint.map { ["jkt": .string($0)] } ?? .absent,
      ]
    }
    if let refresh = refreshTokens[token], refresh.spentAt == nil, let signIn = signIns[refresh.signIn] {
      return ["active": true, "client_id": .string(options.clientID), "sub": .string(signIn.account.subject)]
    }
    return ["active": false]
  }

  /// OpenID Connect RP-Initiated Logout §2: ends the user's session at the issuer, not the tokens.
  mutating func endSession(_ request: Request) -> Answer {
    let fields =
      request.method == "POST" ? Fields(String(decoding: request.body, as: UTF8.self)) : Fields(request.query)
    counters.sessionsEnded += 1
    browserSessions = [:]
    guard let uri = fields["post_logout_redirect_uri"] else { return .page("Signed out") }
    let known = options.postLogoutRedirectURIs
    guard known.contains(uri) || Self.withoutLoopbackPort(uri).map(known.contains) == true else {
      return .page("Unregistered post_logout_redirect_uri", status: 400)
    }
    let state = fields["state"].map { (uri.contains("?") ? "&" : "?") + "state=" + Fields.encode($0) } ?? ""
    return Answer(status: 302, headers: ["Location": uri + state])
  }
}
#endif
