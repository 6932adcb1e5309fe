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

/// One page, kept until the browser comes back (RFC 9700 §2.1).
struct SupabasePage: PendingAuthorization, Redacted {
  let state: String
  let verifier: CodeVerifier
  /// As it was sent, without the state; known when the presenter listens.
  var redirectURI = ""
  /// UTC.
  let startedAt: Date
  /// To whom an identity is linked; nil for a sign-in.
  let userID: String?

  /// The data that binds the code to this device, and the redirect to this page: the service returns no state of ours,
  /// but keeps the query of the address to which it returns.
  var parameters: KeyValuePairs<String, String> {
    [
      "redirect_to": "\(redirectURI)?state=\(state)", "code_challenge": verifier.challenge,
      "code_challenge_method": "s256",
    ]
  }
}

extension SupabasePage {
  func encoded() throws(AuthenticationError) -> Data {
    let stored: JSONBody = [
      "supabase": JSONValue.number(1), "state": state, "verifier": verifier.secret, "redirectURI": redirectURI,
      "startedAt": JSONValue.number(startedAt.timeIntervalSinceReferenceDate), "userID": userID,
    ]
    guard let data = try? JSONEncoder().encode(stored) else {
      throw AuthenticationError(.storageUnavailable, "The sign-in could not be written down for later.")
    }
    return data
  }

  init?(stored data: Data) {
    guard let stored = JSONMembers(json: data), stored.number("supabase") == 1, let state = stored["state"],
      let verifier = stored.secret("verifier"), let redirectURI = stored["redirectURI"],
      let startedAt = stored.number("startedAt")
    else { return nil }
    self.init(
      state: state, verifier: CodeVerifier(verifier), redirectURI: redirectURI,
      startedAt: Date(timeIntervalSinceReferenceDate: startedAt), userID: stored["userID"])
  }
}

/// The browser part of a sign-in on a page, or of a link: from the request to a code that only this device can exchange.
struct SupabasePages: Sendable {
  /// The service's own: a code of a page that took longer is refused.
  static let deadline: Duration = .seconds(300)

  private let presenter: any AuthorizationPresenter
  private let redirect: RedirectURI
  private let environment: AuthProviderConfiguration.Environment
  private let pending: PendingAuthorizations<SupabasePage>

  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a redirect that never comes back.
  init(
    _ presenter: any AuthorizationPresenter, _ redirect: RedirectURI,
    in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) {
    try redirect.validate()
    try presenter.validate(redirect)
    self.presenter = presenter
    self.redirect = redirect
    self.environment = environment
    pending = PendingAuthorizations(environment.storage, clock: environment.clock)
  }

  /// A code, and the verifier with which it is exchanged.
  typealias Grant = (code: Secret, verifier: Secret)

  /// Shows a page, and returns the code with which it ends. The page is stored before it is shown, and removed when
  /// this returns or throws.
  ///
  /// - Parameters:
  ///   - userID: to whom an identity is linked; nil for a sign-in.
  ///   - makeURL: returns the page's address with these parameters.
  func authorize(
    linkingTo userID: String? = nil,
    _ makeURL: @escaping @Sendable (KeyValuePairs<String, String>) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> Grant {
    let begun = SupabasePage(
      state: Data(environment.randomBytes(32)).base64URL, verifier: CodeVerifier(random: environment.randomBytes(32)),
      startedAt: environment.clock.now, userID: userID)
    do throws(AuthenticationError) {
      let callback = try await presenter.present(
        redirectingTo: redirect, answering: begun.state, within: Self.deadline, by: environment.clock,
        or: .noReturn(to: redirect)
      ) { [pending] redirectURI async throws(AuthenticationError) in
        var page = begun
        page.redirectURI = redirectURI
        try pending.add(page)
        return try await makeURL(page.parameters)
      }
      if Task.isCancelled { throw AuthenticationError.cancelled }
      return try accept(callback, linkingTo: userID, only: begun.state)
    } catch {
      // If it cannot be removed now, it expires within 10 minutes.
      _ = try? pending.take(state: begun.state)
      throw error
    }
  }

  /// The code of a page that this or an earlier process began, from the URL that opened the app.
  ///
  /// A fragment is read for an error alone: a session in it could be any user's.
  ///
  /// - Parameter state: of the one page that is waited for; nil for any.
  func accept(
    _ callback: URL, linkingTo userID: String? = nil, only state: String? = nil
  ) throws(AuthenticationError) -> Grant {
    let response = try AuthorizationResponse(callback)
    guard let answered = response.state, state.map({ $0.isSame(as: answered) }) ?? true else { throw .unknownState }
    guard let page = try pending.take(state: answered, where: { $0.userID.isSame(as: userID) }) else {
      throw state == nil ? .unknownState : .signInRemoved
    }
    guard response.address.isSame(as: page.redirectURI) else { throw .otherRedirect }
    let (code, errors) = (response.parameters["code"] ?? "", userID == nil ? SupabaseErrors.attempt : .linking)
    if let refusal = errors.meaning(ofRedirect: response.parameters) {
      throw code.isEmpty ? refusal : .refused(by: .redirect, "The redirect has a code and an error.")
    }
    if code.isEmpty {
      let fragment = FormBody(decoding: callback.absoluteString.utf8.drop { $0 != UInt8(ascii: "#") }.dropFirst())
      let parameters = Dictionary(fragment?.fields.map { ($0.name, $0.value) } ?? []) { first, _ in first }
      throw errors.meaning(ofRedirect: parameters)
        ?? .refused(by: .redirect, "The redirect has neither a code nor an error.")
    }
    return (Secret(code), page.verifier.secret)
  }

  /// Forgets every page that was begun.
  func forget() { pending.removeAll() }
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
  func signIn(onPage request: BrowserSignIn) async throws(AuthenticationError) -> SignInOutcome {
    guard let pages, methods.contains(request.method) else { throw .unsupportedMethod(request.method) }
    let grant = try await pages.authorize { parameters async throws(AuthenticationError) in
      try await page(of: request, parameters)
    }
    return try await complete(exchange(grant))
  }

  /// A sign-in that was begun before the app was relaunched.
  func signIn(returningTo url: URL) async throws(AuthenticationError) -> SignInOutcome {
    guard let pages else { throw .unsupportedMethod(.browser) }
    return try await complete(exchange(pages.accept(url)))
  }

  /// Links an identity of another provider: the user stays the same, and so does the session, with its level. Only an
  /// account that was anonymous gets the new one, whose tokens no longer say that it is.
  ///
  /// - Parameter url: the redirect of a page that was shown before the app was relaunched; nil to show one.
  func link(
    onPageOf method: SignInMethod, returningTo url: URL? = nil, to session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    guard let pages, let vendor = url == nil ? method.pageVendor : "" else { throw .unsupportedMethod(method) }
    let user = session.user.id
    let grant =
      if let url { try pages.accept(url, linkingTo: user) } else {
        try await pages.authorize(linkingTo: user) { [client] parameters async throws(AuthenticationError) in
          var query = ["provider": vendor, "skip_http_redirect": "true", "scopes": attributes["scopes"]?.reveal()]
          for (name, value) in parameters { query[name] = value }
          return try address(
            await client.send(
              .get, "user/identities/authorize", query: query.compactMapValues(\.self), as: session.accessToken.value,
              errors: .linking))
        }
      }
    let linked = try await exchange(grant, errors: .linking)
    let isSame = linked.session.user.id.isSame(as: user)
    if isSame, session.user.isAnonymous { return AccountOutcome(try await complete(linked)) }
    await discard(linked.session.tokens, by: client.clock)
    guard isSame else { throw .otherSubject }
    return .session(AuthSession(user: linked.session.user, tokens: session.tokens))
  }

  private func exchange(
    _ grant: SupabasePages.Grant, errors: SupabaseErrors = .attempt
  ) async throws(AuthenticationError) -> SupabaseSession {
    try await client.session(
      "token", query: ["grant_type": "pkce"], ["auth_code": grant.code, "code_verifier": grant.verifier],
      errors: errors)
  }

  private func page(
    of request: BrowserSignIn, _ parameters: KeyValuePairs<String, String>
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
    return try address(await client.send(.post, "sso", protected(body)))
  }

  /// `{"url"}`: where the browser is sent, and nothing else is done with it.
  private func address(_ response: HTTPResponse) throws(AuthenticationError) -> URL {
    guard let url = URL(string: try JSONMembers(response).required("url")), Origin(url)?.isSecure == true else {
      throw .unexpectedResponse
    }
    return url
  }
}
