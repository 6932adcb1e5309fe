/// What a person presents to sign in or sign up.
///
/// An open set: a provider that understands another kind declares a type of its own, and a provider that does not
/// understand one throws ``AuthenticationError/Code/unsupportedMethod``.
///
/// ```swift
/// struct BadgeCredentials: Credentials {
///   let badge: Secret
///   var method: SignInMethod { SignInMethod(id: "badge", displayName: "Badge") }
///   func validate() throws(AuthenticationError) {
///     if badge.isEmpty { throw AuthenticationError(.invalidRequest, "The badge is blank.") }
///   }
/// }
/// ```
public protocol Credentials: Sendable {
  /// The sign-in method that these belong to; it holds no secret.
  var method: SignInMethod { get }

  /// Checks, without any I/O, what can be refused before a network call.
  ///
  /// - Throws: ``AuthenticationError`` if these credentials are blank or malformed.
  func validate() throws(AuthenticationError)
}
