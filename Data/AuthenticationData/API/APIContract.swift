public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an app team's own backend looks like on the wire: paths, bodies and answers, each replaceable by itself.
///
/// `.standard` is the ancestor's: `POST /auth`, `GET /user`, and next to them refresh, sign-out and sign-up.
public struct APIContract: Sendable {
  public var signInPath = "auth"
  public var userPath = "user"
  public var refreshPath = "auth/refresh"
  /// Ends the one session whose refresh token it is given; nil where the backend cannot.
  public var signOutPath: String? = "auth/sign-out"
  public var signUpPath = "auth/sign-up"

  public var signInBody: @Sendable (PasswordCredentials) -> [String: String] = {
    ["username": $0.userName, "password": $0.password.reveal()]
  }
  public var refreshBody: @Sendable (RefreshToken) -> [String: String] = { ["refreshToken": $0.value.reveal()] }

  /// Maps the answer of sign-in, sign-up and refresh; the date is when it was received (UTC).
  public var mapTokens: @Sendable (HTTPResponse, Date) throws(AuthenticationError) -> SessionTokens =
    APITokenResponseMapper.map
  public var mapUser: @Sendable (HTTPResponse) throws(AuthenticationError) -> User = APIUserResponseMapper.map

  /// Whether this answer to a refresh is the backend's word that the session is over. Only that signs anybody out,
  /// so it must be sure: an error page of a proxy is not it.
  public var endsSession: @Sendable (HTTPResponse) -> Bool = APIErrorResponseMapper.saysInvalidGrant

  public init() {}

  public static let standard = APIContract()
}
