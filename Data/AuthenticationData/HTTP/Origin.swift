public import Foundation

/// Scheme, host and port of a URL (RFC 6454 §4): where a token may be sent.
///
/// ```swift
/// if let origin = Origin(URL(string: "https://api.example.com/v1")!) {
///   options.allowedOrigins = [origin]  // https://api.example.com
/// }
/// ```
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// `https` or `http`.
  package let scheme: String
  /// In lower case.
  package let host: String
  /// As written, or the scheme's default: 443 or 80.
  let port: Int
  /// As in a URL, without the default port.
  public let description: String

  /// Creates the origin of a URL.
  ///
  /// - Returns: nil unless the URL is absolute, http or https, with a host and without user info.
  public init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty,
      url.user() == nil, url.password() == nil, let usual = Self.usualPorts[scheme]
    else { return nil }
    let port = url.port ?? usual
    guard (1...65_535).contains(port), url.port != nil || !url.namesPort else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = port
    let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    description = port == usual ? "\(scheme)://\(bracketed)" : "\(scheme)://\(bracketed):\(port)"
  }

  /// Encrypted, or never leaving this machine (RFC 8252 §8.3).
  package var isSecure: Bool { scheme == "https" || isLoopback }

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or ::1 (RFC 8252 §8.3).
  package var isLoopback: Bool { host == "localhost" || host == "::1" || host == "[::1]" || isIPv4Loopback }

  /// Four numbers that begin with 127: a host name that only begins like such an address is not this machine.
  private var isIPv4Loopback: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy(\.isDigit) }
  }

  /// Whether the URL has one of these origins. Cheap if the URL's text begins with one of them as written.
  static func any(of origins: [Origin], contains url: URL) -> Bool {
    let text = url.absoluteString
    // By index: iterating would copy each origin.
    if origins.indices.contains(where: { text.begins(with: origins[$0].description) }) { return true }
    return Origin(url).map(origins.contains) ?? false
  }

  private static let usualPorts = ["https": 443, "http": 80]
}

extension String {
  /// Whether the text of this URL begins with this origin.
  fileprivate func begins(with origin: String) -> Bool {
    guard hasPrefix(origin) else { return false }
    let count = origin.utf8.count
    if utf8.count == count { return true }
    // Only these characters end an authority: "https://host@elsewhere" and "https://host.elsewhere" begin alike.
    switch utf8[utf8.index(utf8.startIndex, offsetBy: count)] {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return true
    default: return false
    }
  }
}

extension URL {
  /// `URL` reads a port too large for an integer as no port, which would mean the default one.
  fileprivate var namesPort: Bool {
    let authority = absoluteString.split(separator: "://", maxSplits: 1).last?.prefix { !"/?#".contains($0) } ?? ""
    return authority.last?.isNumber == true && authority.contains(":")
  }
}

extension Origin: ExpressibleByStringLiteral {
  /// Creates an origin that is written in the code: `["https://api.example.com"]`. Anything else ends the process; for a
  /// text that is not known when the app is compiled there is ``init(_:)``.
  public init(stringLiteral text: String) {
    guard let origin = URL(string: text).flatMap(Self.init) else { preconditionFailure("'\(text)' is no origin.") }
    self = origin
  }
}
