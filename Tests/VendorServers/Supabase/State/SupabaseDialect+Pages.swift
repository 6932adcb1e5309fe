#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// The pages that a browser is shown.
extension SupabaseDialect {
  /// `GET /authorize`: no key is asked for. An unknown provider is refused in the browser, and nothing leads back.
  mutating func authorize(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    guard let provider = request.query["provider"], options.identityProviders.contains(provider) else {
      throw .supabase("validation_failed", "Unsupported provider")
    }
    let flow = try begin(provider, request.query["redirect_to"], try proof(request.query), now)
    return show(flow, now)
  }

  /// `POST /sso`: where the page of the domain's, or of the named identity provider is.
  mutating func singleSignOn(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> Answer {
    let (domain, id) = (try body.text("domain"), try body.text("provider_id"))
    guard (domain == nil) != (id == nil), try body.flag("skip_http_redirect") else {
      throw .supabase("validation_failed")
    }
    guard let provider = options.companies.first(where: { $0.key == domain || $0.value == id })?.value else {
      throw .supabase("sso_provider_not_found")
    }
    let flow = try begin("sso:\(provider)", try body.text("redirect_to"), try proof(body), now)
    return .json(["url": JSONValue.string("\(origin)/auth/v1/page?flow=\(flow)")])
  }

  /// `GET /user/identities/authorize`: where the page is on which the user links an identity.
  mutating func linkURL(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let account = try self.owner(of: request, now).account
    guard options.linksByHand else { throw .supabase("manual_linking_disabled") }
    guard let provider = request.query["provider"], options.identityProviders.contains(provider),
      request.query["skip_http_redirect"] == "true"
    else { throw .supabase("validation_failed") }
    let flow = try begin(provider, request.query["redirect_to"], try proof(request.query), now, linking: account.id)
    return .json(["url": JSONValue.string("\(origin)/auth/v1/page?flow=\(flow)")])
  }

  /// The page to which the two calls above lead.
  mutating func openPage(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    guard let flow = request.query["flow"], pages[flow] != nil else { throw .supabase("flow_state_not_found") }
    return show(flow, now)
  }

  /// The state of a page lives 300 seconds from here, the user's time included.
  private mutating func begin(
    _ provider: String, _ redirect: String?, _ proof: SupabaseProof?, _ now: Date, linking accountID: String? = nil
  ) throws(VendorRefusal) -> String {
    let id = nextID()
    // To an address that is not allowed nothing leads: without a word it becomes the site's.
    let target = redirect.flatMap { isAllowed($0) ? $0 : nil } ?? options.siteURL
    pages[id] = SupabasePageState(
      provider: provider, redirect: target, proof: proof, startedAt: now, accountID: accountID)
    return id
  }

  /// The site's own address, an address of the loopback interface, or one that the list has, where `**` at the end
  /// stands for anything.
  private func isAllowed(_ redirect: String) -> Bool {
    guard let url = URLComponents(string: redirect), let site = URLComponents(string: options.siteURL) else {
      return false
    }
    if url.scheme == site.scheme, url.host == site.host, url.port == site.port { return true }
    if url.host == "127.0.0.1" { return true }
    return options.redirectURLs.contains { entry in
      entry.hasSuffix("**") ? redirect.hasPrefix(entry.dropLast(2)) : redirect == entry
    }
  }

  /// The user acts as ``LoopbackSupabase/pageUser`` says, at once.
  private mutating func show(_ id: String, _ now: Date) -> Answer {
    guard let page = pages.removeValue(forKey: id) else { return Answer(status: 404) }
    switch pageUser {
    case .declines: return back(to: page.redirect, ["error": "access_denied", "error_description": "Declined by Ada"])
    case .fails(let code):
      return back(
        to: page.redirect, ["error": "server_error", "error_code": code, "error_description": "Declined by Ada"])
    case .approves(let email):
      do {
        let account = try identify(email ?? "ada@\(page.provider.replacing("sso:", with: ""))", page, now)
        guard let proof = page.proof else {
          _ = try open(account, by: "oauth", now)
          return Self.redirect("\(page.redirect)#access_token=in-a-fragment&token_type=bearer&sb=")
        }
        let code = nextID()
        flows[code] = .init(
          accountID: account.id, type: "oauth", proof: proof, expiresAt: page.startedAt.addingTimeInterval(300))
        return back(to: page.redirect, ["code": code], isError: false)
      } catch {
        return back(
          to: page.redirect, ["error": "server_error", "error_code": error.code, "error_description": "Declined"])
      }
    }
  }

  private mutating func identify(
    _ email: String, _ page: SupabasePageState, _ now: Date
  ) throws(VendorRefusal) -> SupabaseAccount {
    let known = accounts.values.first { account in
      account.identities.contains { $0.provider == page.provider && $0.subject == email }
    }
    if let accountID = page.accountID {
      guard known == nil else { throw .supabase("identity_already_exists") }
      guard var account = accounts[accountID] else { throw .supabase("user_not_found") }
      account.addIdentity(provider: page.provider, subject: email, email: email, at: now, id: nextID())
      adopt(email, &account, now)
      account.isAnonymous = false
      accounts[account.id] = account
      return account
    }
    if let known { return known }
    // An identity provider of a company has separate accounts.
    let isCompany = page.provider.hasPrefix("sso:")
    var account = (isCompany ? nil : self.account(email: email)) ?? SupabaseAccount(id: nextID(), createdAt: now)
    account.addIdentity(provider: page.provider, subject: email, email: email, at: now, id: nextID())
    adopt(email, &account, now)
    accounts[account.id] = account
    return account
  }

  /// The query of the redirect is kept, and everything is sorted by name. An error is in the query, and again in the
  /// fragment.
  private func back(to redirect: String, _ parameters: [String: String], isError: Bool = true) -> Answer {
    let parts = redirect.split(separator: "?", maxSplits: 1)
    var pairs = Fields(parts.count > 1 ? String(parts[1]) : "").pairs.map { ($0.name, $0.value) }
    pairs += parameters.map { ($0.key, $0.value) }
    let query = Self.encoded(pairs)
    let fragment = isError ? "#\(Self.encoded(parameters.map { ($0.key, $0.value) }))&sb=" : ""
    return Self.redirect("\(parts.first ?? "")?\(query)\(fragment)")
  }

  private static func encoded(_ pairs: [(String, String)]) -> String {
    pairs.sorted { $0.0 < $1.0 }.map { "\(Fields.encode($0.0))=\(Fields.encode($0.1))" }.joined(separator: "&")
  }

  private func proof(_ query: Fields) throws(VendorRefusal) -> SupabaseProof? {
    let names = ["code_challenge", "code_challenge_method"]
    let values = query.byName.filter { names.contains($0.key) }.mapValues(JSONValue.string)
    return try proof(try VendorMembers(values, only: Set(names), else: .supabase("validation_failed")))
  }
}
#endif
