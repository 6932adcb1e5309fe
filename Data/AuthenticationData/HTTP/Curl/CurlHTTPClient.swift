#if os(Linux)
package import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends requests with libcurl, kept from what it does by itself.
///
/// A request that is not ``HTTPRequest/isReplayable`` goes on a connection of its own: on a kept one that the server has
/// just closed it would be sent twice. Connections are shared by all clients that trust what the system trusts, and one
/// thread carries them; it ends with the last client.
package final class CurlHTTPClient: HTTPClient {
  private let library: Libcurl
  private let limits: HTTPLimits
  private let route: CurlRoute
  private let clock: any AuthenticationClock
  private let loop = Mutex<CurlLoop?>(nil)

  /// Connects to nothing yet.
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
