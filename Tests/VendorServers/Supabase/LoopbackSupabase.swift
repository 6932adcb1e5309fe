#if Tools && OpenID
package import AuthenticationDomain
import AuthenticationDomainTesting
package import AuthenticationTestingServers
package import Foundation

/// A real HTTP server on 127.0.0.1 that speaks as Supabase Auth (GoTrue) does below `/auth/v1`, and keeps real
/// accounts, sessions and codes. It was written from the vendor's published sources, not tried against it.
///
/// ```swift
/// let supabase = LoopbackSupabase()
/// let url = try await supabase.start()
/// // … POST url/auth/v1/otp {"email": "ada@example.com", "create_user": true}
/// let code = supabase.messages.last?.code
/// ```
package final class LoopbackSupabase: LoopbackVendor {
  let dialect: AwaitableState<SupabaseDialect>
  let clock: any AuthenticationClock
  package let server: VendorServer

  /// Tokens and codes expire by the clock's `now`.
  package init(_ options: Options = Options(), clock: any AuthenticationClock = SystemClock()) {
    dialect = AwaitableState(SupabaseDialect(options: options))
    self.clock = clock
    server = VendorServer(dialect, clock: clock, observer: options.onExchange)
  }
}

extension LoopbackSupabase {
  /// The settings of the project, for as long as the server lives.
  package struct Options: Sendable {
    /// The publishable key.
    package var anonKey = "anon-key"
    /// How long an access token lasts.
    package var accessTokenLifetime: Duration = .seconds(3_600)
    /// Digits of a code: 6 to 10.
    package var codeLength = 6
    /// How long the code of a mail works.
    package var mailCodeLifetime: Duration = .seconds(3_600)
    /// How long the code of a text message works.
    package var textCodeLifetime: Duration = .seconds(60)
    /// The least time between two mails or messages to one address.
    package var sendingInterval: Duration = .seconds(60)
    /// How long anybody may use a spent refresh token again.
    package var reuseInterval: Duration = .zero
    /// Whether a new address must be confirmed before the first sign-in.
    package var confirmsAddresses = true
    /// Whether a change of the address must be confirmed from the old one, too.
    package var confirmsBothAddresses = false
    /// Whether a new password takes a nonce that is mailed.
    package var asksReauthentication = false
    /// Whether a new password takes the old one.
    package var asksCurrentPassword = false
    /// Where links may lead.
    package var redirectURLs: Set<String> = ["https://app.example.com/sign-in"]
    /// Where a browser is sent that may not go where the app wants it; without an error.
    package var siteURL = "https://www.example.com"
    /// The identity providers of companies, their ids by the domain.
    package var companies: [String: String] = [:]
    /// Whether a user may link an identity on a page.
    package var linksByHand = true
    /// Whether passkeys are turned on, for pages and apps of `http://localhost`.
    package var hasPasskeys = true
    /// Whose identity tokens are taken, and whose pages lead back.
    package var identityProviders: Set<String> = ["apple", "google", "facebook"]
    /// Gets each request with the status of its response.
    package var onExchange: (@Sendable (LoopbackExchange) -> Void)?

    /// The defaults.
    package init() {}
  }

  /// The action of a user at a page.
  package enum PageUser: Sendable, Hashable {
    /// Signs in there; nil: as Ada.
    case approves(email: String? = nil)
    /// Declines.
    case declines
    /// Fails with an error code of the service.
    case fails(code: String)
  }

  /// The shapes in which the vendor's versions and its gateway write errors.
  package enum ErrorShape: Sendable, Hashable, CaseIterable {
    /// `{"code":"…","message"}`, since version 2024-01-01 of the API.
    case current
    /// `{"code":400,"error_code":"…","msg"}`.
    case older
    /// `{"error","error_description"}`, always 400.
    case oauth
    /// `{"message"}` and the header `x-sb-error-code`.
    case headerOnly
  }
}

extension LoopbackSupabase {
  /// A mail or a text message that was "sent". Its description shows no code.
  package struct Message: Sendable, Hashable, CustomStringConvertible {
    /// Its purpose: `signup`, `magiclink`, `recovery`, `email_change`, `sms`, `phone_change`, `reauthentication`,
    /// `mfa`.
    package let type: String
    /// A number has no plus sign.
    package let address: String
    /// The code itself.
    package let code: String
    /// The link that the user taps in a mail; nil in a text message.
    package let link: URL?

    package var description: String { "\(type) to \(address)" }
  }

  /// All mails and text messages so far, the oldest first.
  package var messages: [Message] { dialect.value.messages }

  /// In which shape errors are sent; nil: as the request's version asks.
  package var errorShape: ErrorShape? {
    get { dialect.value.errorShape }
    set { dialect.update { $0.errorShape = newValue } }
  }

  /// The user of the pages from now on.
  package var pageUser: PageUser {
    get { dialect.value.pageUser }
    set { dialect.update { $0.pageUser = newValue } }
  }

  /// How many sessions have not ended.
  package var liveSessions: Int { dialect.value.sessions.count }

  /// The ids of the accounts.
  package var accountIDs: Set<String> { Set(dialect.value.accounts.keys) }

  /// Follows the link of a mail as a browser does.
  ///
  /// - Returns: where it leads: to the app.
  package func follow(_ link: URL) -> URL? {
    let request = VendorRequest(
      .init(method: "GET", path: link.path(), query: link.query() ?? "", headers: [:], body: Data()))
    let answer = dialect.update { $0.followLink(request, at: clock.now) }
    return answer.headers["Location"].flatMap { URL(string: $0) }
  }

  /// Adds an account with a confirmed address and a password.
  ///
  /// - Parameters:
  ///   - email: its address.
  ///   - password: in clear text.
  ///   - phone: a confirmed number without the plus sign; empty for none.
  ///   - factorSecret: in base32, of an authenticator app that is its second factor.
  ///   - factorPhone: of a phone that is its second factor, with the plus sign.
  ///   - metadata: the app's data of the account.
  /// - Returns: its id.
  @discardableResult
  package func addAccount(
    email: String, password: String, phone: String = "", factorSecret: String? = nil, factorPhone: String? = nil,
    metadata: [String: JSONValue] = [:]
  ) -> String {
    dialect.update { dialect in
      let start = Date(timeIntervalSince1970: 1_750_000_000)
      var account = SupabaseAccount(id: dialect.nextID(), createdAt: start)
      (account.email, account.emailConfirmedAt, account.password) = (email, start, password)
      if !phone.isEmpty { (account.phone, account.phoneConfirmedAt) = (SupabaseDialect.plain(phone), start) }
      account.metadata = metadata
      account.addIdentity(provider: "email", subject: account.id, email: email, at: start, id: dialect.nextID())
      if let factorSecret {
        let id = dialect.nextID()
        account.factors.append(
          .init(id: id, kind: .totp(secret: factorSecret), name: "app", createdAt: start, isVerified: true))
      }
      if let factorPhone {
        let id = dialect.nextID()
        account.factors.append(
          .init(id: id, kind: .phone(factorPhone), name: "phone", createdAt: start, isVerified: true))
      }
      dialect.accounts[account.id] = account
      return account.id
    }
  }

  /// Bans an account, or lifts the ban.
  package func setBanned(_ isBanned: Bool, account id: String) {
    dialect.update { $0.accounts[id]?.isBanned = isBanned }
  }

  /// Ends all sessions of everybody.
  package func endAllSessions() {
    dialect.update { dialect in
      for id in dialect.sessions.keys { dialect.end(id) }
    }
  }
}
#endif
