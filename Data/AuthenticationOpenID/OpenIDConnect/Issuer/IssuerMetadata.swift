#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an issuer publishes about itself (OpenID Connect Discovery §3, RFC 8414 §2).
struct IssuerMetadata: Sendable {
  var issuer: String
  var authorizationEndpoint: URL?
  var tokenEndpoint: URL?
  var keySetURL: URL?
  var userInfoEndpoint: URL?
  var revocationEndpoint: URL?
  var introspectionEndpoint: URL?
  var endSessionEndpoint: URL?
  var deviceAuthorizationEndpoint: URL?
  var pushedAuthorizationRequestEndpoint: URL?
  var requiresPushedAuthorizationRequests = false
  /// RFC 9207 §3.
  var sendsIssuerInResponses = false
  var codeChallengeMethods: [String]?
  var idTokenAlgorithms: [String]?
  var scopes: [String]?
  var responseTypes: [String]?
  var grantTypes: [String]?
  var clientAuthenticationMethods: [String]?
  var revocationAuthenticationMethods: [String]?
  /// Initiating User Registration via OpenID Connect §4.1.
  var prompts: [String]?
  var proofAlgorithms: [String]?
}
