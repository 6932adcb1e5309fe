import AuthenticationData
import AuthenticationDomain
import Foundation

/// The authorization request's parameters, in the order they are sent (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1,
/// RFC 7636 §4.3, RFC 8707 §2, RFC 9449 §10).
struct AuthorizationRequest: Sendable {
  let client: OpenIDClient
  let transaction: AuthorizationTransaction
  let userNameHint: String?
  /// Sent only without a page: there the user may choose another account.
  var identityTokenHint: Secret?

  /// `S256`, never `plain` (RFC 7636 §4.2).
  static let codeChallengeMethod = "S256"

  /// - Parameter clientID: nil if client authentication adds it.
  /// - Throws: if the transaction's key is invalid.
  func parameters(clientID: String?) throws(AuthenticationError) -> FormBody {
    let requirements = transaction.requirements
    var form = FormBody([
      "response_type": "code", "client_id": clientID, "redirect_uri": transaction.redirectURI,
      "scope": transaction.scopes.isEmpty ? nil : transaction.scopes.joined(separator: " "),
      "state": transaction.state,
      "nonce": transaction.scopes.contains("openid") ? transaction.nonce : nil,
      "code_challenge": CodeVerifier(transaction.verifier).challenge, "code_challenge_method": Self.codeChallengeMethod,
      "acr_values": requirements.acrValues.isEmpty ? nil : requirements.acrValues.joined(separator: " "),
      "max_age": requirements.maxAge.map { String(max($0.components.seconds, 0)) }, "login_hint": userNameHint,
      "id_token_hint": identityTokenHint?.reveal(),
      "prompt": transaction.prompt.isEmpty ? nil : transaction.prompt.joined(separator: " "),
      // The thumbprint of the key the tokens will be bound to.
      "dpop_jkt": try transaction.proofKey.map { key throws(AuthenticationError) in
        try ProofOfPossessionKey(key).thumbprint
      },
    ])
    for resource in client.authorizedResources { form.add("resource", resource) }
    form.add("audience", client.audience)
    var further = client.parameters
    further["claims"] = Self.merged(further["claims"], requirements.claims)
    for (name, value) in further.sorted(by: { $0.key < $1.key }) { form.add(name, value) }
    return form
  }

  /// One request for claims (OpenID Connect Core §5.5) out of the app's and a resource's, whose members count.
  private static func merged(_ own: String?, _ asked: String?) -> String? {
    guard let own, let asked else { return own ?? asked }
    let objects = [own, asked].map { (try? BoundedJSON.decode([String: JSONValue].self, from: Data($0.utf8))) ?? [:] }
    let merged = objects[0].merging(objects[1]) { own, asked in
      guard case .object(let one) = own, case .object(let other) = asked else { return asked }
      return .object(one.merging(other) { $1 })
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(merged)).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension OpenIDClient {
  /// Names that ``parameters`` must not contain: parameters that are set here, that can replace
  /// these (RFC 9101 §5), or that move the response to where others can read it (`response_mode`).
  package static let reservedParameters: Set<String> = [
    "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
    "code_challenge_method", "acr_values", "max_age", "login_hint", "id_token_hint", "prompt", "resource", "audience",
    "dpop_jkt", "request", "request_uri", "response_mode", "client_secret", "client_assertion", "client_assertion_type",
  ]

  /// The values of `acr` that the parameter `claims` requests as an essential claim of the ID token, empty for any; nil
  /// if it does not (OpenID Connect Core §5.5.1.1).
  var essentialContexts: [String]? {
    guard let claims = parameters["claims"], let asked = JSONMembers(json: Data(claims.utf8)),
      let context = asked.members("id_token")?.members("acr"), context.flag("essential") == true
    else { return nil }
    return context.texts("values") + [context["value"]].compactMap(\.self)
  }
}

extension AuthorizationRequest {
  /// Sends the parameters directly to the issuer, so that the browser carries only a reference to them (RFC 9126), and
  /// returns that `request_uri` (§2.2). The browser is sent to the issuer with it immediately, so that its lifetime is
  /// not stored.
  ///
  /// Throws the meaning of the issuer's refusal (RFC 9126 §2.3); a redirect is a refusal.
  func push(
    to endpoint: URL?, in environment: AuthProviderConfiguration.Environment
  ) async throws(AuthenticationError) -> String {
    guard let endpoint else { throw .missing("pushed authorization request") }
    var clientID: String?
    // HTTP Basic identifies the client in a header, but the request still needs this parameter (RFC 9126 §2.1).
    if case .secretBasic = client.authentication { clientID = client.clientID }
    let form = try parameters(clientID: clientID)
    let response = try await environment.httpClient.send(HTTPRequest(posting: form, to: endpoint, by: client))
    guard response.isSuccess else {
      throw OAuthErrorResponseMapper.map(response, refusal: .requestRefused, now: environment.clock.now)
    }
    guard let reference = response.members?["request_uri"] else {
      throw AuthenticationError(
        .unexpectedResponse, "The issuer's response to the pushed authorization request has no request_uri.",
        suggestion: "Check the endpoint in the issuer's discovery document.")
    }
    return reference
  }
}

/// Where the browser returns to after a user has signed in (RFC 8252 §7).
public enum RedirectURI: Sendable, Hashable {
  /// `http://127.0.0.1:port/path` (RFC 8252 §7.3). Without a port the system chooses a free one.
  case loopback(port: UInt16? = nil, path: String = "/callback")
  /// `http://localhost:port/path`, for an issuer that registers no address. Without a port the system chooses a free
  /// one; without a path the browser returns to `/`.
  case localhost(port: UInt16? = nil, path: String = "")
  /// A claimed https address (RFC 8252 §7.2), or one of a private-use scheme in reverse domain order such as
  /// `com.example.app:/callback` (§7.1).
  case address(String)

  /// Throws ``AuthenticationError/invalidConfiguration`` if returning to the URI is not safe, and if a browser
  /// would write it in another way: responses are compared with it byte for byte (RFC 8252 §7, RFC 9700 §2.1).
  func validate() throws(AuthenticationError) {
    switch self {
    case .loopback(let port, let path), .localhost(let port, let path):
      if port == 0 || port == 80 {
        throw .redirect("names a port that a browser would change", "Leave it out, and the system chooses one.")
      }
      if self != .localhost(port: port) { try Self.check(path: path) }
    case .address(let text): try Address(text).validate()
    }
  }

  /// A path as a browser sends it: characters of RFC 3986 §3.3, and no dot segments.
  fileprivate static func check(path: some StringProtocol) throws(AuthenticationError) {
    guard path.utf8.first == UInt8(ascii: "/") else { throw .redirect("has no path", "Begin it with a slash.") }
    let segments = path.split(separator: "/")
    guard path.utf8.allSatisfy(\.isPathCharacter), !segments.contains("."), !segments.contains("..") else {
      throw .redirect("has a path that a browser would change", "Use letters, digits, '-', '.', '_' and '/' in it.")
    }
  }

  /// The parts of a URI as defined by RFC 3986 §3; nothing is decoded.
  struct Address {
    let scheme: Substring
    /// Nil without `//`.
    let authority: Substring?
    let path: Substring

    init(_ text: String) throws(AuthenticationError) {
      guard let colon = text.firstIndex(of: ":") else { throw .redirect("has no scheme", "Write it in full.") }
      guard !text.contains("#") else { throw .redirect("has a fragment", "Leave it out (RFC 6749 §3.1.2).") }
      guard !text.contains("?") else { throw .redirect("has a query", "Leave it out: the response comes in one.") }
      scheme = text[..<colon]
      let rest = text[text.index(after: colon)...]
      if rest.hasPrefix("//") {
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex(of: "/") ?? afterSlashes.endIndex
        authority = afterSlashes[..<end]
        path = afterSlashes[end...]
      } else {
        authority = nil
        path = rest
      }
    }

    func validate() throws(AuthenticationError) {
      if scheme == "https" { return try validateClaimed() }
      let isScheme =
        scheme.utf8.first.map { (0x61...0x7A).contains($0) } == true
        && scheme.utf8.allSatisfy { $0.isLowercaseOrDigit || $0 == 0x2D || $0 == 0x2E || $0 == 0x2B }
      guard isScheme, scheme.split(separator: ".", omittingEmptySubsequences: false).count > 1,
        !scheme.split(separator: ".", omittingEmptySubsequences: false).contains("")
      else {
        throw .redirect(
          "has the scheme '\(scheme)', which is neither https nor a domain name in reverse, in lower case",
          "Use RedirectURI.loopback() for http; otherwise a scheme such as com.example.app (RFC 8252 §7.1).")
      }
      if let authority, !authority.utf8.allSatisfy({ $0.isLowercaseOrDigit || $0 == 0x2D || $0 == 0x2E }) {
        throw .redirect("has a host that a browser would change", "Use com.example.app:/path.")
      }
      if authority == nil || !path.isEmpty { try RedirectURI.check(path: path) }
    }

    private func validateClaimed() throws(AuthenticationError) {
      let parts = (authority ?? "").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let isHost = parts.first?.utf8.allSatisfy { $0.isLowercaseOrDigit || $0 == 0x2D || $0 == 0x2E } == true
      guard isHost, parts.first?.isEmpty == false else {
        throw .redirect("has no plain host in lower case", "Write https://host/path, without user or address.")
      }
      if parts.count == 2, UInt16(parts[1]).map({ String($0) == parts[1] && $0 != 0 && $0 != 443 }) != true {
        throw .redirect("has a port that a browser would change", "Leave out the usual one.")
      }
      try RedirectURI.check(path: path)
    }
  }
}

extension UInt8 {
  var isLowercaseOrDigit: Bool { (0x61...0x7A).contains(self) || (0x30...0x39).contains(self) }
  var isLetterOrDigit: Bool { isLowercaseOrDigit || (0x41...0x5A).contains(self) }

  /// `pchar`, `/` and `%` (RFC 3986 §3.3).
  fileprivate var isPathCharacter: Bool { isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(self) }
}

extension AuthenticationError {
  fileprivate static func redirect(_ fault: String, _ suggestion: String) -> Self {
    Self(.invalidConfiguration, "The redirect URI \(fault).", suggestion: suggestion)
  }
}
