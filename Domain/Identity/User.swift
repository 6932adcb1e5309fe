/// The person who signed in, as the app shows them.
public struct User: Sendable, Hashable {
  /// Stable at the provider: the key under which an app keeps this person's data.
  public let id: String
  /// A name to show, if the provider told one.
  public let name: String?
  /// An address, if the provider told one; it need not be verified.
  public let email: String?
  /// True when the provider said that this was the person's first sign-in.
  public let isNew: Bool

  /// For a provider that maps an answer, and for tests.
  public init(id: String, name: String? = nil, email: String? = nil, isNew: Bool = false) {
    self.id = id
    self.name = name
    self.email = email
    self.isNew = isNew
  }
}
