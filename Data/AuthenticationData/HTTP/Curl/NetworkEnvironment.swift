#if os(Linux)
import AuthenticationDomain

/// What the environment variables of a process say about its connections; read once, when a client is created.
struct NetworkEnvironment: Sendable, Hashable {
  /// The proxy for hosts other than this machine, in curl's syntax; empty for none.
  let proxy: String
  /// The hosts that are reached without the proxy, in curl's syntax.
  let exceptions: String

  /// Reads the variables as curl does: `https_proxy`, else `all_proxy`, and `no_proxy`, in lower or in upper case.
  ///
  /// - Parameters:
  ///   - variables: the environment of the process.
  ///   - keepsKeys: whether the transport ignores `SSLKEYLOGFILE`.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a malformed proxy, for two spellings with
  ///   different values, and if `SSLKEYLOGFILE` would have the keys of all connections written to a file.
  init(_ variables: [String: String], keepsKeys: Bool) throws(AuthenticationError) {
    if !keepsKeys, variables["SSLKEYLOGFILE"]?.isEmpty == false { throw .keysLogged }
    func value(_ name: String) throws(AuthenticationError) -> String? {
      let (lower, upper) = (variables[name], variables[name.uppercased()])
      if let lower, let upper, lower != upper { throw .contradictory(name) }
      return (lower ?? upper).flatMap { $0.isEmpty ? nil : $0 }
    }
    exceptions = try value("no_proxy") ?? ""
    guard !exceptions.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .malformed("no_proxy") }
    let (secure, any) = (try value("https_proxy"), try value("all_proxy"))
    if let secure, !Self.isProxy(secure) { throw .malformed("https_proxy") }
    if let any, !Self.isProxy(any) { throw .malformed("all_proxy") }
    proxy = secure ?? any ?? ""
  }

  /// Whether the connection to the proxy itself uses TLS.
  var proxiesByTLS: Bool { proxy.lowercased().hasPrefix("https://") }

  private static let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// `[scheme://][user[:password]@]host[:port][/]`
  private static func isProxy(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
    var rest = text[...]
    if let end = rest.firstRange(of: "://") {
      guard schemes.contains(rest[..<end.lowerBound].lowercased()) else { return false }
      rest = rest[end.upperBound...]
    }
    if rest.last == "/" { rest.removeLast() }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    var host = rest
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return false }
      host = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
      guard host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }), rest.isEmpty || rest.first == ":" else {
        return false
      }
    } else {
      host = rest.prefix { $0 != ":" }
      rest = rest[host.endIndex...]
      guard host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) else { return false }
    }
    guard !host.isEmpty else { return false }
    if rest.isEmpty { return true }
    let port = rest.dropFirst()
    return port.allSatisfy(\.isNumber) && Int(port).map { (1...65_535).contains($0) } == true
  }
}

extension AuthenticationError {
  fileprivate static func malformed(_ variable: String) -> Self {
    Self(
      .invalidConfiguration, "The environment variable \(variable) cannot be understood; nothing was sent.",
      suggestion: "Write it like http://proxy.example.com:3128, or unset it.")
  }

  fileprivate static func contradictory(_ variable: String) -> Self {
    Self(
      .invalidConfiguration, "The environment variables \(variable) and \(variable.uppercased()) differ.",
      suggestion: "Unset one of them.")
  }

  fileprivate static let keysLogged = Self(
    .invalidConfiguration,
    "SSLKEYLOGFILE is set, and this machine's libcurl cannot be kept from writing the keys of connections there.",
    suggestion: "Unset it, or install a libcurl that uses OpenSSL.")
}
#endif
