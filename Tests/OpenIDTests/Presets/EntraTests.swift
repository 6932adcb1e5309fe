import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@testable import AuthenticationBrowser
@testable import AuthenticationOpenID

/// Microsoft Entra ID, whose part a loopback issuer plays with its quirks.
@Suite(.timeLimit(.minutes(10))) struct EntraTests {
  private static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
  private static let other = "11111111-2222-4333-8444-555555555555"
  private static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

  /// - Parameter authority: the setting of the client, and the path of the server.
  private func bench(
    _ authority: String, of tenant: String = tenant, allowing allowed: Set<String>? = []
  ) async throws -> ProviderBench {
    var bench = try await ProviderBench { $0 = .entra(authority: authority) }
    bench.loopback.speakAsEntra(tenant: tenant)
    bench.client = .entra(
      tenant: authority, clientID: "app", allowedTenants: allowed, methods: [.browser, .device],
      endpoint: bench.loopback.entraEndpoint)
    bench.client.presenter = bench.browser
    bench.client.redirect = .address("com.example.app:/callback")
    return bench
  }

  private func check(_ bench: ProviderBench) async -> FailureReason? {
    await failure { try await bench.signedIn() }?.reason
  }

  private static let welcome: [(String, String, Set<String>?)] = [
    (tenant, tenant, []), ("contoso.onmicrosoft.com", tenant, []), ("consumers", consumers, []),
    ("organizations", tenant, [tenant]), ("common", tenant, [tenant, other]), ("common", consumers, [consumers]),
    ("organizations", other, nil), ("common", consumers, nil),
  ]

  @Test(arguments: welcome)
  func `users of the tenants that are allowed sign in`(
    authority: String, tenant: String, allowed: Set<String>?
  ) async throws {
    let bench = try await bench(authority, of: tenant, allowing: allowed)
    let session = try await bench.signedIn()
    #expect(session.user.id == "248289761001" && session.user.claims["tid"]?.text == tenant)
    #expect(try await bench.provider().refresh(session).identity != nil)
    let query = try #require(bench.browser.pages.first?.query())
    #expect(!query.contains("prompt=") && !query.contains("resource=") && !query.contains("audience="))
    #expect(bench.loopback.requests(on: .userInfo).isEmpty)
  }

  private static let others: [(String, String, Set<String>?)] = [
    ("organizations", other, [tenant]), ("common", other, [tenant]), ("organizations", consumers, nil),
    ("organizations", consumers, [consumers]),
  ]

  @Test(arguments: others)
  func `users of other tenants do not`(authority: String, tenant: String, allowed: Set<String>?) async throws {
    #expect(await check(try await bench(authority, of: tenant, allowing: allowed)) == .tenant)
  }

  @Test(arguments: ["common", "contoso.onmicrosoft.com", tenant])
  func `the issuer of a token is its tenant's, and the one of the metadata`(authority: String) async throws {
    let bench = try await bench(authority, allowing: [Self.tenant, Self.other])
    let origin = bench.loopback.entraEndpoint
    let claims: [[String: JSON]] = [
      ["tid": .string(Self.other)], ["iss": .string("\(origin)/\(Self.other)/v2.0")], ["tid": .absent],
      ["iss": .string("\(origin)/{tenantid}/v2.0"), "tid": "{tenantid}"], ["tid": .string("{tenantid}")],
      ["iss": .string("https://evil.example/\(Self.tenant)/v2.0")], ["iss": .string("\(origin)/\(Self.tenant)/v2.0/")],
    ]
    let good = bench.loopback.quirks.idTokenClaims
    for wrong in claims {
      bench.loopback.quirks.idTokenClaims = good.merging(wrong) { $1 }
      #expect(await check(bench) != nil, "\(wrong)")
    }
    bench.loopback.quirks.idTokenClaims = good
    _ = try await bench.signedIn()
  }

  @Test func `a domain is the one tenant that the metadata names`() async throws {
    let bench = try await bench("contoso.onmicrosoft.com", allowing: nil)
    let origin = bench.loopback.entraEndpoint
    bench.loopback.quirks.keySet = nil
    bench.loopback.quirks.idTokenClaims["iss"] = .string("\(origin)/\(Self.other)/v2.0")
    bench.loopback.quirks.idTokenClaims["tid"] = .string(Self.other)
    #expect(await check(bench) == .issuer)
  }

  @Test(arguments: [
    (tenant, "/{tenantid}/v2.0"), (tenant, "/\(other)/v2.0"), ("organizations", "/\(tenant)/v2.0"),
    ("contoso.onmicrosoft.com", "/{tenantid}/v2.0"), ("contoso.onmicrosoft.com", "/x/v2.0"),
    ("common", "/{tenantid}/v1.0"),
  ])
  func `metadata of another issuer is refused`(authority: String, path: String) async throws {
    let bench = try await bench(authority, allowing: nil)
    bench.loopback.quirks.metadata["issuer"] = .string(bench.loopback.entraEndpoint + path)
    #expect(await check(bench) == .issuer)
    bench.loopback.quirks.metadata["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0"
    #expect(await check(bench) == .issuer, "a template of another host")
  }

  private func naming(_ key: JSON, _ issuer: JSON) -> JSON {
    guard case .object(var members) = key else { return key }
    members["issuer"] = issuer
    return .object(members)
  }

  @Test func `a key signs for the issuer that it names`() async throws {
    let bench = try await bench("organizations", allowing: nil)
    guard case .object(let set)? = bench.loopback.quirks.keySet, case .array(let keys)? = set["keys"] else {
      throw ProviderBench.NoSession()
    }
    let foreign = JSON.string("\(bench.loopback.entraEndpoint)/\(Self.other)/v2.0")
    bench.loopback.quirks.keySet = .object(["keys": .array(keys.map { naming($0, foreign) })])
    #expect(await check(bench) == .signature)
  }

  @Test(
    arguments: [
      ("bad_token", true), ("user_account_deleted", true), (nil, true), ("basic_action", false),
      ("consent_required", false),
      ("user_password_expired", false), ("never_heard_of", false),
    ] as [(String?, Bool)])
  func `the suberror of a refused refresh determines its meaning`(suberror: String?, ends: Bool) async throws {
    let bench = try await bench(Self.tenant)
    let session = try await bench.signedIn()
    let member = suberror.map { #""suberror":"\#($0)","# } ?? ""
    bench.loopback.set(
      .body(
        #"{"error":"invalid_grant",\#(member)"error_codes":[50076],"error_description":"AADSTS50076: canary"}"#,
        status: 400, contentType: "application/json"), on: .token)
    let error = await failure { try await bench.provider().refresh(session) }
    #expect(error == (ends ? .sessionRejected : .insufficientUserAuthentication))
    #expect((error?.disposition == .endsSession) == ends)
    #expect(error.map { "\($0)" }?.contains("canary") == false)
  }

  @Test func `a code on another device that is declined is`() async throws {
    let bench = try await bench(Self.tenant)
    bench.loopback.set(.error("authorization_declined", status: 400), on: .token)
    let provider = try bench.provider()
    let call = Task { await failure { try await provider.signIn(with: DeviceSignIn { _ in }) } }
    await bench.clock.waitForSleepers()
    bench.clock.advance(by: .seconds(5))
    #expect(await call.value == .declined)
  }

  private static let impossible: [(String, Set<String>?, String)] = [
    ("organizations", [], "login.microsoftonline.com"), ("common", [], "login.microsoftonline.com"),
    ("common", ["contoso.com"], "login.microsoftonline.com"), ("not a domain", [], "login.microsoftonline.com"),
    (tenant, [], "login.example.com"), (tenant, [], "evil.example/.ciamlogin.com"),
    ("", [], "login.microsoftonline.us"),
  ]

  @Test(arguments: impossible)
  func `a tenant or host that cannot work, or would let anyone in, is refused when the app is composed`(
    tenant: String, allowed: Set<String>?, host: String
  ) {
    let client = OpenIDClient.entra(tenant: tenant, clientID: "app", allowedTenants: allowed, host: host)
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) { try MainRoot(.openIDConnect(client)) }
  }

  @Test func `a resource is named by a scope alone`() {
    var client = OpenIDClient.entra(tenant: Self.tenant, clientID: "app")
    client.resources = ["api://notes"]
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) { try MainRoot(.openIDConnect(client)) }
  }

  @Test func `clouds and External ID have hosts of their own`() {
    let external = OpenIDClient.entra(tenant: Self.tenant, clientID: "app", host: "contoso.ciamlogin.com")
    #expect(external.issuer == "https://contoso.ciamlogin.com/\(Self.tenant)/v2.0")
    let issuer = "https://\(Self.tenant).ciamlogin.com/\(Self.tenant)/v2.0"
    #expect(external.dialect.tenants?.isIssuer(issuer) == true)
    #expect(external.dialect.tenants?.accepts(issuer, of: Self.tenant, in: issuer) == true)
    #expect(external.dialect.tenants?.isIssuer(external.issuer) == false)
    let cloud = OpenIDClient.entra(tenant: "Contoso.com", clientID: "app", host: "login.microsoftonline.us")
    #expect(cloud.issuer == "https://login.microsoftonline.us/contoso.com/v2.0")
  }

  #if os(macOS) || os(Linux)
  @Test func `the browser returns to localhost, without a path`() throws {
    let expectation = CallbackExpectation(host: "localhost", port: 5_000, path: "", state: "s")
    let head = { (host: String) in "GET /?code=c&state=s HTTP/1.1\r\nHost: \(host):5000\r\n\r\n" }
    guard case .callback(let url, _) = expectation.verdict(on: head("localhost")) else {
      throw ProviderBench.NoSession()
    }
    #expect(url.absoluteString == "http://localhost:5000?code=c&state=s")
    #expect(try AuthorizationResponse(url).address == "http://localhost:5000")
    #expect(expectation.verdict(on: head("127.0.0.1")) == .refused(.otherHost))
    #expect(expectation.verdict(on: head("evil.example")) == .refused(.otherHost))
  }
  #endif
}
