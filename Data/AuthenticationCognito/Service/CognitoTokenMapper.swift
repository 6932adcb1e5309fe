import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps an `AuthenticationResult` to tokens, and the claims of its ID token to who signed in.
///
/// The token's signature is not checked: it came from its issuer itself over TLS (OpenID Connect Core §3.1.3.7).
enum CognitoTokenMapper {
  static func tokens(_ response: CognitoResponse) throws(AuthenticationError) -> SessionTokens {
    guard let result = response.members.members("AuthenticationResult") else { throw .unexpectedAnswer }
    return SessionTokens(
      access: try AccessToken(
        Secret(try result.required("AccessToken")), type: result["TokenType"] ?? "Bearer",
        receivedAt: response.receivedAt, lifetime: result.seconds("ExpiresIn"), clockOffset: response.clockOffset),
      refresh: result.secret("RefreshToken").map(RefreshToken.init),
      identity: result.secret("IdToken").map(RawIdentityToken.init))
  }

  static func user(_ tokens: SessionTokens) throws(AuthenticationError) -> User {
    guard let claims = JSONMembers(unverified: tokens.identity?.value ?? tokens.access.value) else {
      throw .unexpectedAnswer
    }
    return try user(claims)
  }

  /// - Parameter claims: of an ID token, or the attributes of `GetUser`, which have the same names.
  static func user(_ claims: JSONMembers) throws(AuthenticationError) -> User {
    let id = try claims.required("sub")
    return User(
      id: id, name: DisplayNameClaims.name(of: id) { claims[$0] }, email: claims["email"],
      isEmailVerified: claims.flag("email_verified"), phoneNumber: claims["phone_number"], picture: claims["picture"],
      locale: claims["locale"],
      claims: claims.values.filter { $0.key.hasPrefix("cognito:") || $0.key.hasPrefix("custom:") })
  }

  /// The attributes of an account as claims.
  static func claims(ofAccount response: CognitoResponse) -> JSONMembers {
    var claims: [String: JSONValue] = [:]
    for attribute in response.members.list("UserAttributes") {
      if let name = attribute["Name"] { claims[name] = attribute.values["Value"] }
    }
    claims["cognito:username"] = response.members.values["Username"]
    return JSONMembers(claims)
  }
}

extension User {
  /// The name by which the service knows the account.
  var cognitoName: String { claims["cognito:username"]?.text ?? id }
}
