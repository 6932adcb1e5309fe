#if os(Linux)
import AuthenticationDomain

/// The settings of a process's connections in its environment variables; read once, when a client is created.
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

  /// `[scheme://][user[:password]@]host[:port][/]`
  private static func isProxy(_ text: String) -> Bool {
    let form =
      /(?:(?i:https?|socks4a?|socks5h?):\/\/|(?!.*:\/\/))(?:[!-~]*@)?(?:\[[\da-fA-F:.]+\]|[\da-zA-Z._-]+)(?::(\d+))?\/?/
    guard text.utf8.allSatisfy({ $0 < 0x80 }), let match = text.wholeMatch(of: form) else { return false }
    return match.1.map { Int($0).map { (1...65_535).contains($0) } ?? false } ?? true
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
