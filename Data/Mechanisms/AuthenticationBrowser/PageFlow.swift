package import AuthenticationData
package import AuthenticationDomain
package import Foundation

/// Shows pages that return by a redirect with a `state`, and finds the data of the redirect again, also after a
/// relaunch. Several sign-ins may run concurrently.
package struct PageFlow: Sendable {
  /// One request to a page, with the data that its provider needs again when the browser returns.
  package struct Request: PendingAuthorization, Redacted {
    /// 256 random bits, which only the response to this request contains.
    package let state: String
    /// UTC.
    package let startedAt: Date
    /// Where the browser returns to, as it was sent; known when the presenter listens.
    package fileprivate(set) var redirectURI = ""
    private let fields: [String: Secret]

    /// - Parameters:
    ///   - state: the state that the response must name.
    ///   - startedAt: the time (UTC).
    ///   - fields: the data that the provider keeps, secrets included, by its names; nil adds nothing.
    package init(state: String, startedAt: Date, _ fields: [String: Secret?]) {
      self.state = state
      self.startedAt = startedAt
      self.fields = fields.compactMapValues(\.self)
    }

    /// A field; nil if there is none.
    package subscript(name: String) -> Secret? { fields[name] }

    package func encoded() throws(AuthenticationError) -> Data {
      let stored: JSONBody = [
        "state": state, "redirectURI": redirectURI, "fields": fields,
        "startedAt": JSONValue.number(startedAt.timeIntervalSinceReferenceDate),
      ]
      guard let data = try? JSONEncoder().encode(stored) else {
        throw AuthenticationError(.storageUnavailable, "The sign-in could not be written down for later.")
      }
      return data
    }

    package init?(stored data: Data) {
      guard let stored = JSONMembers(json: data), let state = stored["state"],
        let startedAt = stored.number("startedAt"), let redirectURI = stored["redirectURI"],
        let fields = stored.members("fields")
      else { return nil }
      self.init(
        state: state, startedAt: Date(timeIntervalSinceReferenceDate: startedAt),
        fields.values.mapValues { $0.text.map(Secret.init) })
      self.redirectURI = redirectURI
    }
  }

  /// A redirect, and the request that it belongs to.
  package typealias Returned = (callback: URL, response: AuthorizationResponse, request: Request)

  private let pending: PendingAuthorizations<Request>
  private let clock: any AuthenticationClock
  private let state: @Sendable (AuthorizationResponse) -> String?

  /// - Parameter state: reads the state of a response; by default its parameter of that name.
  package init(
    in environment: AuthProviderConfiguration.Environment,
    state: @escaping @Sendable (AuthorizationResponse) -> String? = { $0.state }
  ) {
    clock = environment.clock
    pending = PendingAuthorizations(environment.storage, clock: clock)
    self.state = state
  }

  /// Shows a page, and returns the redirect that ends it. The request is stored before the page is shown, and removed
  /// when this returns or throws; only if the process ends in between does it stay for
  /// ``accept(_:only:where:)``.
  ///
  /// - Parameters:
  ///   - limit: after this time the page is left, and the error thrown; nil for the presenter's own.
  ///   - page: takes the actual redirect URI.
  /// - Throws: as ``accept(_:only:where:)``, and the errors of the presenter and of the storage.
  package func show(
    _ request: Request, by presenter: any AuthorizationPresenter, returningTo redirect: RedirectURI,
    within limit: (time: Duration, expiry: AuthenticationError)? = nil,
    _ page: @escaping @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> Returned {
    let makeURL = { @Sendable [pending] (redirectURI: String) async throws(AuthenticationError) -> URL in
      var request = request
      request.redirectURI = redirectURI
      try pending.add(request)
      return try await page(redirectURI)
    }
    do throws(AuthenticationError) {
      let callback =
        if let limit {
          try await presenter.present(
            redirectingTo: redirect, answering: request.state, within: limit.time, by: clock, or: limit.expiry, makeURL)
        } else {
          try await presenter.present(redirectingTo: redirect, answering: request.state, makeURL)
        }
      if Task.isCancelled { throw AuthenticationError.cancelled }
      return try accept(callback, only: request.state)
    } catch {
      // If it cannot be removed now, it expires within 10 minutes.
      _ = try? pending.take(state: request.state)
      throw error
    }
  }

  /// Returns the request of a redirect, begun by this or an earlier process: once.
  ///
  /// - Parameters:
  ///   - state: of the one request that is waited for; nil for any.
  ///   - isOwn: whether it is one of the caller's; any other stays.
  /// - Throws: ``AuthenticationError/security`` with the reason `state` or `redirect`, and
  ///   ``AuthenticationError/superseded`` if a sign-out or another sign-in removed the request meanwhile.
  package func accept(
    _ callback: URL, only state: String? = nil, where isOwn: (Request) -> Bool = { _ in true }
  ) throws(AuthenticationError) -> Returned {
    let response = try AuthorizationResponse(callback)
    guard let answered = self.state(response) else { throw response.faultWithoutState }
    if let state, !answered.isSame(as: state) { throw .unknownState }
    guard let request = try pending.take(state: answered, where: isOwn) else {
      // The expected response is no attack: its data was removed meanwhile.
      throw state == nil ? .unknownState : .signInRemoved
    }
    guard response.address.isSame(as: request.redirectURI) else { throw .otherRedirect }
    return (callback, response, request)
  }

  /// Forgets every request that was begun.
  package func removeAll() { pending.removeAll() }
}

extension RedirectURI {
  /// The address, where it is known before a presenter listens: for a vendor that compares it with a registered one,
  /// the port included. Nil if the system chooses the port.
  package var fixed: String? {
    switch self {
    case .loopback(let port, let path): port.map { "http://127.0.0.1:\($0)\(path)" }
    case .localhost(let port, let path): port.map { "http://localhost:\($0)\(path)" }
    case .address(let text): text
    }
  }
}

extension AuthorizationResponse {
  /// Returns the code of a success (RFC 6749 §4.1.2).
  ///
  /// - Parameter meaning: of the provider's error; nil for one that is not known.
  /// - Throws: the provider's error, and ``AuthenticationError/security`` with the reason `redirect` if there is neither
  ///   a code nor an error, or both.
  package func code(
    _ meaning: (_ error: String) -> AuthenticationError?
  ) throws(AuthenticationError) -> Secret {
    let code = parameters["code"].flatMap { $0.isEmpty ? nil : Secret($0) }
    switch (code, parameters["error"]) {
    case (let code?, nil): return code
    case (nil, let error?):
      throw (meaning(error) ?? .unknownPageError).with(\.providerCode, HTTPErrorMapper.plainToken(error))
    default: throw .refused(by: .redirect, "The redirect has neither a code nor an error, or both.")
    }
  }
}

extension BrowserSignIn {
  /// The hints as a page takes them that knows no others (`login_hint`, `prompt`).
  ///
  /// - Throws: ``AuthenticationError/unsupportedMethod`` for requirements and ``AuthenticationError/invalidRequest`` for
  ///   an organization, which must not be passed over.
  package func pageHints() throws(AuthenticationError) -> (userName: String?, prompt: String?) {
    guard hints.requirements == AuthenticationRequirements() else {
      throw AuthenticationError(
        .unsupportedMethod, "This provider's page takes neither 'acr_values' nor 'max_age'; nothing was sent.",
        suggestion: "Ask with the prompt 'login'.")
    }
    if hints.organization != nil { throw .organizationIgnored }
    let prompt = hints.prompt.isEmpty ? nil : hints.prompt.joined(separator: " ")
    return (hints.userName ?? hints.returning?.user.email, prompt)
  }
}

extension AuthenticationError {
  package static let unknownPageError = Self(
    .unexpectedResponse, "The provider's page ended with an error that is not known here.",
    suggestion: "Look up the error's provider code in the provider's documentation.")
}
