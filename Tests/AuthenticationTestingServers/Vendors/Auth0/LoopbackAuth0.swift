#if Tools && OpenID
public import AuthenticationDomain
import AuthenticationDomainTesting

/// A real HTTP server on 127.0.0.1 that speaks as a tenant of Auth0 does, and keeps real accounts and sessions:
/// universal login, password-realm, passwordless codes, passkeys of `http://localhost`, second factors with their
/// enrolment, sign-up and reset, and refresh tokens with and without rotation. It was written from the vendor's
/// published documents, not tried against it.
///
/// ```swift
/// let auth0 = LoopbackAuth0()
/// auth0.addAccount(.ada, phone: "+491701234567")
/// try await auth0.start()
/// let client = OpenIDClient.auth0(domain: "tenant.eu.auth0.com", clientID: "app", endpoint: auth0.issuer)
/// ```
public final class LoopbackAuth0: LoopbackVendor {
  let dialect: AwaitableState<Auth0Dialect>
  public let server: VendorServer

  /// Tokens, codes and sign-ins expire by the clock's `now`.
  public init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(Auth0Dialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }

  /// The tenant's issuer, with the slash; its address once it listens.
  public var issuer: String { dialect.value.issuer.state.identifier }
}
#endif
