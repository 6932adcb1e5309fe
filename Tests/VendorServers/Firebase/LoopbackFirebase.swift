#if Tools && OpenID
package import AuthenticationDomain
import AuthenticationDomainTesting
package import AuthenticationTestingServers
package import Foundation

/// A real HTTP server on 127.0.0.1 that speaks as Firebase Authentication (Identity Toolkit) does, with the paths of
/// its emulator, and keeps real accounts. It was written from the vendor's published sources, not tried against it.
///
/// ```swift
/// let firebase = LoopbackFirebase()
/// let url = try await firebase.start()
/// // … POST url/identitytoolkit.googleapis.com/v1/accounts:signUp?key=api-key
/// let code = firebase.mails.last?.oobCode
/// ```
package final class LoopbackFirebase: LoopbackVendor {
  let dialect: AwaitableState<FirebaseDialect>
  package let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  package init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(FirebaseDialect(options: options))
    server = VendorServer(dialect, clock: clock)
  }
}

extension LoopbackFirebase {
  /// The settings of the project, for as long as the server lives.
  package struct Options: Sendable {
    /// The project's id.
    package var projectID = "demo-project"
    /// The web API key.
    package var apiKey = "api-key"
    /// If set, the key works only with this `X-Ios-Bundle-Identifier`.
    package var bundleID: String?
    /// If set, every body must name it as `tenantId`.
    package var tenantID: String?
    /// Enumeration protection, on in new projects: no response tells whether an address has an account.
    package var hidesAccounts = true
    /// How long an access token lasts.
    package var accessTokenLifetime: Duration = .seconds(3_600)
    /// How recent a sign-in must be for a new password, a new address, another factor, and deletion.
    package var recentSignIn: Duration = .seconds(300)
    /// How long the code of a mail works.
    package var mailCodeLifetime: Duration = .seconds(3_600)
    /// How long the code of a text message works.
    package var phoneCodeLifetime: Duration = .seconds(300)
    /// Numbers for tests (E.164), for which the app needs no proof of itself.
    package var fictionalNumbers: Set<String> = []
    /// Methods that are off in the project: operations, such as `signUp`.
    package var disabledOperations: Set<String> = []
    /// Whether it behaves as Firebase's own emulator: it has a page, but no `createAuthUri` for a provider.
    package var isEmulator = false
    /// Where a provider's page may return to (`continueUri`), as it is registered at the provider.
    package var continueURIs: Set<String> = ["com.example.app:/callback"]

    /// The defaults.
    package init() {}
  }
}

extension LoopbackFirebase {
  /// A mail that was "sent". Its description shows no code.
  package struct Mail: Sendable, Hashable, CustomStringConvertible {
    /// `EMAIL_SIGNIN`, `PASSWORD_RESET`, `VERIFY_EMAIL`, `VERIFY_AND_CHANGE_EMAIL`.
    package let requestType: String
    /// Where it went.
    package let address: String
    /// The code in the link.
    package let oobCode: String
    /// The link that the user taps.
    package let link: URL

    package var description: String { "\(requestType) to \(address)" }
  }

  /// A text message that was "sent". Its description shows no code.
  package struct Message: Sendable, Hashable, CustomStringConvertible {
    /// Where it went (E.164).
    package let phoneNumber: String
    /// The code itself.
    package let code: String

    package var description: String { "Message to \(phoneNumber)" }
  }

  /// All mails so far, the oldest first.
  package var mails: [Mail] { dialect.value.mails }

  /// All text messages so far, the oldest first.
  package var messages: [Message] { dialect.value.messages }

  /// The ids of the accounts.
  package var accountIDs: Set<String> { Set(dialect.value.accounts.keys) }

  /// The Apple codes that were revoked.
  package var revokedAppleCodes: [String] { dialect.value.revokedAppleCodes }

  /// The action of the user at a provider's page from now on; at first Ada approves.
  package var user: LoopbackOpenIDIssuer.UserAction {
    get { dialect.value.user }
    set { dialect.update { $0.user = newValue } }
  }

  /// Adds an account with a password.
  ///
  /// - Parameters:
  ///   - email: its address.
  ///   - password: in clear text.
  ///   - isVerified: whether the address is.
  ///   - factorSecret: in base32, of an authenticator app that is its second factor.
  ///   - factorPhone: of a phone that is its second factor.
  ///   - factorName: the name of that phone.
  /// - Returns: its id.
  @discardableResult
  package func addAccount(
    email: String, password: String, isVerified: Bool = true, factorSecret: String? = nil, factorPhone: String? = nil,
    factorName: String? = nil
  ) -> String {
    dialect.update { dialect in
      var account = dialect.makeAccount(at: .init(timeIntervalSince1970: 1_750_000_000))
      (account.email, account.password, account.isEmailVerified) = (email, password, isVerified)
      if let factorSecret { account.factors.append(.init(id: "totp-\(account.id)", kind: .totp(secret: factorSecret))) }
      if let factorPhone {
        account.factors.append(.init(id: "phone-\(account.id)", kind: .phone(factorPhone), name: factorName))
      }
      dialect.accounts[account.id] = account
      return account.id
    }
  }

  /// Disables an account, or enables it.
  package func setDisabled(_ isDisabled: Bool, account id: String) {
    dialect.update { $0.accounts[id]?.isDisabled = isDisabled }
  }

  /// Deletes an account, as an administrator does.
  package func deleteAccount(_ id: String) {
    dialect.update { $0.accounts[id] = nil }
  }

  /// Ends all sessions of an account, as an administrator does (`validSince`).
  package func revokeSessions(ofAccount id: String) {
    dialect.update { $0.accounts[id]?.epoch += 1 }
  }
}
#endif
