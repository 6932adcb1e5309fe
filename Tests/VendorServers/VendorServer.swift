#if Tools
import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationTestingServers
import FlyingFox
import Foundation

/// The port at which a vendor's dialect is spoken, and its traffic.
package final class VendorServer: Sendable {
  let traffic = VendorTraffic()
  private let listener = LoopbackListener()
  private let handler: any HTTPHandler
  private let observer: (@Sendable (LoopbackExchange) -> Void)?
  private let begin: @Sendable (_ origin: String) -> Void

  init<Dialect: VendorDialect>(
    _ dialect: AwaitableState<Dialect>, clock: any AuthenticationClock,
    observer: (@Sendable (LoopbackExchange) -> Void)? = nil
  ) {
    self.observer = observer
    handler = VendorHandler(dialect: dialect, traffic: traffic, clock: clock)
    begin = { origin in dialect.update { $0.begin(at: origin) } }
  }

  func start(port: UInt16) async throws(LoopbackServerError) -> URL {
    let port = try await listener.start(port: port, handler: handler, observer: observer)
    let origin = "http://127.0.0.1:\(port)"
    guard let url = URL(string: origin) else { throw .cannotListen("port \(port)") }
    begin(origin)
    return url
  }

  func stop() async { await listener.stop() }
}
#endif
