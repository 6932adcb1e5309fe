#if os(Linux)
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a client connects: the proxy it uses, and the servers it trusts.
struct CurlRoute: Sendable {
  let environment: NetworkEnvironment
  /// Every root certificate, the system's included, as PEM; nil for the system's alone.
  let roots: Data?
  /// In curl's syntax: `sha256//…;sha256//…`.
  let pins: String?

  /// Whether other clients may use its connections too. libcurl keeps connections with different trust apart only since
  /// 7.83.1.
  var isShared: Bool { roots == nil && pins == nil }

  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` if the trust is invalid, or libcurl does not support
  ///   it.
  init(trust: ServerTrust, environment: NetworkEnvironment, _ library: Libcurl) throws(AuthenticationError) {
    try trust.validated()
    self.environment = environment
    pins = trust.pins.map { $0.sorted().map { "sha256//\($0)" }.joined(separator: ";") }
    roots = try trust.roots.map { roots throws(AuthenticationError) in
      guard let file = library.rootsFile, let system = FileManager.default.contents(atPath: file) else {
        throw .noRoots
      }
      return system + Data("\n".utf8) + roots
    }
    guard let easy = CurlHandle(library) else { throw .outOfResources() }
    if let pins, !easy.set(CurlOption.pinnedKeys, pins) { throw .noRoots }
    if let roots, !easy.set(CurlOption.roots, copying: roots) { throw .noRoots }
  }
}

extension AuthenticationError {
  fileprivate static let noRoots = Self(
    .invalidConfiguration, "This machine's libcurl takes no roots or pins besides the system's.",
    suggestion: "Install libcurl 7.84 or later with OpenSSL, or add the roots to the system's.")
}
#endif
