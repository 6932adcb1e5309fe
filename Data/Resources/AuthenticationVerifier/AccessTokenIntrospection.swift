public import AuthenticationOpenID

/// How a server asks the issuer about tokens that are no JWTs (RFC 7662).
///
/// An issuer need not say whom a token is for (`aud`): a token of another of its resources is then accepted here. Require
/// a scope that only this resource has.
///
/// ```swift
/// import AuthenticationVerifier
/// import Foundation
///
/// let introspection = AccessTokenIntrospection(
///   clientID: "notes-api", authentication: .secret(Secret(ProcessInfo.processInfo.environment["CLIENT_SECRET"] ?? "")))
/// ```
public struct AccessTokenIntrospection: Sendable {
  let clientID: String
  let authentication: ClientAuthentication
  let cachedFor: Duration
  let acceptsMissingType: Bool

  /// Describes the server as a client of the issuer.
  ///
  /// - Parameters:
  ///   - clientID: the server's own client id.
  ///   - authentication: how it authenticates, which issuers require (RFC 7662 §2.1).
  ///   - cachedFor: how long a response that says "active" is used again, 60 seconds by default and never longer than
  ///     the token is valid: a revocation takes effect that much later. One that says otherwise is used for 10 seconds.
  ///   - acceptsMissingType: whether a response may leave out `token_type`, as some issuers do: then a refresh token is
  ///     not told from an access token, unless `token_use` or `typ` does. False by default.
  public init(
    clientID: String, authentication: ClientAuthentication, cachedFor: Duration = .seconds(60),
    acceptsMissingType: Bool = false
  ) {
    self.clientID = clientID
    self.authentication = authentication
    self.cachedFor = cachedFor
    self.acceptsMissingType = acceptsMissingType
  }
}
