#if Tools && OpenID
import Foundation

extension IssuerState {
  /// OpenID Connect Core §3.1.2. Nothing is redirected to an address that is not the client's (RFC 6749 §4.1.2.1).
  mutating func authorize(_ request: Request, at now: Date) -> Answer {
    guard request.method == "GET" || user == .types else { return .error("method_not_allowed", status: 405) }
    let query = Fields(request.query)
    guard !query.hasRepetition, query["client_id"] == options.clientID else {
      return .page("Unknown client", status: 400)
    }
    var fields = query
    if let reference = query["request_uri"] {
      guard let pushedRequest = pushed[reference], now < pushedRequest.expiresAt else {
        return .page("Unknown request_uri", status: 400)
      }
      // Each is used once (RFC 9126 §4), but for a page that sends it again with the input.
      if user != .types { pushed[reference] = nil }
      fields = pushedRequest.fields
    }
    guard let redirectURI = fields["redirect_uri"], isRegistered(redirectURI) else {
      return .page("Unregistered redirect_uri", status: 400)
    }
    if options.requiresPushedRequests, query["request_uri"] == nil {
      return redirect(to: redirectURI, ["error": "invalid_request"], fields)
    }
    if let error = refusal(of: fields) { return redirect(to: redirectURI, ["error": .string(error)], fields) }
    switch user {
    // Without a page a user is signed in only where the browser still is (OpenID Connect Core §3.1.2.6).
    case .approves(let account) where fields["prompt"] == "none" && browserSessions[account.subject] == nil:
      return redirect(to: redirectURI, ["error": "login_required"], fields)
    case .approves(let account): return approve(fields, redirectURI, account, now)
    case .declines: return redirect(to: redirectURI, ["error": "access_denied"], fields)
    case .causes(let error): return redirect(to: redirectURI, ["error": .string(error)], fields)
    case .types where fields["prompt"] == "none": return redirect(to: redirectURI, ["error": "login_required"], fields)
    case .types where request.method == "GET": return signInPage(request.query)
    case .types where request.form["decision"] == "decline":
      return redirect(to: redirectURI, ["error": "access_denied"], fields)
    case .types:
      guard let account = account(request.form) else {
        return signInPage(request.query, problem: Self.wrongPassword)
      }
      return approve(fields, redirectURI, account, now)
    case .leaves: return .page("Sign in")
    }
  }

  /// PKCE with S256 is required of everybody (RFC 7636 §4.4.1, RFC 9700 §2.1.1).
  private func refusal(of fields: Fields) -> String? {
    guard fields["response_type"] == "code" else { return "unsupported_response_type" }
    guard fields["code_challenge_method"] == "S256", fields["code_challenge"]?.count == 43 else {
      return "invalid_request"
    }
    guard options.resources.isEmpty || options.resources.isSuperset(of: fields.all("resource")) else {
      return "invalid_target"
    }
    return fields["scope"].map(isGrantable) == true ? nil : "invalid_scope"
  }

  func isGrantable(_ scope: String) -> Bool {
    !quirks.refusesUnlistedScopes || lists(scope.split(separator: " ").map(String.init))
  }

  private mutating func approve(_ fields: Fields, _ redirectURI: String, _ account: Account, _ now: Date) -> Answer {
    let signIn = signIn(account, fields, now)
    let code = OpaqueToken.make()
    codes[code] = IssuedCode(
      signIn: signIn, redirectURI: redirectURI, challenge: fields["code_challenge"] ?? "",
      thumbprint: fields["dpop_jkt"], expiresAt: now.addingTimeInterval(60))
    return redirect(to: redirectURI, ["code": .string(code)], fields)
  }

  /// The user types a password where the issuer does not remember one, or where the client asks for it.
  private mutating func signIn(_ account: Account, _ fields: Fields, _ now: Date) -> SignIn {
    let asked = quirks.ignoresRequirements ? Fields("") : fields
    let known = browserSessions[account.subject]
    let isFresh = known.map { known in
      asked["max_age"].flatMap(Double.init).map { now.timeIntervalSince(known) <= $0 } ?? true
    }
    if isFresh != true || asked["prompt"] == "login" || asked["acr_values"] != nil {
      browserSessions[account.subject] = now
    }
    return SignIn(
      account: account, scopes: (fields["scope"] ?? "").split(separator: " ").map(String.init),
      authenticatedAt: browserSessions[account.subject] ?? now,
      context: asked["acr_values"]?.split(separator: " ").first.map(String.init) ?? "urn:example:bronze",
      nonce: fields["nonce"], resources: fields.all("resource"))
  }

  /// RFC 6749 §4.1.2, with `iss` (RFC 9207 §2).
  private func redirect(to uri: String, _ own: [String: JSON], _ fields: Fields) -> Answer {
    let state = fields["state"].map(JSON.string) ?? .absent
    let answer = JSON.object(["state": state, "iss": .string(identifier)]).replacing(own)
    guard case .object(let parameters) = answer.replacing(quirks.redirectParameters) else { return .page("?") }
    let query = parameters.sorted { $0.key < $1.key }.compactMap { name, value in
      if case .string(let text) = value { "\(name)=\(Fields.encode(text))" } else { nil }
    }
    let separator = uri.contains("?") ? "&" : "?"
    return Answer(status: 302, headers: ["Location": uri + separator + query.joined(separator: "&")])
  }

  private func isRegistered(_ uri: String) -> Bool {
    options.redirectURIs.contains { $0 == uri || $0 == Self.withoutLoopbackPort(uri) }
  }

  /// RFC 8252 §7.3.
  static func withoutLoopbackPort(_ uri: String) -> String? {
    guard var parts = URLComponents(string: uri), parts.scheme == "http",
      ["127.0.0.1", "localhost"].contains(parts.host)
    else { return nil }
    parts.port = nil
    return parts.string
  }
}

extension Answer {
  package static func page(_ title: String, status: Int = 200) -> Answer {
    Answer(
      status: status, headers: ["Content-Type": "text/html"],
      body: Data(
        HTML.document(
          HTML("html", ["lang": "en"]) {
            HTML("title") { title }
            HTML("h1") { title }
          }
        ).markup.utf8))
  }
}

#endif
