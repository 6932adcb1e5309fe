/// What a person presents to sign in or sign up.
///
/// An open set: a provider that understands another kind declares a type of its own, and a provider that does not
/// understand one answers ``AuthenticationError/Code/unsupportedMethod``.
public protocol Credentials: Sendable {
  /// The way to sign in that these belong to; names no secret.
  var method: SignInMethod { get }

  /// Checks, without any I/O, what can be refused before a network call.
  func validate() throws(AuthenticationError)
}
