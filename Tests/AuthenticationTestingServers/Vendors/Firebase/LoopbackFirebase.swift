#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting

/// A real HTTP server on 127.0.0.1 that speaks as Firebase Authentication (Identity Toolkit) does, with the paths of
/// its emulator, and keeps real accounts. It was written from the vendor's published sources, not tried against it.
///
/// ```swift
/// let firebase = LoopbackFirebase()
/// let url = try await firebase.start()
/// // … POST url/identitytoolkit.googleapis.com/v1/accounts:signUp?key=api-key
/// let code = firebase.mails.last?.oobCode
/// ```
public final class LoopbackFirebase: LoopbackVendor {
  let dialect: AwaitableState<FirebaseDialect>
  public let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(FirebaseDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}
#endif
