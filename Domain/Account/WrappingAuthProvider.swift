/// A provider around another one, whose abilities it passes on.
package protocol WrappingAuthProvider: RemoteAuthProvider {
  var upstream: any RemoteAuthProvider { get }
}

extension RemoteAuthProvider {
  /// The provider, or what it wraps, as a type that has an ability.
  func part<Ability>(_ type: Ability.Type) -> Ability? {
    if let part = self as? Ability { return part }
    return (self as? any WrappingAuthProvider)?.upstream.part(type)
  }
}
