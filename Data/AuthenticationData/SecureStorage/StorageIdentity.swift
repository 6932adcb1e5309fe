/// Identifies where a storage keeps its values: storages of equal identities hold the same secrets under the same keys.
public struct StorageIdentity: Sendable, Hashable {
  private enum Kind: Sendable, Hashable {
    case object(ObjectIdentifier)
    case place([String])
    indirect case composed(Kind, String, Kind?)
  }

  private let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// The identity of one object, for as long as it lives.
  public init(_ object: AnyObject) { kind = .object(ObjectIdentifier(object)) }

  /// A place identified by names, such as the kind of storage and a path.
  public init(_ names: String...) { kind = .place(names) }

  /// Returns the identity of a part of this place, or of this place together with another one.
  package func with(_ name: String, _ other: Self? = nil) -> Self { Self(.composed(kind, name, other?.kind)) }
}
