#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting
public import Foundation

/// A real HTTP server on 127.0.0.1 that speaks as Supabase Auth (GoTrue) does below `/auth/v1`, and keeps real accounts,
/// sessions and codes. It was written from the vendor's published sources, not tried against it.
///
/// ```swift
/// let supabase = LoopbackSupabase()
/// let url = try await supabase.start()
/// // … POST url/auth/v1/otp {"email": "ada@example.com", "create_user": true}
/// let code = supabase.messages.last?.code
/// ```
public final class LoopbackSupabase: Sendable {
  let dialect: AwaitableState<SupabaseDialect>
  let clock: any AuthenticationClock
  private let listener = LoopbackListener()

  /// The requests, and the faults and holds planned for them, by operation: `token refresh_token`, `signup`,
  /// `PUT user`, `factors/verify`.
  public let traffic = VendorTraffic()

  /// Tokens and codes expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(SupabaseDialect(options: options))
    self.clock = clock
  }

  /// Listens on this port, or on a free one for 0, and returns the project's URL.
  @discardableResult
  public func start(port: UInt16 = 0) async throws(LoopbackServerError) -> URL {
    let port = try await listener.start(
      port: port, handler: VendorHandler(dialect: dialect, traffic: traffic, clock: clock),
      observer: dialect.value.options.onExchange)
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw .cannotListen("port \(port)") }
    dialect.update { $0.origin = "http://127.0.0.1:\(port)" }
    return url
  }

  /// Closes the port and cuts every connection; accounts and sessions stay.
  public func stop() async { await listener.stop() }
}
#endif
