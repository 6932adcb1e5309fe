/// The person who signed in, as the app shows them.
public struct User: Sendable, Hashable {
  private struct Contents: Sendable, Hashable {
    let id: String
    let name: String?
    let email: String?
    let isNew: Bool
  }

  private let contents: Boxed<Contents>

  /// Stable at the provider: the key under which an app keeps this person's data.
  public var id: String { contents.value.id }
  /// A name to show, if the provider gave one.
  public var name: String? { contents.value.name }
  /// An e-mail address, if the provider gave one; it need not be verified.
  public var email: String? { contents.value.email }
  /// True when the provider said that this was the person's first sign-in.
  public var isNew: Bool { contents.value.isNew }

  /// For a provider that maps a response, and for tests.
  public init(id: String, name: String? = nil, email: String? = nil, isNew: Bool = false) {
    contents = Boxed(Contents(id: id, name: name, email: email, isNew: isNew))
  }
}

extension User: CustomReflectable {
  public var customMirror: Mirror { contents.mirror(of: self) }
}
