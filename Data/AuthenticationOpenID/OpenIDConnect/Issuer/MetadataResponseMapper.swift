import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps a discovery document to metadata (OpenID Connect Discovery §4.2, RFC 8414 §3.2).
enum MetadataResponseMapper {
  /// The largest document, in bytes.
  static let maximumSize = 512 * 1_024

  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` unless it is a JSON object,
  /// ``AuthenticationError/Code/security`` if it names another issuer, and
  /// ``AuthenticationError/Code/insecureConnection`` if one of its endpoints is not https. Nothing of it is quoted.
  static func map(
    _ response: HTTPResponse, of issuer: IssuerIdentifier, now: Date,
    naming endpoints: [OpenIDClient.Endpoint: String] = [:]
  ) throws(AuthenticationError) -> IssuerMetadata {
    var wire = try wire(response, now: now)
    if let mismatch = wire.mismatch(issuer) { throw mismatch }
    wire.name(endpoints)
    return try metadata(wire, EndpointRule(issuer: issuer.origin))
  }

  /// Returns the document before anything in it is checked.
  static func wire(_ response: HTTPResponse, now: Date) throws(AuthenticationError) -> MetadataWire {
    if let error = AuthenticationError.noDocument(response, now: now) { throw error }
    guard response.isJSON else { throw .notJSON }
    guard response.body.count <= maximumSize else { throw .tooLong }
    guard let wire = try? BoundedJSON.decode(MetadataWire.self, from: response.body) else { throw .notAnObject }
    return wire
  }

  /// Returns the document's content after every endpoint in it was checked.
  static func metadata(
    _ wire: MetadataWire, _ rule: EndpointRule
  ) throws(AuthenticationError) -> IssuerMetadata {
    let url = { (member: MetadataWire.Member) throws(AuthenticationError) in
      try rule.check(wire.endpoints[member], member.rawValue)
    }
    var metadata = IssuerMetadata(issuer: wire.issuer ?? "")
    metadata.authorizationEndpoint = try url(.authorizationEndpoint)
    metadata.tokenEndpoint = try url(.tokenEndpoint)
    metadata.keySetURL = try url(.keySet)
    metadata.userInfoEndpoint = try url(.userInfoEndpoint)
    metadata.revocationEndpoint = try url(.revocationEndpoint)
    metadata.introspectionEndpoint = try url(.introspectionEndpoint)
    metadata.endSessionEndpoint = try url(.endSessionEndpoint)
    metadata.deviceAuthorizationEndpoint = try url(.deviceAuthorizationEndpoint)
    metadata.pushedAuthorizationRequestEndpoint = try url(.pushedAuthorizationRequestEndpoint)
    metadata.requiresPushedAuthorizationRequests = wire.flags.contains(.requiresPushedRequests)
    metadata.sendsIssuerInResponses = wire.flags.contains(.sendsIssuer)
    metadata.codeChallengeMethods = wire.lists[.codeChallengeMethods]
    metadata.idTokenAlgorithms = wire.lists[.idTokenAlgorithms]
    metadata.scopes = wire.lists[.scopes]
    metadata.responseTypes = wire.lists[.responseTypes]
    metadata.grantTypes = wire.lists[.grantTypes]
    metadata.clientAuthenticationMethods = wire.lists[.clientAuthenticationMethods]
    metadata.revocationAuthenticationMethods = wire.lists[.revocationAuthenticationMethods]
    metadata.prompts = wire.lists[.prompts]
    metadata.proofAlgorithms = wire.lists[.proofAlgorithms]
    return metadata
  }
}

extension AuthenticationError {
  /// Why an issuer's document cannot be read; nil for 200. A redirect is not followed: it could lead to another
  /// issuer's document (RFC 9700 §4.12).
  static func noDocument(_ response: HTTPResponse, now: Date) -> Self? {
    guard response.status != 200 || response.isFromOtherOrigin else { return nil }
    var error: Self =
      switch response.status {
      case 200, 300...399: .redirected(response.status)
      case 404, 405, 410, 501: .noEndpoint(response.status)
      case 429: .tooManyRequests
      case 500...599: .issuerFailed(response.status)
      default: .unexpected(response.status)
      }
    error.retryAfter = response.retryAfter(now: now)
    return error
  }

  fileprivate static let notJSON = Self(
    .unexpectedAnswer, "The issuer's metadata is no JSON, but perhaps a web page.",
    suggestion: "Check the issuer's URL, and whether the network asks for a sign-in of its own.")
  fileprivate static let notAnObject = Self(
    .unexpectedAnswer, "The issuer's metadata is not a well-formed JSON object with the members it should have.",
    suggestion: "Check the issuer's URL and what it publishes there.")
  fileprivate static let tooLong = Self(
    .answerTooLarge, "The issuer's metadata is longer than \(MetadataResponseMapper.maximumSize) bytes.",
    suggestion: "Check the issuer's URL and what it publishes there.")
}
