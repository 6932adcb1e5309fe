#if Tools
package import AuthenticationTestingServers
package import Foundation

/// A real HTTP server on 127.0.0.1 that speaks as a vendor's service does: the part common to all of them.
package protocol LoopbackVendor: AnyObject, Sendable {
  /// Where it listens.
  var server: VendorServer { get }
}

extension LoopbackVendor {
  /// The requests, and the faults and holds planned for them, by operation, which has the vendor's own name.
  package var traffic: VendorTraffic { server.traffic }

  /// Listens on this port, or on a free one for 0, and returns the server's URL, without a path.
  @discardableResult
  package func start(port: UInt16 = 0) async throws(LoopbackServerError) -> URL { try await server.start(port: port) }

  /// Closes the port and cuts every connection; the server's data stay.
  package func stop() async { await server.stop() }

  #if OpenID
  /// A browser's part at a page of the vendor, over HTTP: returns where the redirect leads, unvisited; nil where
  /// the page stays.
  package func visit(_ page: URL) async throws -> URL? { try await page.redirect() }
  #endif
}
#endif
