#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting
public import Foundation

/// A real HTTP server on 127.0.0.1 that speaks as Firebase Authentication (Identity Toolkit) does, with the paths of
/// its emulator, and keeps real accounts. It was written from the vendor's published sources, not tried against it.
///
/// ```swift
/// let firebase = LoopbackFirebase()
/// let url = try await firebase.start()
/// // … POST url/identitytoolkit.googleapis.com/v1/accounts:signUp?key=api-key
/// let code = firebase.mails.last?.oobCode
/// ```
public final class LoopbackFirebase: Sendable {
  let dialect: AwaitableState<FirebaseDialect>
  private let clock: any AuthenticationClock
  private let listener = LoopbackListener()

  /// The requests, and the faults and holds planned for them, by operation: `signUp`, `mfaSignIn:finalize`, `token`.
  public let traffic = VendorTraffic()

  /// Tokens and codes expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(FirebaseDialect(options: options))
    self.clock = clock
  }

  /// Listens on this port, or on a free one for 0, and returns the base URL, without a path.
  @discardableResult
  public func start(port: UInt16 = 0) async throws(LoopbackServerError) -> URL {
    let port = try await listener.start(
      port: port, handler: VendorHandler(dialect: dialect, traffic: traffic, clock: clock))
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw .cannotListen("port \(port)") }
    return url
  }

  /// Closes the port and cuts every connection; accounts stay.
  public func stop() async { await listener.stop() }
}
#endif
