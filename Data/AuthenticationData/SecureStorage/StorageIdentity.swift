/// Which place a storage stands for: storages of equal identities keep the same secrets under the same keys.
public struct StorageIdentity: Sendable, Hashable {
  private enum Kind: Sendable, Hashable {
    case object(ObjectIdentifier)
    case place([String])
    indirect case composed(Kind, String, Kind?)
  }

  private let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// One object, for as long as it lives.
  public init(_ object: AnyObject) { kind = .object(ObjectIdentifier(object)) }

  /// A place by what names it, such as the kind of storage and a path.
  public init(_ names: String...) { kind = .place(names) }

  /// A part of this place, or this place together with another one.
  public func with(_ name: String, _ other: Self? = nil) -> Self { Self(.composed(kind, name, other?.kind)) }
}
