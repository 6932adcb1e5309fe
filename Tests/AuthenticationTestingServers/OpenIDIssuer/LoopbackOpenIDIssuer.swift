#if Tools && OpenID
public import AuthenticationDomain
package import AuthenticationDomainTesting
public import Foundation

/// A real OpenID Connect issuer on 127.0.0.1, for tests; it signs and checks with a separate implementation.
///
/// ```swift
/// let issuer = LoopbackOpenIDIssuer()
/// let identifier = try await issuer.start()
/// issuer.user = .declines
/// ```
public final class LoopbackOpenIDIssuer: Sendable {
  /// A request as it arrived.
  public typealias RecordedRequest = LoopbackIdentityServer.RecordedRequest

  package let state: AwaitableState<IssuerState>
  let clock: any AuthenticationClock
  private let listener = LoopbackListener()

  /// Issues and expires by the clock's `now`, plus the quirks' clock offset.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    state = AwaitableState(IssuerState(options: options))
    self.clock = clock
  }

  /// The `issuer` that the server names, such as `http://127.0.0.1:4711/tenant`; without the port before the start.
  public var identifier: String { state.value.identifier }

  /// Listens on this port, or on a free one for 0, and returns the issuer's identifier.
  @discardableResult
  public func start(port: UInt16 = 0) async throws(LoopbackServerError) -> String {
    let port = try await listener.start(
      port: port, handler: IssuerHandler(state: state, clock: clock), observer: state.value.options.onExchange)
    state.update { $0.origin = "http://127.0.0.1:\(port)" }
    return identifier
  }

  /// Closes the port and cuts every connection; issued tokens stay.
  public func stop() async {
    await listener.stop()
  }

  /// The absolute URL of an endpoint.
  public func url(_ endpoint: Endpoint) -> URL {
    let state = state.value
    guard let url = URL(string: state.url(of: endpoint)) else { fatalError("\(endpoint) has no URL.") }
    return url
  }
}
#endif
