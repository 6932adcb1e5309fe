import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Logins at each kind of provider that a loopback server plays.
@Suite(.serialized) struct AuthCTLVendorLoginTests {
  private static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

  let authctl: AuthCTL

  init() throws { authctl = try AuthCTL() }

  /// With a browser that follows the issuer's redirects.
  private func login(
    _ options: [String], at issuer: LoopbackOpenIDIssuer, endpoint: String? = nil
  ) async throws -> AuthCTL.Outcome {
    try await authctl.run(
      ["login", "--endpoint", endpoint ?? issuer.identifier, "--no-browser", "--json", "--provider"] + options
    ) { line in
      if let code = AuthCTL.value("user_code", in: line) { issuer.approveDevice(code, as: .grace) }
      guard let page = AuthCTL.value("url", in: line).flatMap(URL.init(string:)),
        let landing = try await issuer.visit(page)
      else { return }
      _ = try await SystemHTTPClient().send(HTTPRequest(.get, landing))
    }
  }

  @Test func `Firebase by a password`() async throws {
    let firebase = LoopbackFirebase()
    let url = try await firebase.start()
    firebase.addAccount(email: "ada@example.com", password: "correct horse")
    let options = [
      "login", "--provider", "firebase", "--api-key", "api-key", "--endpoint", url.absoluteString, "--json",
    ]
    let wrong = try await authctl.run(options + ["--username", "ada@example.com", "--password-stdin"], input: "x\n")
    #expect(wrong.status == 4)
    #expect(wrong.failures == ["invalid_credentials"])
    let right = try await authctl.run(
      options + ["--username", "ada@example.com", "--password-stdin"], input: "correct horse\n")
    #expect(right.status == 0, "\(right.err)")
    #expect(try right.events().last?["event"] == "signed_in")
    #expect(try await authctl.run("status", "--json").events().first?["provider"] == "firebase")
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    #expect(firebase.traffic.requests(on: "token").count == 1)
  }

  @Test func `Firebase without a name`() async throws {
    let firebase = LoopbackFirebase()
    let url = try await firebase.start()
    let outcome = try await authctl.run(
      "login", "--provider", "firebase", "--api-key", "api-key", "--endpoint", url.absoluteString, "--method",
      "anonymous", "--json")
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(firebase.accountIDs.count == 1)
  }

  /// Its code is a credential by itself, and any user of this machine may listen on a usual port.
  @Test func `Firebase by a link, which leads to a port that no browser connects to`() async throws {
    let firebase = LoopbackFirebase()
    let url = try await firebase.start()
    let options = ["--provider", "firebase", "--api-key", "api-key", "--endpoint", url.absoluteString, "--json"]
    let outcome = try await authctl.run(
      ["login", "--method", "email-link", "--username", "ada@example.com"] + options,
      answering: { AuthCTL.value("kind", in: $0) == "link" ? firebase.mails.last?.link.absoluteString : nil })
    #expect(outcome.status == 0, "\(outcome.err)")
    let asked = try #require(firebase.traffic.requests(on: "sendOobCode").last)
    let body = try #require(try JSONSerialization.jsonObject(with: asked.body) as? [String: Any])
    #expect(body["continueUrl"] as? String == "http://localhost:1")
  }

  @Test func `Supabase by a password and an authenticator app`() async throws {
    let supabase = LoopbackSupabase()
    let url = try await supabase.start()
    supabase.addAccount(
      email: "ada@example.com", password: "correct horse", factorSecret: Self.secret)
    let outcome = try await authctl.run(
      [
        "login", "--provider", "supabase", "--url", url.absoluteString, "--anon-key", "anon-key", "--username",
        "ada@example.com", "--password-stdin", "--json",
      ], typing: "correct horse\n"
    ) { line in
      AuthCTL.value("kind", in: line) == "otp" ? OneTimePassword.code(secret: Self.secret, at: Date()) : nil
    }
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(try outcome.events().map { $0["event"] } == ["challenge", "signed_in"])
  }

  @Test func `Supabase by a code, whose address is the user name`() async throws {
    let supabase = LoopbackSupabase()
    let url = try await supabase.start()
    let outcome = try await authctl.run(
      [
        "login", "--provider", "supabase", "--url", "https://abc.supabase.co", "--endpoint", url.absoluteString,
        "--anon-key", "anon-key", "--method", "email-code", "--username", "ada@example.com", "--json",
      ], answering: { AuthCTL.value("kind", in: $0) == "email" ? supabase.messages.last?.code : nil })
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(try outcome.events().first?["destination"] == "ada@example.com")
  }

  @Test(arguments: [["browser-github"], ["sso", "--username", "grace@example.org"]])
  func `Supabase by the page of another provider, which returns to a port of this machine`(
    method: [String]
  ) async throws {
    var settings = LoopbackSupabase.Options()
    settings.identityProviders.insert("github")
    settings.companies = ["example.org": "company-1"]
    let supabase = LoopbackSupabase(settings)
    let url = try await supabase.start().absoluteString
    let outcome = try await authctl.run(
      [
        "login", "--provider", "supabase", "--url", url, "--anon-key", "anon-key", "--no-browser", "--json", "--method",
      ] + method
    ) { line in
      var next = AuthCTL.value("url", in: line).flatMap(URL.init(string:))
      while let url = next {
        let response = try await SystemHTTPClient().send(HTTPRequest(.get, url))
        next = response.headers["Location"].flatMap { URL(string: $0) }
      }
    }
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(try outcome.events().map { $0["event"] } == ["authorization_url", "signed_in"])
  }

  static let pages: [[String]] = [
    ["auth0", "--domain", "tenant.eu.auth0.com", "--client-id", "app"], ["keycloak"] + AuthCTLProviderTests.keycloak,
    ["google", "--client-id", "app"], ["apple", "--client-id", "app"], ["facebook", "--client-id", "app"],
  ]

  @Test(arguments: pages) func `an OpenID vendor by its page, at the endpoint that is its issuer`(
    options: [String]
  ) async throws {
    var settings = LoopbackOpenIDIssuer.Options()
    // Auth0's issuers end with a slash.
    if options.first == "auth0" { settings.path = "/" }
    let issuer = LoopbackOpenIDIssuer(settings)
    try await issuer.start()
    let outcome = try await login(options, at: issuer)
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(try outcome.events().map { $0["event"] } == ["authorization_url", "signed_in"])
    #expect(outcome.out.contains("Ada Lovelace"))
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    #expect(issuer.tokenRequests(for: "refresh_token").count == 1)
  }

  @Test(arguments: pages.prefix(3))
  func `the issuer of an OpenID vendor is told, and its page takes the page's options`(options: [String]) async throws {
    var settings = LoopbackOpenIDIssuer.Options()
    if options.first == "auth0" { settings.path = "/" }
    let issuer = LoopbackOpenIDIssuer(settings)
    try await issuer.start()
    let page = [
      "--prompt", "login", "--login-hint", "ada@example.com", "--acr-values", "phr", "--param", "ui_locales=de",
    ]
    let outcome = try await login(options + page, at: issuer)
    #expect(outcome.status == 0, "\(outcome.err)")
    let query = try #require(issuer.requests(on: .authorization).last?.query)
    for text in ["prompt=login", "login_hint=ada%40example.com", "acr_values=phr", "ui_locales=de"] {
      #expect(query.contains(text), "\(query)")
    }
    #expect(try await authctl.run("status", "--json").events().first?["issuer"] == issuer.identifier)
    #expect(try await authctl.run("logout").status == 0)
    #expect(try await authctl.run("status", "--json").events().first?["issuer"] == issuer.identifier)
  }

  @Test func `Entra's page takes the page's options, and the issuer is the tenant's own`() async throws {
    let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    let issuer = try await LoopbackOpenIDIssuer.entra(authority: "organizations", tenant: tenant)
    let outcome = try await login(
      [
        "entra", "--tenant", "organizations", "--client-id", "app", "--allow-tenant", tenant, "--prompt",
        "select_account", "--login-hint", "ada@example.com", "--param", "domain_hint=example.com",
      ], at: issuer, endpoint: issuer.entraEndpoint)
    #expect(outcome.status == 0, "\(outcome.err)")
    let query = try #require(issuer.requests(on: .authorization).last?.query)
    for text in ["prompt=select_account", "login_hint=ada%40example.com", "domain_hint=example.com"] {
      #expect(query.contains(text), "\(query)")
    }
    let status = try #require(try await authctl.run("status", "--json").events().first)
    #expect(status["issuer"] == "\(issuer.entraEndpoint)/\(tenant)/v2.0")
  }

  @Test func `Entra for users of the tenants that are allowed, by a page that returns to localhost`() async throws {
    let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    let issuer = try await LoopbackOpenIDIssuer.entra(authority: "organizations", tenant: tenant)
    let entra = ["entra", "--tenant", "organizations", "--client-id", "app", "--allow-tenant"]
    let refused = try await login(
      entra + ["11111111-2222-4333-8444-555555555555"], at: issuer, endpoint: issuer.entraEndpoint)
    #expect(refused.status == 7, "\(refused.err)")
    #expect(try await authctl.run("status").status == 3)
    for options in [[tenant], ["any"], [tenant, "--method", "device"]] {
      let outcome = try await login(entra + options, at: issuer, endpoint: issuer.entraEndpoint)
      #expect(outcome.status == 0, "\(outcome.err)")
    }
    #expect(issuer.requests(on: .authorization).last?.query.contains("redirect_uri=http%3A%2F%2Flocalhost%3A") == true)
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    #expect(try await authctl.run("status", "--claims", "--json").out.contains(#""tid":"\#(tenant)""#))
  }

  @Test func `Keycloak by another device, and by a password`() async throws {
    let issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
    let keycloak = ["keycloak"] + AuthCTLProviderTests.keycloak
    let device = try await login(keycloak + ["--method", "device"], at: issuer)
    #expect(device.status == 0, "\(device.err)")
    #expect(try device.events().map { $0["event"] } == ["device_code", "signed_in"])
    #expect(device.out.contains("Grace Hopper"))
    let password = try await authctl.run(
      [
        "login", "--endpoint", issuer.identifier, "--method", "password", "--username", "ada", "--password-stdin",
        "--json", "--provider",
      ] + keycloak, input: "correct horse\n")
    #expect(password.status == 0, "\(password.err)")
  }

  @Test func `a client's secret is kept with the session, and not in the profile`() async throws {
    var options = LoopbackOpenIDIssuer.Options()
    options.clientSecret = "s3cret"
    options.clientAuthentication = .post
    let issuer = LoopbackOpenIDIssuer(options)
    try await issuer.start()
    let folder = TemporaryFolder()
    let file = folder.url.appending(path: "secret")
    try Data("s3cret\n".utf8).write(to: file)
    let outcome = try await login(["google", "--client-id", "app", "--client-secret-file", file.path], at: issuer)
    #expect(outcome.status == 0, "\(outcome.err)")
    try FileManager.default.removeItem(at: file)
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    let profile = try Data(contentsOf: authctl.home.url.appending(path: "profiles/default/profile"))
    #expect(!String(decoding: profile, as: UTF8.self).contains("s3cret"))
  }
}
