#if Tools && OpenID
import Crypto
import Foundation

/// The grants of the token endpoint.
enum Grant: String, CaseIterable {
  case code = "authorization_code"
  case refresh = "refresh_token"
  case password = "password"
  case device = "urn:ietf:params:oauth:grant-type:device_code"
  case exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
  case service = "client_credentials"
  case assertion = "urn:ietf:params:oauth:grant-type:jwt-bearer"
}

extension IssuerState {
  /// RFC 6749 §3.2.
  mutating func token(_ request: Request, at now: Date) -> Answer {
    do {
      let form = try authenticatedForm(request, at: now).get()
      let thumbprint = try checkProof(of: request, on: .token, at: now)
      guard let grant = form["grant_type"].flatMap(Grant.init) else { throw Refusal("unsupported_grant_type") }
      let answer =
        switch grant {
        case .code: try redeem(form, thumbprint, now)
        case .refresh: try refresh(form, thumbprint, now)
        case .password: try signIn(form, thumbprint, now)
        case .device: try poll(form, thumbprint, now)
        case .exchange: try exchange(form, thumbprint, now)
        case .service: try serve(form, thumbprint, now)
        case .assertion: try accept(form, thumbprint, now)
        }
      return Answer.json(answer.text).adding("Cache-Control", "no-store")
    } catch let refusal as Refusal {
      return .refusal(refusal)
    } catch {
      return .error("server_error", status: 500)
    }
  }

  /// RFC 6749 §4.1.3, RFC 7636 §4.6. A code used again ends its tokens (RFC 6749 §4.1.2).
  private mutating func redeem(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> JSON {
    guard let text = form["code"], let code = codes[text] else { throw Refusal.invalidGrant }
    if let redeemed = code.redeemedAs {
      counters.reusesDetected += 1
      end(redeemed)
      throw Refusal.invalidGrant
    }
    let hash = form["code_verifier"].map { URLSafe.encode(Data(SHA256.hash(data: Data($0.utf8)))) }
    guard now < code.expiresAt, form["redirect_uri"] == code.redirectURI, hash == code.challenge,
      form["code_verifier"].map({ (43...128).contains($0.count) }) == true
    else { throw Refusal.invalidGrant }
    if let bound = code.thumbprint, bound != thumbprint { throw Refusal("invalid_dpop_proof") }
    let (resource, scopes) = try resource(of: form, in: code.signIn)
    let id = start(code.signIn)
    codes[text]?.redeemedAs = id
    counters.codesRedeemed += 1
    return try tokens(of: id, thumbprint, now, scopes: scopes, for: resource, isFirst: true)
  }

  /// RFC 6749 §4.3.
  private mutating func signIn(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> JSON {
    let known = options.accounts.first { $0.username == form["username"] && $0.password == form["password"] }
    guard let known else { throw Refusal.invalidGrant }
    return try tokens(of: start(plainSignIn(known, form, now)), thumbprint, now, isFirst: true)
  }

  /// RFC 8693 §2: an access token of this issuer, or `external:` and a user name.
  private mutating func exchange(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> JSON {
    guard let token = form["subject_token"], let type = form["subject_token_type"] else {
      throw Refusal("invalid_request")
    }
    let external = options.accounts.first { token == "external:" + $0.username }
    let own = accessTokens[token].flatMap { now < $0.expiresAt ? signIns[$0.signIn]?.account : nil }
    guard let account = external ?? own, type.hasPrefix("urn:ietf:params:oauth:token-type:") else {
      throw Refusal("invalid_request")
    }
    return try tokens(of: start(plainSignIn(account, form, now)), thumbprint, now, isFirst: true)
      .replacing(["issued_token_type": "urn:ietf:params:oauth:token-type:access_token"])
  }

  /// RFC 6749 §4.4: only a client that has authenticated.
  private mutating func serve(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> JSON {
    let isConfidential = options.clientSecret != nil || !options.clientKeys.isEmpty || form["client_assertion"] != nil
    guard isConfidential else { throw Refusal("unauthorized_client") }
    return try serviceTokens(form, thumbprint, now)
  }

  /// RFC 7523 §2.1: a token of the platform's, or one that the client has signed about itself.
  private mutating func accept(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> JSON {
    guard let text = form["assertion"] else { throw Refusal("invalid_request") }
    if isOfWorkload(text, at: now) { return try serviceTokens(form, thumbprint, now) }
    guard let claims = SignedAssertion(text, signedBy: options.clientKeys)?.claims, claims.iss == options.clientID,
      claims.aud == identifier, claims.exp > now.timeIntervalSince1970,
      claims.iat.map({ $0 <= now.timeIntervalSince1970 + 60 }) ?? true,
      claims.jti.map({ proofIDs.insert($0).inserted }) == true
    else { throw Refusal.invalidGrant }
    return try serviceTokens(form, thumbprint, now)
  }

  /// The client is its own subject (RFC 9068 §2.2).
  private mutating func serviceTokens(_ form: Fields, _ thumbprint: String?, _ now: Date) throws -> JSON {
    let client = Account(subject: options.clientID, username: options.clientID, password: "", name: "", email: "")
    let scopes = form["scope"]?.split(separator: " ").map(String.init) ?? []
    let signIn = SignIn(account: client, scopes: scopes, authenticatedAt: now, context: "", nonce: nil)
    let named = form.all("resource") + [form["audience"]].compactMap(\.self)
    guard named.allSatisfy(options.resources.contains) else { throw Refusal("invalid_target") }
    return try tokens(of: start(signIn), thumbprint, now, for: named.first, isFirst: true)
  }

  private func plainSignIn(_ account: Account, _ form: Fields, _ now: Date) -> SignIn {
    SignIn(
      account: account, scopes: (form["scope"] ?? "openid").split(separator: " ").map(String.init),
      authenticatedAt: now, context: "urn:example:bronze", nonce: nil)
  }
}
#endif
