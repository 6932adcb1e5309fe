public import AuthenticationDomain

/// The changes of a user's profile; a nil member stays as it is.
public struct ProfileChanges: Sendable, Hashable {
  /// The name to show.
  public var name: String?
  /// The address of a picture.
  public var picture: String?
  /// The user's language and region (BCP 47).
  public var locale: String?
  /// Further members, by the provider's own names.
  public var claims: [String: JSONValue]

  /// Changes nothing unless told otherwise.
  public init(name: String? = nil, picture: String? = nil, locale: String? = nil, claims: [String: JSONValue] = [:]) {
    self.name = name
    self.picture = picture
    self.locale = locale
    self.claims = claims
  }
}
