package import AuthenticationDomain

/// Where the browser returns to after a user has signed in (RFC 8252 §7).
public enum RedirectURI: Sendable, Hashable {
  /// `http://127.0.0.1:port/path` (RFC 8252 §7.3). Without a port the system chooses a free one.
  case loopback(port: UInt16? = nil, path: String = "/callback")
  /// `http://localhost:port/path`, for an issuer that registers no address. Without a port the system chooses a free
  /// one; without a path the browser returns to `/`. A browser may resolve the name to 127.0.0.1 or to ::1: both are
  /// listened on.
  case localhost(port: UInt16? = nil, path: String = "")
  /// A claimed https address (RFC 8252 §7.2), or one of a private-use scheme in reverse domain order such as
  /// `com.example.app:/callback` (§7.1).
  case address(String)

  /// Throws ``AuthenticationError/invalidConfiguration`` if returning to the URI is not safe, and if a browser
  /// would write it in another way: responses are compared with it byte for byte (RFC 8252 §7, RFC 9700 §2.1).
  package func validate() throws(AuthenticationError) {
    switch self {
    case .loopback(let port, let path), .localhost(let port, let path):
      if port == 0 || port == 80 {
        throw .redirect(
          "names a port that a browser would change", "Leave it out, and the system chooses one.", of: "redirectPort")
      }
      if self != .localhost(port: port) { try Self.check(path: path) }
    case .address(let text): try Address(text).validate()
    }
  }

  /// A path as a browser sends it: characters of RFC 3986 §3.3, and no dot segments.
  fileprivate static func check(path: some StringProtocol) throws(AuthenticationError) {
    guard path.utf8.first == UInt8(ascii: "/") else { throw .redirect("has no path", "Begin it with a slash.") }
    let segments = path.split(separator: "/")
    guard path.utf8.allSatisfy(\.isPathCharacter), !segments.contains("."), !segments.contains("..") else {
      throw .redirect("has a path that a browser would change", "Use letters, digits, '-', '.', '_' and '/' in it.")
    }
  }

  /// The parts of a URI as defined by RFC 3986 §3; nothing is decoded.
  struct Address {
    let scheme: Substring
    /// Nil without `//`.
    let authority: Substring?
    let path: Substring

    init(_ text: String) throws(AuthenticationError) {
      guard let colon = text.firstIndex(of: ":") else { throw .redirect("has no scheme", "Write it in full.") }
      guard !text.contains("#") else { throw .redirect("has a fragment", "Leave it out (RFC 6749 §3.1.2).") }
      guard !text.contains("?") else { throw .redirect("has a query", "Leave it out: the response comes in one.") }
      scheme = text[..<colon]
      let rest = text[text.index(after: colon)...]
      if rest.hasPrefix("//") {
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex(of: "/") ?? afterSlashes.endIndex
        authority = afterSlashes[..<end]
        path = afterSlashes[end...]
      } else {
        authority = nil
        path = rest
      }
    }

    func validate() throws(AuthenticationError) {
      if scheme == "https" { return try validateClaimed() }
      let isScheme =
        scheme.utf8.first.map { (0x61...0x7A).contains($0) } == true
        && scheme.utf8.allSatisfy { $0.isLowercaseOrDigit || $0 == 0x2D || $0 == 0x2E || $0 == 0x2B }
      guard isScheme, scheme.split(separator: ".", omittingEmptySubsequences: false).count > 1,
        !scheme.split(separator: ".", omittingEmptySubsequences: false).contains("")
      else {
        throw .redirect(
          "has the scheme '\(scheme)', which is neither https nor a domain name in reverse, in lower case",
          "Use RedirectURI.loopback() for http; otherwise a scheme such as com.example.app (RFC 8252 §7.1).")
      }
      if let authority, !authority.utf8.allSatisfy({ $0.isLowercaseOrDigit || $0 == 0x2D || $0 == 0x2E }) {
        throw .redirect("has a host that a browser would change", "Use com.example.app:/path.")
      }
      if authority == nil || !path.isEmpty { try RedirectURI.check(path: path) }
    }

    private func validateClaimed() throws(AuthenticationError) {
      let parts = (authority ?? "").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let isHost = parts.first?.utf8.allSatisfy { $0.isLowercaseOrDigit || $0 == 0x2D || $0 == 0x2E } == true
      guard isHost, parts.first?.isEmpty == false else {
        throw .redirect("has no plain host in lower case", "Write https://host/path, without user or address.")
      }
      if parts.count == 2, UInt16(parts[1]).map({ String($0) == parts[1] && $0 != 0 && $0 != 443 }) != true {
        throw .redirect("has a port that a browser would change", "Leave out the usual one.")
      }
      try RedirectURI.check(path: path)
    }
  }
}

extension UInt8 {
  fileprivate var isLowercaseOrDigit: Bool { (0x61...0x7A).contains(self) || (0x30...0x39).contains(self) }
  package var isLetterOrDigit: Bool { isLowercaseOrDigit || (0x41...0x5A).contains(self) }

  /// `pchar`, `/` and `%` (RFC 3986 §3.3).
  fileprivate var isPathCharacter: Bool { isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(self) }
}

extension AuthenticationError {
  fileprivate static func redirect(_ fault: String, _ suggestion: String, of parameter: String = "redirectURI") -> Self
  {
    invalidConfiguration("The redirect URI \(fault).", suggestion: suggestion, of: parameter)
  }
}
