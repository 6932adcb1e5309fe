import AuthenticationAccount
import AuthenticationBrowser
import AuthenticationData
public import AuthenticationDomain
import Foundation

extension SignInMethod {
  /// The identity provider of a company (SAML), by the domain of the address that the user types, or by its id.
  ///
  /// ```swift
  /// let methods: [SignInMethod] = [.password, .singleSignOn()]
  /// ```
  ///
  /// - Parameters:
  ///   - providerID: its id at the project, for a button without a form; nil to ask for an address.
  ///   - displayName: the text of the button (English).
  public static func singleSignOn(_ providerID: String? = nil, displayName: String = "Single sign-on") -> Self {
    Self(
      id: providerID.map { singleSignOnPrefix + $0 } ?? "sso", displayName: displayName,
      needs: [providerID == nil ? .emailAddress : .browser])
  }

  private static let singleSignOnPrefix = "sso-"

  var singleSignOnProvider: String? {
    id.hasPrefix(Self.singleSignOnPrefix) ? String(id.dropFirst(Self.singleSignOnPrefix.count)) : nil
  }

  var isSingleSignOn: Bool { self == .singleSignOn() || singleSignOnProvider != nil }
}

extension SignInProcess {
  /// A form with an address, then the page of the identity provider of its domain.
  static let singleSignOn = Self(.singleSignOn()) { context throws(AuthenticationError) in
    var hints = context.input.hints
    hints.userName = context.input[.emailAddress].reveal()
    context.onExternalInteraction(ExternalInteraction(.browser))
    return BrowserSignIn(hints, method: .singleSignOn())
  }
}

/// Shows the pages of a project in a browser.
struct SupabasePages: Sendable {
  /// The service's own: a code of a page that took longer is refused.
  static let deadline: Duration = .seconds(300)

  let presenter: any AuthorizationPresenter
  let redirect: RedirectURI
  /// Keeps a begun sign-in for a relaunch.
  let flow: PageFlow
}

extension SupabaseErrors {
  /// The error with which the service sends the browser back; nil if there is none. `error_code` is its own,
  /// `error` OAuth's (RFC 6749 §4.1.2.1).
  fileprivate func meaning(ofRedirect parameters: [String: String]) -> AuthenticationError? {
    guard let code = parameters["error_code"] ?? parameters["error"] else { return nil }
    let plain: AuthenticationError =
      switch parameters["error"] {
      case "access_denied": .declined
      case "server_error", "temporarily_unavailable": .serverFailed
      default: .unexpectedResponse
      }
    return (table[code] ?? plain).with(\.providerCode, HTTPErrorMapper.plainToken(code))
  }
}

extension AuthenticationError {
  fileprivate static func noReturn(to redirect: RedirectURI) -> Self {
    let entry =
      switch redirect {
      case .loopback(_, let path): "http://127.0.0.1:*\(path)**"
      case .localhost(_, let path): "http://localhost:*\(path)**"
      case .address(let text): "\(text)**"
      }
    return Self(
      .signInExpired, "The browser did not come back within 5 minutes.",
      suggestion: """
        Begin the sign-in again. If no page ever comes back, add '\(entry)' to the redirect URLs (allow list) of the \
        project: to any other address the service sends the browser to its site URL, without an error.
        """)
  }
}

extension SupabaseAuthProvider {
  /// A code, and the verifier with which it is exchanged.
  private typealias Grant = (code: Secret, verifier: Secret)

  /// Shows a page, and returns the code with which it ends; only this device can exchange it (RFC 9700 §2.1).
  ///
  /// - Parameters:
  ///   - pages: show it.
  ///   - userID: to whom an identity is linked; nil for a sign-in.
  ///   - makeURL: returns the page's address with these parameters.
  private func authorize(
    on pages: SupabasePages, linkingTo userID: String? = nil,
    _ makeURL: @escaping @Sendable (KeyValuePairs<String, String>) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> Grant {
    let state = Data(randomBytes(32)).base64URL
    let verifier = CodeVerifier(random: randomBytes(32))
    let request = PageFlow.Request(
      state: state, startedAt: client.clock.now, ["verifier": verifier.secret, "user": userID.map(Secret.init)])
    let limit = (time: SupabasePages.deadline, expiry: AuthenticationError.noReturn(to: pages.redirect))
    let returned = try await pages.flow.show(request, by: pages.presenter, returningTo: pages.redirect, within: limit) {
      redirectURI async throws(AuthenticationError) in
      // The challenge binds the code to this device, and the state the redirect to this page: the service returns no
      // state of ours, but keeps the query of the address to which it returns.
      try await makeURL([
        "redirect_to": "\(redirectURI)?state=\(state)", "code_challenge": verifier.challenge,
        "code_challenge_method": "s256",
      ])
    }
    return try grant(of: returned, linkingTo: userID)
  }

  /// A fragment is read for an error alone: a session in it could be any user's.
  private func grant(
    of returned: PageFlow.Returned, linkingTo userID: String? = nil
  ) throws(AuthenticationError) -> Grant {
    let parameters = returned.response.parameters
    let (code, errors) = (parameters["code"] ?? "", userID == nil ? SupabaseErrors.attempt : .linking)
    if let refusal = errors.meaning(ofRedirect: parameters) {
      throw code.isEmpty ? refusal : .refused(by: .redirect, "The redirect has a code and an error.")
    }
    guard !code.isEmpty, let verifier = returned.request["verifier"] else {
      let fragment = FormBody(
        decoding: returned.callback.absoluteString.utf8.drop { $0 != UInt8(ascii: "#") }.dropFirst())
      let parameters = Dictionary(fragment?.fields.map { ($0.name, $0.value) } ?? []) { first, _ in first }
      throw errors.meaning(ofRedirect: parameters)
        ?? .refused(by: .redirect, "The redirect has neither a code nor an error.")
    }
    return (Secret(code), verifier)
  }

  func signIn(
    onPage request: BrowserSignIn, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    guard let pages, methods.contains(request.method) else { throw .unsupportedMethod(request.method) }
    let grant = try await authorize(on: pages) { parameters async throws(AuthenticationError) in
      try await page(of: request, parameters, attributes)
    }
    return try await complete(exchange(grant))
  }

  /// A sign-in that was begun before the app was relaunched.
  func signIn(returningTo url: URL) async throws(AuthenticationError) -> SignInOutcome {
    guard let pages else { throw .unsupportedMethod(.browser) }
    return try await complete(exchange(grant(of: pages.flow.accept(url) { $0["user"] == nil })))
  }

  /// Links an identity of another provider: the user stays the same, and so does the session, with its level. Only an
  /// account that was anonymous gets the new one, whose tokens no longer say that it is.
  ///
  /// - Parameter url: the redirect of a page that was shown before the app was relaunched; nil to show one.
  func link(
    onPageOf method: SignInMethod, returningTo url: URL? = nil, to session: AuthSession, _ attributes: Attributes
  ) async throws(AuthenticationError) -> AccountOutcome {
    guard let pages, let vendor = url == nil ? method.pageVendor : "" else { throw .unsupportedMethod(method) }
    let user = session.user.id
    let code =
      if let url {
        try grant(of: pages.flow.accept(url) { ($0["user"]?.reveal()).isSame(as: user) }, linkingTo: user)
      } else {
        try await authorize(on: pages, linkingTo: user) { [client] parameters async throws(AuthenticationError) in
          var query = ["provider": vendor, "skip_http_redirect": "true", "scopes": attributes["scopes"]?.reveal()]
          for (name, value) in parameters { query[name] = value }
          return try address(
            await client.send(
              .get, "user/identities/authorize", query: query.compactMapValues(\.self), as: session.accessToken.value,
              errors: .linking))
        }
      }
    let linked = try await exchange(code, errors: .linking)
    let isSame = linked.session.user.id.isSame(as: user)
    if isSame, session.user.isAnonymous { return AccountOutcome(try await complete(linked)) }
    await discard(linked.session.tokens, by: client.clock)
    guard isSame else { throw .otherSubject }
    return .session(AuthSession(user: linked.session.user, tokens: session.tokens))
  }

  private func exchange(
    _ grant: Grant, errors: SupabaseErrors = .attempt
  ) async throws(AuthenticationError) -> SupabaseSession {
    try await client.session(
      "token", query: ["grant_type": "pkce"], ["auth_code": grant.code, "code_verifier": grant.verifier],
      errors: errors)
  }

  private func page(
    of request: BrowserSignIn, _ parameters: KeyValuePairs<String, String>, _ attributes: Attributes
  ) async throws(AuthenticationError) -> URL {
    let hints = try request.pageHints()
    if let vendor = request.method.pageVendor {
      var form = FormBody(["provider": vendor, "scopes": attributes["scopes"]?.reveal()])
      for (name, value) in parameters { form.add(name, value) }
      form.add("prompt", hints.prompt)
      form.add("login_hint", hints.userName)
      return try client.service.url.appending(path: "auth/v1/authorize").appending(form)
    }
    var body: JSONBody = ["skip_http_redirect": true]
    for (name, value) in parameters { body[name] = value }
    if let provider = request.method.singleSignOnProvider {
      body["provider_id"] = provider
    } else {
      let domain = request.hints.userName?.split(separator: "@").last.map(String.init)
      guard let domain, !domain.isEmpty else { throw .invalidEmailAddress }
      body["domain"] = domain
    }
    return try address(await client.send(.post, "sso", body.protected(by: attributes)))
  }

  /// `{"url"}`: where the browser is sent, and nothing else is done with it.
  private func address(_ response: HTTPResponse) throws(AuthenticationError) -> URL {
    guard let url = URL(string: try JSONMembers(response).required("url")), Origin(url)?.isSecure == true else {
      throw .unexpectedResponse
    }
    return url
  }
}
