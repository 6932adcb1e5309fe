/// How a person must have signed in, as a resource or the app asks for it (RFC 9470 §3).
public struct AuthenticationRequirements: Sendable, Hashable {
  /// Acceptable authentication context classes, the best first (`acr_values`); empty asks for none. The provider may
  /// sign in otherwise (OpenID Connect Core §3.1.2.1): a sign-in is not refused for what its `acr` says.
  public let acrValues: [String]
  /// The longest time since the person last signed in, in seconds (`max_age`); nil asks for none.
  public let maxAge: Duration?

  /// By default nothing is required.
  public init(acrValues: [String] = [], maxAge: Duration? = nil) {
    self.acrValues = acrValues
    self.maxAge = maxAge
  }
}
