#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting

/// A real HTTP server on 127.0.0.1 that speaks as an Amazon Cognito user pool does, and keeps real accounts and
/// sessions. It was written from the vendor's published documents, not tried against it.
///
/// It takes passwords as they are (`USER_PASSWORD_AUTH`), codes by e-mail and text message (`USER_AUTH`), second
/// factors and new passwords. `USER_SRP_AUTH` it refuses, as a pool does that does not allow it. It has the pages of
/// managed login as well, at which ``user`` decides.
///
/// ```swift
/// let cognito = LoopbackCognito()
/// let url = try await cognito.start()
/// let pool = CognitoUserPool(
///   id: "us-east-1_Loopback", clientID: "client1", endpoint: url.absoluteString, methods: [.plainPassword, .emailCode])
/// ```
public final class LoopbackCognito: LoopbackVendor {
  let dialect: AwaitableState<CognitoDialect>
  public let server: VendorServer

  /// Tokens, codes and steps expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(CognitoDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}
#endif
