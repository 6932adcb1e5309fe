/// Where the browser returns to after a person has signed in (RFC 8252 §7).
public struct RedirectURI: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case loopback(port: UInt16?, path: String)
    case address(String)
  }

  let kind: Kind

  /// `http://127.0.0.1:port/path` (RFC 8252 §7.3). Without a port the system chooses a free one.
  public static func loopback(port: UInt16? = nil, path: String = "/callback") -> Self {
    Self(kind: .loopback(port: port, path: path))
  }

  /// A claimed https address (RFC 8252 §7.2), or one of a private-use scheme in reverse domain order such as
  /// `com.example.app:/callback` (§7.1).
  public static func address(_ text: String) -> Self { Self(kind: .address(text)) }
}
