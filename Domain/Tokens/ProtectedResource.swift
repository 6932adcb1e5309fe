/// An API with a separate access token, which the refresh token of the session gets (RFC 8707 §2.2).
///
/// ```swift
/// let orders = ProtectedResource.resource("https://orders.example.com", scopes: ["orders.read"])
/// let root = try MainRoot(.openIDConnect(issuer: "https://id.example.com", clientID: "app")) {
///   $0.resources = [orders: ["https://orders.example.com"]]
/// }
/// let response = try await root.apiClient(for: orders).send(HTTPRequest(.get, url))
/// ```
public struct ProtectedResource: Sendable, Hashable {
  /// Its name at the issuer: an absolute URI without a fragment (`resource`, RFC 8707 §2), or the issuer's equivalent
  /// (Auth0: `audience`; Entra: the beginning of its scopes). Nil if its scopes alone do.
  public let indicator: String?
  /// The scopes of its token (RFC 6749 §3.3); empty leaves them to the issuer.
  public let scopes: [String]

  private init(_ indicator: String?, _ scopes: [String]) {
    self.indicator = indicator
    self.scopes = scopes
  }

  /// A resource that has a name at the issuer.
  ///
  /// - Parameters:
  ///   - indicator: the name, such as `https://orders.example.com`.
  ///   - scopes: the scopes of its token; by default the issuer's choice.
  public static func resource(_ indicator: String, scopes: [String] = []) -> Self { Self(indicator, scopes) }

  /// A token with fewer rights than the session's own (RFC 6749 §6).
  ///
  /// - Parameter scopes: some of those that were granted.
  public static func scopes(_ scopes: [String]) -> Self { Self(nil, scopes) }

  /// Names its token among those of a session. A token for other scopes is another one. Quoted and in ASCII: no two
  /// resources have the same.
  package var key: String {
    ([indicator.map { "=\($0)" } ?? ""] + scopes.sorted()).map { text in
      "\"\(text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())\""
    }.joined(separator: " ")
  }
}

/// The result of a refresh for one resource.
public struct ResourceTokens: Sendable {
  /// The access token is the resource's; a refresh token, an identity token and claims are the session's.
  public let tokens: SessionTokens
  /// Why the access token is not one for the resource; nil if it is. The other tokens count all the same.
  public let refusal: AuthenticationError?

  /// For a provider that maps a response.
  public init(_ tokens: SessionTokens, refusal: AuthenticationError? = nil) {
    self.tokens = tokens
    self.refusal = refusal
  }
}
