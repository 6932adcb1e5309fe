import AuthenticationData
public import AuthenticationDomain
import Foundation

/// What an issuer's UserInfo endpoint reports about a user (OpenID Connect Core §5.3).
public struct UserInfo: Sendable, Hashable {
  /// `sub`: the user, stable at this issuer.
  public let subject: String
  /// `name`, or else `preferred_username`, `nickname`, `given_name` or `cognito:username` (OpenID Connect Core §5.1).
  public let name: String?
  /// `email`.
  public let email: String?
  /// `email_verified`; nil if the issuer does not say.
  public let isEmailVerified: Bool?
  /// `phone_number`.
  public let phoneNumber: String?
  /// `picture`: an address, as the issuer wrote it.
  public let picture: String?
  /// `locale` (BCP 47).
  public let locale: String?

  init(
    subject: String, name: String?, email: String?, isEmailVerified: Bool?, phoneNumber: String? = nil,
    picture: String? = nil, locale: String? = nil
  ) {
    self.subject = subject
    self.name = name
    self.email = email
    self.isEmailVerified = isEmailVerified
    self.phoneNumber = phoneNumber
    self.picture = picture
    self.locale = locale
  }
}

enum UserInfoResponseMapper {
  private struct Wire: Decodable {
    let sub: String
    let name: String?
    let preferred_username: String?
    let email: String?
    let email_verified: Flag?
    let phone_number: Text?
    let picture: Text?
    let locale: Text?
  }

  /// What is only shown counts as absent if it is of another kind.
  private struct Text: Decodable {
    let value: String?

    init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(String.self) }
  }

  /// Some issuers send it as a string.
  private struct Flag: Decodable {
    let value: Bool

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value = try (try? container.decode(Bool.self)) ?? (container.decode(String.self) == "true")
    }
  }

  /// Throws ``AuthenticationError/Code/unexpectedResponse`` if the body is not such an object (OpenID Connect Core
  /// §5.3.2).
  static func map(_ response: HTTPResponse) throws(AuthenticationError) -> UserInfo {
    guard response.isJSON, !response.isFromOtherOrigin,
      let wire = try? BoundedJSON.decode(Wire.self, from: response.body), !wire.sub.isEmpty
    else {
      throw AuthenticationError(
        .unexpectedResponse, "The answer is not a JSON object that says who it is about.",
        suggestion: "Check what the issuer's UserInfo endpoint answers.")
    }
    let members = JSONMembers(json: response.body)
    return UserInfo(
      subject: wire.sub, name: DisplayNameClaims.name(of: wire.sub) { members?[$0] }, email: wire.email,
      isEmailVerified: wire.email_verified?.value, phoneNumber: wire.phone_number?.value,
      picture: wire.picture?.value, locale: wire.locale?.value)
  }
}

extension OpenIDConnectProvider {
  /// Asks the issuer whose session this is (OpenID Connect Core §5.3).
  ///
  /// - Throws: ``AuthenticationError/Code/security`` with ``SecurityCheck/subject`` if the response is about another
  ///   person (§5.3.2), and ``AuthenticationError/Code/endpointMissing``.
  public func userInfo(for session: AuthSession) async throws(AuthenticationError) -> UserInfo {
    let metadata = try await issuer.metadata()
    guard let endpoint = metadata.userInfoEndpoint else { throw .missing("UserInfo") }
    let response = try await userInfoResponse(for: session.tokens, at: endpoint)
    guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, now: environment.clock.now) }
    let info = try UserInfoResponseMapper.map(response)
    try info.check(isAbout: session.user.id)
    return info
  }

  /// The token is sent in a header, never in the query (RFC 6750 §2.1). A request with a proof is not retried: an
  /// outage is reported immediately.
  func userInfoResponse(for tokens: SessionTokens, at endpoint: URL) async throws(AuthenticationError) -> HTTPResponse {
    var request = HTTPRequest(
      .get, endpoint, headers: ["Accept": "application/json", "Authorization": tokens.access.authorization.reveal()])
    let proof = DPoPRequestProof(nonces: nonces, environment: environment)
    try proof.prove(&request, with: tokens)
    let response = try await environment.httpClient.send(request)
    guard proof.asksAgain(response, to: request) else { return response }
    try proof.prove(&request, with: tokens)
    return try await environment.httpClient.send(request)
  }
}

extension UserInfo {
  /// Refuses a response about another user (OpenID Connect Core §5.3.2).
  func check(isAbout subject: String) throws(AuthenticationError) {
    try User.check(self.subject, is: subject)
  }
}

extension User {
  /// Refuses the id of another user.
  static func check(_ id: String, is expected: String) throws(AuthenticationError) {
    guard id.utf8.elementsEqual(expected.utf8) else {
      throw .refused(by: .subject, "The UserInfo endpoint answered about somebody else.")
    }
  }
}
