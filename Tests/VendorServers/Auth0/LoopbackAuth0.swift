#if Tools && OpenID
package import AuthenticationDomain
import AuthenticationDomainTesting
package import AuthenticationTestingServers

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
package final class LoopbackAuth0: LoopbackVendor {
  let dialect: AwaitableState<Auth0Dialect>
  package let server: VendorServer

  /// Tokens, codes and sign-ins expire by the clock's `now`.
  package init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(Auth0Dialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }

  /// The tenant's issuer, with the slash; its address once it listens.
  package var issuer: String { dialect.value.issuer.state.identifier }
}

extension LoopbackAuth0 {
  /// The settings of the tenant and the application, for as long as the server lives.
  package struct Options: Sendable {
    /// The id of the one client.
    package var clientID = "app"
    /// The database connection that knows the accounts.
    package var connection = "Username-Password-Authentication"
    /// How long an access token is good.
    package var accessTokenLifetime: Duration = .seconds(86_400)
    /// Whether each refresh spends the refresh token.
    package var rotatesRefreshTokens = true
    /// How long a spent refresh token still refreshes (the overlap, or leeway).
    package var leeway: Duration = .zero
    /// Whether every user must have a second factor: a user without one enrols one.
    package var requiresFactor = false

    /// The defaults.
    package init() {}
  }

  /// A code that was "sent". Its description shows no code.
  package struct Message: Sendable, Hashable, CustomStringConvertible {
    /// An e-mail address, or a phone number.
    package let address: String
    /// The sent message, in clear text.
    package let code: String

    package var description: String { "Message to \(address)" }
  }

  /// All messages so far, the oldest first.
  package var messages: [Message] { dialect.value.messages }

  /// How many sign-ins have not ended.
  package var liveSignIns: Int { dialect.value.issuer.state.signIns.count }

  /// The action of the user at the browser from now on; at first Ada approves.
  package var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.issuer.state.user }
    set { dialect.update { $0.issuer.state.user = newValue } }
  }

  /// Adds an account, whose name at the password-realm is its e-mail address.
  ///
  /// - Parameters:
  ///   - account: the account that signs in.
  ///   - phone: where codes are sent; nil if there is no such place.
  ///   - factorSecret: in base32, of an authenticator app that is a second factor.
  ///   - hasPhoneFactor: whether a code to its phone is one.
  ///   - recoveryCode: the code with which it can sign in once in place of a factor.
  package func addAccount(
    _ account: LoopbackOpenIDIssuer.Account, phone: String? = nil, factorSecret: String? = nil,
    hasPhoneFactor: Bool = false, recoveryCode: String? = nil
  ) {
    dialect.update { dialect in
      dialect.accounts[account.subject] = Auth0Account(
        account: account, phone: phone, factorSecret: factorSecret, hasPhoneFactor: hasPhoneFactor,
        recoveryCode: recoveryCode)
    }
  }

  /// Blocks an account, or lifts the block.
  package func setBlocked(_ isBlocked: Bool, account subject: String) {
    dialect.update { $0.accounts[subject]?.isBlocked = isBlocked }
  }

  /// Ends all sign-ins of everybody.
  package func endAllSignIns() {
    dialect.update { dialect in
      for id in dialect.issuer.state.signIns.keys { dialect.issuer.state.end(id) }
    }
  }
}
#endif
