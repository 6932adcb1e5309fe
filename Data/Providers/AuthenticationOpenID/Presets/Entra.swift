import AuthenticationData
public import AuthenticationDomain
import Foundation

extension OpenIDClient {
  /// Microsoft Entra ID, or Entra External ID, and the app as it is registered there: a mobile and desktop application
  /// (https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc).
  ///
  /// ```swift
  /// var client = OpenIDClient.entra(tenant: "contoso.onmicrosoft.com", clientID: "1f2c0a4e-…")
  /// client.scopes = ["openid", "profile", "offline_access", "api://notes/Notes.Read"]
  /// client.presenter = SystemBrowserPresenter()
  /// let root = try MainRoot(.openIDConnect(client))
  /// ```
  ///
  /// | their term | ours |
  /// |---|---|
  /// | authority | `tenant` and `host` |
  /// | `tid`, `oid`, `roles`, `groups` | ``AuthenticationDomain/User/claims``; the user's id is `sub`, which is of this app only |
  /// | Conditional Access, multi-factor authentication, consent (`interaction_required`, `suberror`) | ``AuthenticationDomain/AuthenticationError/insufficientUserAuthentication`` of a refresh: sign in again, the session is kept |
  /// | `bad_token`, `user_account_deleted`, `invalid_grant` without a `suberror` | ``AuthenticationDomain/AuthenticationError/sessionRejected`` |
  /// | redirect URI `http://localhost` | ``RedirectURI/localhost(port:path:)``, the default; an address of the loopback interface needs a change of the app's manifest |
  /// | `resource`, `audience` | the beginning of its scopes: `api://…/Read`. Each further one is a ``AuthenticationDomain/ProtectedResource``, whose token is for its scopes among the client's, or for `/.default` |
  /// | verified by | our own dialect server only: never tried at Microsoft |
  ///
  /// UserInfo is not asked: it belongs to Microsoft Graph, and the ID token says more. Tokens cannot be revoked: signing
  /// out is local, and on the page of ``OpenIDServices/endSession(of:presenter:postLogoutRedirect:)``.
  ///
  /// - Parameters:
  ///   - tenant: the tenant's id (a UUID) or one of its domains; `organizations` for accounts of any organization,
  ///     `consumers` for personal ones, `common` for both. A guest is another user in each tenant: name the tenant then.
  ///   - clientID: the application's id, a UUID.
  ///   - allowedTenants: the ids of the tenants whose users may sign in, which `organizations` and `common` need; nil allows
  ///     **any** tenant, also an attacker's own: the app's backend must then know each tenant. By default only the one
  ///     that `tenant` names.
  ///   - host: of a national cloud, such as `login.microsoftonline.us`, or of External ID, such as `contoso.ciamlogin.com`.
  ///   - methods: `.browser` and `.device`, which the registration must allow as a public client.
  ///   - endpoint: another server in place of Microsoft's, without the tenant.
  public static func entra(
    tenant: String, clientID: String, allowedTenants: Set<String>? = [], host: String = "login.microsoftonline.com",
    methods: [SignInMethod] = [.browser], endpoint: String? = nil
  ) -> Self {
    let tenant = tenant.lowercased()
    let base = endpoint.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? "https://\(host)"
    let known = EntraTenant(tenant)
    var client = Self(issuer: "\(base)/\(known.path)/v2.0", clientID: clientID)
    client.redirect = .localhost()
    client.dialect = IssuerDialect(name: "entra", methods: methods)
    client.dialect.tenants = known.issuers(
      // External ID calls itself by the tenant's own host, whichever name it is reached by.
      at: endpoint == nil && host.hasSuffix(".ciamlogin.com") ? "https://{tenantid}.ciamlogin.com" : base)
    client.dialect.userInfo = .never
    client.dialect.resourceNaming = .scopes
    client.dialect.checkHints = { hints throws(AuthenticationError) in
      guard hints.prompt.count > 1 else { return }
      throw AuthenticationError(
        .invalidRequest, "The provider's page takes one prompt at a time.", suggestion: "Name one of them.")
    }
    client.dialect.logoutHint = { $0.claims["login_hint"]?.text }
    client.asksConsentForOfflineAccess = false
    client.dialect.refreshRefusals = VendorRefusals([
      ("invalid_grant", "suberror bad_token", .sessionRejected),
      ("invalid_grant", "suberror user_account_deleted", .sessionRejected),
      ("invalid_grant", "suberror ", .interactionNeededToRefresh),
    ])
    // A code on another device (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code).
    client.dialect.refusals = VendorRefusals([
      ("authorization_declined", nil, .declined), ("bad_verification_code", nil, .deviceCodeRefused),
    ])
    let allowed = allowedTenants.map { Set($0.map { $0.lowercased() }) }
    client.dialect.checkIdentity = { claims throws(AuthenticationError) in
      guard known.allows(claims["tid"] ?? "", allowed) else {
        throw .refused(by: .tenant, "The user is of a tenant whose users may not sign in.")
      }
    }
    client.dialect.complete = { client throws(AuthenticationError) in
      guard known.isValid else {
        throw .invalid("tenant", "is neither an id, a domain, organizations, common nor consumers")
      }
      if known.isAny, allowed?.isEmpty == true {
        throw .invalid("allowedTenants", "is empty: name the tenants whose users may sign in, or nil for any")
      }
      guard allowed?.allSatisfy(\.isUUID) ?? true else {
        throw .invalid("allowedTenants", "names a tenant by something else than its id")
      }
      guard endpoint != nil || EntraTenant.hosts.contains(host) || host.hasSuffix(".ciamlogin.com") && host.isDomain
      else { throw .invalid("host", "is none of Microsoft's") }
      guard client.resources.isEmpty, client.audience == nil else {
        throw .invalid("resources", "are named by scopes at Entra, as in api://notes/.default")
      }
      try client.check("Entra", offering: [.browser, .device], endpoint: endpoint)
    }
    return client
  }
}

/// Whose accounts sign in, as the path of an authority says it.
private enum EntraTenant {
  case id(String)
  case domain(String)
  case organizations, consumers, common

  /// The tenant of all personal accounts.
  private static let consumersID = "9188040d-6c67-4c5b-b112-36a304b66dad"

  static let hosts: Set = [
    "login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn",
    "login.sovcloud-identity.fr", "login.sovcloud-identity.de", "login.sovcloud-identity.sg",
  ]

  init(_ text: String) {
    self =
      switch text {
      case "organizations": .organizations
      case "consumers": .consumers
      case "common": .common
      default: text.isUUID ? .id(text) : .domain(text)
      }
  }

  var path: String {
    switch self {
    case .id(let text), .domain(let text): text
    case .organizations: "organizations"
    case .consumers: "consumers"
    case .common: "common"
    }
  }

  var isValid: Bool { if case .domain(let text) = self { text.isDomain } else { true } }

  /// Whether users of many tenants may come.
  var isAny: Bool {
    switch self {
    case .organizations, .common: true
    case .id, .domain, .consumers: false
    }
  }

  /// - Parameter base: where the issuers are, as their metadata has it.
  func issuers(at base: String) -> IssuerTenants {
    let template = "\(base)/{tenantid}/v2.0"
    let issuer = { @Sendable (tenant: String) in template.replacing("{tenantid}", with: tenant) }
    return IssuerTenants(template: template) { [self] document in
      switch self {
      case .id(let id): document.isSame(as: issuer(id))
      case .consumers: document.isSame(as: issuer(Self.consumersID))
      case .organizations, .common: document.isSame(as: template)
      // Which tenant that is says the metadata alone; its ID tokens must be of the same.
      case .domain:
        document.split(separator: "/").contains { String($0).isUUID && document.isSame(as: issuer(String($0))) }
      }
    }
  }

  /// Whether users of a tenant may sign in (`tid`).
  ///
  /// - Parameter allowed: nil for any; empty for the one that the metadata is of.
  func allows(_ tenant: String, _ allowed: Set<String>?) -> Bool {
    guard tenant.isUUID else { return false }
    let isConsumers = tenant == Self.consumersID
    switch self {
    case .id(let id) where tenant != id: return false
    case .consumers where !isConsumers: return false
    // The keys of both are published together.
    case .organizations where isConsumers: return false
    default: return allowed.map { $0.contains(tenant) || $0.isEmpty && !isAny } ?? true
    }
  }
}
