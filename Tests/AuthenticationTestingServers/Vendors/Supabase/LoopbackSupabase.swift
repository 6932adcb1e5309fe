#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting

/// A real HTTP server on 127.0.0.1 that speaks as Supabase Auth (GoTrue) does below `/auth/v1`, and keeps real
/// accounts, sessions and codes. It was written from the vendor's published sources, not tried against it.
///
/// ```swift
/// let supabase = LoopbackSupabase()
/// let url = try await supabase.start()
/// // … POST url/auth/v1/otp {"email": "ada@example.com", "create_user": true}
/// let code = supabase.messages.last?.code
/// ```
public final class LoopbackSupabase: LoopbackVendor {
  let dialect: AwaitableState<SupabaseDialect>
  let clock: any AuthenticationClock
  public let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(SupabaseDialect(options: options))
    self.clock = clock
    server = VendorServer(dialect, clock: clock, observer: options.onExchange)
  }
}
#endif
