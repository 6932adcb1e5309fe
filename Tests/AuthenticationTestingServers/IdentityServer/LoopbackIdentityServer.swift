#if Tools
public import AuthenticationDomain
import AuthenticationDomainTesting
public import Foundation

/// A real HTTP server on 127.0.0.1: an identity server that rotates tokens, and a small API they protect.
///
/// ```swift
/// let server = LoopbackIdentityServer()
/// let baseURL = try await server.start()
/// // … POST baseURL/auth {"username": "ada", "password": "correct horse"}
/// await server.stop()
/// ```
public final class LoopbackIdentityServer: Sendable {
  let state: AwaitableState<ServerState>
  let clock: any AuthenticationClock
  private let options: Options
  private let listener = LoopbackListener()

  /// Tokens expire by the clock's `now`.
  public init(options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    state = AwaitableState(ServerState(ledger: IdentityLedger(options: options)))
    self.options = options
    self.clock = clock
  }

  /// Where the server listens, or last listened; nil before the first start.
  public var baseURL: URL? { state.value.baseURL }

  /// Listens on this port, or on a free one for 0, and returns the base URL.
  @discardableResult
  public func start(port: UInt16 = 0) async throws(LoopbackServerError) -> URL {
    let handler = IdentityHandler(state: state, clock: clock, latency: options.latency, onCode: options.onCode)
    let port = try await listener.start(port: port, handler: handler, observer: options.onExchange)
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw .cannotListen("port \(port)") }
    state.update { $0.baseURL = url }
    return url
  }

  /// Closes the port and cuts every connection. Users and families stay: starting again on the port brings them back.
  public func stop() async {
    await listener.stop()
  }
}
#endif
