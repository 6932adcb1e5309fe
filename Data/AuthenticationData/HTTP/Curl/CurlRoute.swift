#if os(Linux)
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a client's connections are made: through which proxy, and whom they trust.
struct CurlRoute: Sendable {
  let environment: NetworkEnvironment
  /// Every root, the system's included, as PEM; nil for the system's alone.
  let roots: Data?
  /// As curl takes them: `sha256//…;sha256//…`.
  let pins: String?

  /// Whether its connections may serve other clients too. libcurl has kept connections apart that trust differently only
  /// since 7.83.1.
  var isShared: Bool { roots == nil && pins == nil }

  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` where the trust is none, or libcurl cannot give it.
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
