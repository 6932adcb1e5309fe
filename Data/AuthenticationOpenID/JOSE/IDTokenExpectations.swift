package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The values against which an ID token is checked (OpenID Connect Core §3.1.3.7).
package struct IDTokenExpectations: Sendable {
  var issuer: String
  /// Other spellings of it.
  var issuerAliases: Set<String> = []
  var clientID: String
  /// Who must be the audience, if it is not the client; the client is then the authorized party (`azp`).
  var audience: String?
  var trustedAudiences: Set<String>
  var algorithms: Set<SignatureAlgorithm>
  /// The nonce that was sent; nil if none was.
  var nonce: String?
  var requirements: AuthenticationRequirements
  /// The values of `acr` that were requested as an essential claim, empty for any; nil if it was not requested so.
  var essentialContexts: [String]?
  /// For `at_hash`, which is checked if present.
  var accessToken: Secret?
  /// For `c_hash`, which is checked if present.
  var code: Secret?
  var now: Date
  var tolerance: Duration
  /// The ID token of the sign-in that is refreshed (OpenID Connect Core §12.2); nil for a sign-in.
  var continuing: StoredIDToken?

  package init(
    issuer: String, clientID: String, trustedAudiences: Set<String> = [],
    algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.all, nonce: String? = nil,
    requirements: AuthenticationRequirements = AuthenticationRequirements(), accessToken: Secret? = nil,
    code: Secret? = nil, now: Date, tolerance: Duration = .seconds(60), continuing: StoredIDToken? = nil
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.trustedAudiences = trustedAudiences
    self.algorithms = algorithms
    self.nonce = nonce
    self.requirements = requirements
    self.accessToken = accessToken
    self.code = code
    self.now = now
    self.tolerance = tolerance
    self.continuing = continuing
  }
}

extension IDTokenExpectations: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<ID token expectations of \(issuer)>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
