#if os(Linux)
package import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends requests with libcurl, with its defaults turned off.
///
/// A request that is not ``HTTPRequest/isIdempotent`` uses a connection of its own: on a reused one that the server has
/// just closed it would be sent twice. All clients with the system's trust share their connections, which one thread
/// serves; the thread ends with the last client.
package final class CurlHTTPClient: HTTPClient {
  private let library: Libcurl
  private let limits: HTTPLimits
  private let route: CurlRoute
  private let clock: any AuthenticationClock
  private let loop = Mutex<CurlLoop?>(nil)

  /// Creates a client; no connection is opened yet.
  init(
    _ library: Libcurl, limits: HTTPLimits, trust: ServerTrust, environment: NetworkEnvironment,
    clock: any AuthenticationClock
  ) throws(AuthenticationError) {
    self.library = library
    self.limits = limits
    self.clock = clock
    route = try CurlRoute(trust: trust, environment: environment, library)
  }

  package func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let call = CurlCall(try OutgoingRequest(request), limits, route, usesOwnTimer: !(clock is SystemClock))
    let loop = try currentLoop()
    let timer = call.usesOwnTimer ? timer(for: call, loop) : nil
    defer { timer?.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { loop.start(call, $0) }
    } onCancel: {
      loop.abandon(call, .cancelled)
    }
    return try result.get()
  }

  private func timer(for call: CurlCall, _ loop: CurlLoop) -> Task<Void, Never> {
    Task.detached { [clock, limits] in
      guard (try? await clock.sleep(for: limits.deadline)) != nil else { return }
      loop.abandon(call, .timedOut(call.origin))
    }
  }

  private func currentLoop() throws(AuthenticationError) -> CurlLoop {
    let library = library
    let isShared = route.isShared
    let loop = loop.withLock { current in
      if current == nil { current = isShared ? CurlLoop.shared(library) : CurlLoop(library) }
      return current
    }
    guard let loop else { throw .outOfResources() }
    return loop
  }
}
#endif
