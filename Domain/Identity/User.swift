/// The person who signed in, as the app shows them.
public struct User: Sendable, Hashable {
  /// Stable at the provider: the key under which an app keeps this person's data.
  public let id: String
  /// A name to show, if the provider told one.
  public let name: String?
  public let email: String?
  /// True when the provider said that this was the person's first sign-in.
  public let isNew: Bool

  public init(id: String, name: String? = nil, email: String? = nil, isNew: Bool = false) {
    self.id = id
    self.name = name
    self.email = email
    self.isNew = isNew
  }
}
