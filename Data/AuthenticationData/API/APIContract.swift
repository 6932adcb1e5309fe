public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an app team's own backend looks like on the wire: paths, bodies and answers, each replaceable by itself.
///
/// `.standard` is the ancestor's: `POST /auth`, `GET /user`, and next to them refresh, sign-out and sign-up.
///
/// ```swift
/// var contract = APIContract.standard
/// contract.signInPaths[.phone] = "auth/phone"
/// contract.mapSignInRefusal = { $0.status == 403 ? .invalidCredentials : nil }
/// ```
public struct APIContract: Sendable {
  /// A body that is sent as JSON.
  public typealias Body = any Encodable & Sendable

  /// `POST` with ``signInBody`` answers tokens. All paths are relative to the base URL.
  public var signInPath = "auth"
  /// Where credentials of these methods go at sign-in, in place of ``signInPath``.
  public var signInPaths: [SignInMethod: String] = [:]
  /// `GET` with the access token answers the user.
  public var userPath = "user"
  /// `POST` with ``refreshBody`` answers refreshed tokens.
  public var refreshPath = "auth/refresh"
  /// `POST` with ``refreshBody`` where there is a refresh token, and with the access token where that is not over or all
  /// there is: ends that one session. Nil where the backend cannot.
  public var signOutPath: String? = "auth/sign-out"
  /// `POST` with ``signInBody`` creates the account and answers tokens.
  public var signUpPath = "auth/sign-up"
  /// Where credentials of these methods go at sign-up, in place of ``signUpPath``.
  public var signUpPaths: [SignInMethod: String] = [:]

  /// The JSON of sign-in and sign-up, by default `username` and `password`, in clear. Other credentials (a phone number,
  /// the answer to a challenge, a kind of your own) are refused with ``AuthenticationError/Code/unsupportedMethod``,
  /// unless this is replaced.
  public var signInBody: @Sendable (any Credentials) throws(AuthenticationError) -> Body = {
    credentials throws(AuthenticationError) in
    guard let credentials = credentials as? PasswordCredentials else { throw .unsupportedMethod(credentials.method) }
    return ["username": credentials.userName, "password": credentials.password.reveal()]
  }
  /// The JSON of refresh and sign-out, by default `refreshToken`. It holds the token in clear.
  public var refreshBody: @Sendable (RefreshToken) -> Body = { ["refreshToken": $0.value.reveal()] }

  /// Whether an answer to sign-in or sign-up, of any status, asks for a second step; by default none does.
  public var mapChallenge: @Sendable (HTTPResponse) -> Challenge? = { _ in nil }
  /// Whether an answer to sign-in, of any status, refuses the person, and why: ``AuthenticationError/invalidCredentials``,
  /// or an error of your own. By default 401, and 400 or 403 with a code that says so.
  public var mapSignInRefusal: @Sendable (HTTPResponse) -> AuthenticationError? = APIErrorResponseMapper.signInRefusal
  /// Whether an answer to sign-up, of any status, refuses the account, and why; by default 400, 409 and 422 do.
  public var mapSignUpRefusal: @Sendable (HTTPResponse) -> AuthenticationError? = APIErrorResponseMapper.signUpRefusal

  /// Maps the answer of sign-in, sign-up and refresh; the date is when it was received (UTC). What it refuses at a
  /// refresh may cost the session: the refresh token that was sent may be spent.
  public var mapTokens: @Sendable (HTTPResponse, Date) throws(AuthenticationError) -> SessionTokens =
    APITokenResponseMapper.map
  /// Refuses an answer to sign-in or sign-up though its tokens could be mapped, by default for its `expiresIn`: nothing is
  /// lost by that, and what was granted is revoked. A refresh is not asked about.
  public var checkSignIn: @Sendable (HTTPResponse) throws(AuthenticationError) -> Void =
    APITokenResponseMapper.checkLifetime
  /// The user, where the answer to sign-in or sign-up brings one along with the tokens; by default it does not, and the
  /// user is fetched from ``userPath``.
  public var mapIncludedUser: @Sendable (HTTPResponse) throws(AuthenticationError) -> User? = {
    _ throws(AuthenticationError) in nil
  }
  /// Maps the answer of the user request; throws ``AuthenticationError/Code/unexpectedAnswer``.
  public var mapUser: @Sendable (HTTPResponse) throws(AuthenticationError) -> User = APIUserResponseMapper.map

  /// Whether this answer to a refresh is the backend's word that the session is over. Only that signs anybody out,
  /// so it must be sure: an error page of a proxy is not it.
  public var endsSession: @Sendable (HTTPResponse) -> Bool = APIErrorResponseMapper.saysInvalidGrant

  /// The standard contract, to change part by part.
  public init() {}

  /// Every part as its default says.
  public static let standard = APIContract()
}
