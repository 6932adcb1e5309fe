#if Tools
package import FlyingFox
import FlyingSocks
import Foundation

/// The listening socket on a loopback address and the task that serves it.
package actor LoopbackListener {
  private var serving: Task<Void, any Error>?
  private var lastPort: UInt16?

  deinit {
    serving?.cancel()
  }

  package init() {}

  /// Returns the port it listens on.
  package func start(
    port: UInt16, handler: some HTTPHandler, observer: (@Sendable (LoopbackExchange) -> Void)? = nil
  ) async throws(LoopbackServerError) -> UInt16 {
    guard serving == nil else { throw .alreadyStarted }
    // A process that is just being started may hold the port of the server before for a moment.
    for _ in 0..<1_000 where port != 0 && port == lastPort {
      do throws(LoopbackServerError) {
        return try await open(port: port, handler: handler, observer: observer)
      } catch .portInUse {
        await Task.yield()
      }
    }
    return try await open(port: port, handler: handler, observer: observer)
  }

  /// Listens on `::1` in place of 127.0.0.1.
  ///
  /// - Returns: false if the machine has no such address, so that nothing else can listen there either.
  package func startOnIPv6(port: UInt16, handler: some HTTPHandler) async throws(LoopbackServerError) -> Bool {
    guard serving == nil else { throw .alreadyStarted }
    do {
      _ = try await listen(
        HTTPServer(
          address: sockaddr_in6.loopback(port: port), timeout: Self.longestHang, pool: SharedSocketPool.next,
          logger: .disabled,
          handler: handler))
      return true
    } catch SocketError.failed(_, EADDRINUSE, _) {
      throw .portInUse(port)
    } catch SocketError.failed(_, let code, _) where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(code) {
      return false
    } catch {
      throw .cannotListen(error.localizedDescription)
    }
  }

  private func open(
    port: UInt16, handler: some HTTPHandler, observer: (@Sendable (LoopbackExchange) -> Void)?
  ) async throws(LoopbackServerError) -> UInt16 {
    let handler: any HTTPHandler = observer.map { ObservedHandler(upstream: handler, observe: $0) } ?? handler
    do {
      let server = HTTPServer(
        address: try .inet(ip4: "127.0.0.1", port: port), timeout: Self.longestHang,
        pool: SharedSocketPool.next, logger: .disabled, handler: handler)
      return try await listen(server)
    } catch SocketError.failed(_, EADDRINUSE, _) {
      throw .portInUse(port)
    } catch {
      throw .cannotListen(error.localizedDescription)
    }
  }

  /// Returns when the port is closed and every connection is.
  package func stop() async {
    guard let serving else { return }
    serving.cancel()
    _ = await serving.result
    self.serving = nil
  }

  private func listen(_ server: HTTPServer) async throws -> UInt16 {
    let listening = Task { try await server.waitUntilListening(timeout: 600) }
    let serving = Task {
      defer { listening.cancel() }
      try await server.run()
    }
    self.serving = serving
    do {
      try await listening.value
      switch await server.listeningAddress {
      case .ip4(_, let port), .ip6(_, let port):
        lastPort = port
        return port
      default: throw SocketError.unsupportedAddress
      }
    } catch {
      serving.cancel()
      let ended = await serving.result
      self.serving = nil
      try ended.get()
      throw error
    }
  }

  /// Seconds the HTTP server lets a handler take: a fault may hang for as long as a test wants.
  private static let longestHang = 86_400.0
}
#endif
