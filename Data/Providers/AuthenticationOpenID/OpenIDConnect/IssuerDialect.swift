import AuthenticationData
import AuthenticationDomain
import Foundation

/// How a vendor's service differs from the standards. A preset says so; an app never does.
struct IssuerDialect: Sendable {
  /// Names the provider in logs and status.
  var name = "openid"
  /// Where sessions are stored by default; nil for the name, the issuer and the client id.
  var realm: String?
  /// The methods; nil for those of any issuer.
  var methods: [SignInMethod]?
  /// Changes the expected values for every ID token.
  var expect: @Sendable (inout IDTokenExpectations) -> Void = { _ in }
  /// When UserInfo is asked at a sign-in.
  var userInfo = UserInfoUse.always
  /// How a refresh names the resource whose access token it gets.
  var resourceNaming = ResourceNaming.indicator
  /// Nil unless one metadata document stands for many issuers.
  var tenants: IssuerTenants?
  /// The name by which the end session endpoint knows a user; nil if the user has none there.
  var logoutHint: @Sendable (User) -> String? = { $0.email ?? $0.id }
  /// A further check of every ID token, also of one that a refresh brings; nil for none. Where there is one, no sign-in
  /// goes without an ID token.
  var checkIdentity: (@Sendable (_ claims: JSONMembers) throws(AuthenticationError) -> Void)?
  /// Checks that an ID token names the organization that the attempt asked for; nil where none can be asked for.
  var checkOrganization: (@Sendable (_ asked: String, _ claims: JSONMembers) throws(AuthenticationError) -> Void)?
  /// The meaning of refusals of a sign-in.
  var refusals = VendorRefusals()
  /// The meaning of refusals of a refresh.
  var refreshRefusals = VendorRefusals()
  /// Names of ``AuthenticationDomain/SignInRequest/attributes`` that are parameters of a method's first request.
  var attributes: [SignInMethod: [String]] = [:]
  /// Checks the hints of a sign-in on the page.
  var checkHints: @Sendable (SignInHints) throws(AuthenticationError) -> Void = { _ in }
  /// Why a redirect that carries a code is no success; nil if it is one.
  var redirectRefusal: @Sendable (_ parameters: [String: String]) -> AuthenticationError? = { _ in nil }
  /// Of a service of plain OAuth, without a discovery document, ID tokens and UserInfo; nil for any other.
  var plainOAuth: PlainOAuthService?
  /// The tokens and sessions that a revocation ends.
  var revocation = RevocationScope.token
  /// Ends the session of a refresh token at the end session endpoint, without a browser; nil if the endpoint takes none.
  var endSession:
    (@Sendable (OpenIDConnectProvider, _ refresh: Secret, _ endpoint: URL) async throws(AuthenticationError) -> Void)?
  /// Checks the vendor's own settings when the app is composed, and fills in the members that follow from them. Throws
  /// ``AuthenticationError/invalidConfiguration``, which names the faulty setting without its value.
  var complete: @Sendable (inout OpenIDClient) throws(AuthenticationError) -> Void = { _ in }
  /// Makes the provider of a vendor that also has custom grants; nil for one that does not.
  var wrap: (@Sendable (OpenIDConnectProvider) throws(AuthenticationError) -> any RemoteAuthProvider)?

  /// Checks an ID token by the requirements of this dialect, and that it names an organization; nil for any.
  func check(_ identity: Secret, of organization: String? = nil) throws(AuthenticationError) {
    let claims = JSONMembers(unverified: identity) ?? JSONMembers([:])
    try checkIdentity?(claims)
    if let organization { try checkOrganization?(organization, claims) }
  }
}

/// How a refresh names the resource whose access token it gets.
enum ResourceNaming: Sendable {
  /// `resource` (RFC 8707 §2.2).
  case indicator
  /// `audience`.
  case audience
  /// By the beginning of its scopes. Each access token is for one resource.
  case scopes
}

/// The tokens and sessions that a revocation ends (RFC 7009 §2.1).
enum RevocationScope: Sendable {
  /// The token, and with a refresh token its access tokens.
  case token
  /// A refresh token: access tokens cannot be revoked.
  case refreshTokenOnly
  /// Every session that the user has with this client, by any of their tokens.
  case grant
}

/// When the UserInfo endpoint is asked at a sign-in (OpenID Connect Core §5.3).
enum UserInfoUse: Sendable {
  /// For claims that the ID token lacks.
  case always
  /// Only for a name or an address that were requested: an ID token says all the rest.
  case ifLacking
  /// The endpoint belongs to another resource than the access token.
  case never
}

extension String {
  /// Whether it is a UUID in lower case, as tenants are named.
  var isUUID: Bool {
    let lengths = split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
    return lengths == [8, 4, 4, 4, 12]
      && utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension OpenIDClient {
  /// Checks the settings that all vendors have in common.
  func check(
    _ vendor: String, offering possible: Set<SignInMethod>, clientSecret: Secret? = nil, endpoint: String?
  ) throws(AuthenticationError) {
    if let endpoint { _ = try ServiceURL(endpoint, key: "endpoint", allowsPath: true) }
    guard possible.isSuperset(of: dialect.methods ?? []) else {
      throw .invalid("methods", "names one that \(vendor) does not have")
    }
    if clientSecret?.isEmpty == true { throw .invalid("clientSecret", "is empty; leave it out") }
  }
}

/// The meaning of a vendor's refusals, as data, where the standard (RFC 6749 §5.2) says less or something else. Of a
/// refusal only the code is kept.
struct VendorRefusals: Sendable {
  /// A code, how its description begins if that tells it from others of the same code (or `suberror` and the word that
  /// the response has there), and its meaning.
  typealias Row = (code: String, words: String?, meaning: AuthenticationError)

  private let rows: [Row]

  /// - Parameter rows: the first that fits counts.
  init(_ rows: [Row] = []) { self.rows = rows }

  /// The meaning of a refusal; nil if the table has none. A server that is overloaded or has failed ends no session,
  /// whatever its body says.
  func meaning(of response: HTTPResponse, now: Date) -> AuthenticationError? {
    guard response.canRefuse, !response.isGranted, let body = response.members, let code = body["error"] ?? body["code"]
    else { return nil }
    let words =
      body["suberror"].map { "suberror \($0)" } ?? body["error_description"] ?? body["description"] ?? body["message"]
      ?? ""
    guard var error = meaning(of: code, words) else { return nil }
    error.providerCode = response.plainToken(code)
    error.response = .refused
    error.retryAfter = response.retryAfter(now: now)
    return error
  }

  /// The meaning of a code; nil if the table has none.
  func meaning(of code: String, _ words: String = "") -> AuthenticationError? {
    guard let row = rows.first(where: { $0.code == code && $0.words.map(words.hasPrefix) ?? true }) else { return nil }
    return row.meaning.with(\.providerCode, HTTPErrorMapper.plainToken(code))
  }

  /// These rows before those of another table.
  static func + (rows: Self, others: Self) -> Self { Self(rows.rows + others.rows) }
}
