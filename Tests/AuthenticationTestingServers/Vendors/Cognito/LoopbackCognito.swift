#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting
public import Foundation

/// A real HTTP server on 127.0.0.1 that speaks as an Amazon Cognito user pool does, and keeps real accounts and sessions.
/// It was written from the vendor's published documents, not tried against it.
///
/// It takes passwords as they are (`USER_PASSWORD_AUTH`), codes by e-mail and text message (`USER_AUTH`), second factors
/// and new passwords. `USER_SRP_AUTH` it refuses, as a pool does that does not allow it.
///
/// ```swift
/// let cognito = LoopbackCognito()
/// let url = try await cognito.start()
/// var pool = CognitoUserPool(id: "us-east-1_Loopback", clientID: "client1", methods: [.plainPassword, .emailCode])
/// pool.endpoint = url.absoluteString
/// ```
public final class LoopbackCognito: Sendable {
  let dialect: AwaitableState<CognitoDialect>
  private let clock: any AuthenticationClock
  private let listener = LoopbackListener()

  /// The requests, and the faults and holds planned for them, by operation: `InitiateAuth`, `RevokeToken`.
  public let traffic = VendorTraffic()

  /// Tokens, codes and steps expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(CognitoDialect(options: options))
    self.clock = clock
  }

  /// Listens on this port, or on a free one for 0, and returns the endpoint.
  @discardableResult
  public func start(port: UInt16 = 0) async throws(LoopbackServerError) -> URL {
    let port = try await listener.start(
      port: port, handler: VendorHandler(dialect: dialect, traffic: traffic, clock: clock))
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw .cannotListen("port \(port)") }
    return url
  }

  /// Closes the port and cuts every connection; accounts and sessions stay.
  public func stop() async { await listener.stop() }
}
#endif
