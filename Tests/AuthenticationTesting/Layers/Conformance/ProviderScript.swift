public import AuthenticationData
public import AuthenticationDomain

/// How a provider's service speaks, written by hand from its documentation, for ``ProviderConformance``.
///
/// Put the word `canary` into each password, token, code and message of it: nothing may print that word.
///
/// ```swift
/// var script = ProviderScript(
///   credentials: .password(userName: "ada", password: Secret("canary-password")), userID: "ada",
///   signIn: [.init("POST https://notes.example.com/login\nContent-Type: …\n\n{…}", .scripted(200, "{…}"))],
///   refresh: .init("POST https://notes.example.com/refresh\n…", .scripted(200, "{…}")))
/// script.wrongCredentials = [.scripted(401, #"{"error":"no","text":"canary"}"#)]
/// ```
public struct ProviderScript: Sendable {
  /// The user's credentials.
  public var credentials: any Credentials
  /// The app's data for the attempt.
  public var attributes: [String: Secret] = [:]
  /// The id of the user.
  public var userID: String
  /// The value of ``AuthenticationDomain/User/claims`` after ``signIn``; nil does not check it.
  public var claims: [String: JSONValue]?
  /// Its value after ``refresh``; nil if a refresh has no claims.
  public var refreshedClaims: [String: JSONValue]?
  /// A sign-in that succeeds, in order.
  public var signIn: [Exchange]
  /// Responses to the first request of ``signIn`` that refuse the credentials.
  public var wrongCredentials: [HTTPResponse] = []
  /// Sign-ins that ask for steps; empty if the service asks for none.
  public var challenges: [ChallengeScript] = []

  /// A refresh of the session of ``signIn`` whose response has a new refresh token; nil if the service has none: then
  /// the adapter throws ``AuthenticationError/sessionExpired``, and its sessions have no refresh token.
  public var refresh: Exchange?
  /// The response to it without one; nil if it would not be this service's.
  public var refreshWithoutNewToken: HTTPResponse?
  /// Responses to a refresh that end the session.
  public var sessionEnding: [HTTPResponse] = []
  /// Responses to a refresh after which a later one may succeed.
  public var transient: [HTTPResponse] = []
  /// Responses to a refresh that refuse something else than the session, such as the app.
  public var otherRefusals: [HTTPResponse] = []
  /// A response in the shape of a refusal, with a code that the service does not have.
  public var unknownCode: HTTPResponse?

  /// A refresh for one resource; nil if the adapter is no ``ResourceAuthProvider``.
  public var resource: ResourceScript?

  /// A sign-out of the session of ``signIn``; empty if the service has no such call.
  public var revocation: [Exchange] = []
  /// Responses to the first request of ``revocation`` for tokens that have ended already.
  public var revokedTokens: [HTTPResponse] = []
  /// Whether the session is valid; nil if the adapter is no ``SessionValidatingProvider``.
  public var validation: Validation?

  /// Exchanges at any time that are not counted: a discovery document, for example.
  public var documents: [Exchange] = []
  /// Texts that nothing may print.
  public var secrets = ["canary"]

  /// Creates a script with the exchanges of every provider, and the refresh of those that have one.
  public init(credentials: any Credentials, userID: String, signIn: [Exchange], refresh: Exchange? = nil) {
    self.credentials = credentials
    self.userID = userID
    self.signIn = signIn
    self.refresh = refresh
  }

  /// A refresh of the session of ``signIn`` for one resource.
  public struct ResourceScript: Sendable {
    let resource: ProtectedResource
    let exchange: Exchange
    let refusals: [HTTPResponse]
    let others: [HTTPResponse]

    /// - Parameters:
    ///   - resource: the resource of the access token.
    ///   - exchange: its response has an access token for the resource and a new refresh token.
    ///   - refusals: responses that give no token for the resource.
    ///   - others: responses with a new refresh token, and with an access token for something else; by default the
    ///     service has none that tell it.
    public init(
      _ resource: ProtectedResource, _ exchange: Exchange, refusals: [HTTPResponse], others: [HTTPResponse] = []
    ) {
      self.resource = resource
      self.exchange = exchange
      self.refusals = refusals
      self.others = others
    }
  }

  /// A question whether a session is valid.
  public struct Validation: Sendable {
    let exchange: Exchange
    let refusals: [HTTPResponse]

    /// - Parameters:
    ///   - exchange: whose response says that it is.
    ///   - refusals: responses that say that it is not.
    public init(_ exchange: Exchange, refusals: [HTTPResponse]) {
      self.exchange = exchange
      self.refusals = refusals
    }
  }

  /// The missing parts, as sentences.
  var gaps: [String] {
    var lists: [(name: String, answers: [HTTPResponse])] = [
      ("wrongCredentials", wrongCredentials), ("secrets", secrets.isEmpty ? [] : [.scripted()]),
      ("revokedTokens", revocation.isEmpty ? [.scripted()] : revokedTokens),
    ]
    if refresh != nil {
      lists += [
        ("sessionEnding", sessionEnding), ("transient", transient), ("unknownCode", unknownCode.map { [$0] } ?? []),
      ]
    }
    if let resource { lists.append(("refusals of the resource", resource.refusals)) }
    return lists.filter(\.answers.isEmpty).map { "'\($0.name)' is empty: the rules about it cannot be checked." }
  }
}
