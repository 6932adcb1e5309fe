#if Tools
public import AuthenticationTestingServers
public import Foundation

/// A real HTTP server on 127.0.0.1 that speaks as a vendor's service does: what all of them have.
public protocol LoopbackVendor: AnyObject, Sendable {
  /// Where it listens.
  var server: VendorServer { get }
}

extension LoopbackVendor {
  /// The requests, and the faults and holds planned for them, by operation, which has the vendor's own name.
  public var traffic: VendorTraffic { server.traffic }

  /// Listens on this port, or on a free one for 0, and returns the server's URL, without a path.
  @discardableResult
  public func start(port: UInt16 = 0) async throws(LoopbackServerError) -> URL { try await server.start(port: port) }

  /// Closes the port and cuts every connection; what the server knows stays.
  public func stop() async { await server.stop() }

  #if OpenID
  /// What a browser does with a page of the vendor, over HTTP: answers where the redirect leads, unvisited; nil where
  /// the page stays.
  public func visit(_ page: URL) async throws -> URL? { try await page.redirect() }
  #endif
}
#endif
