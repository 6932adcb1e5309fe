import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Synchronization
import Testing
import VendorServers

@testable import AuthenticationOpenID

/// Several access tokens from one sign-in, at an issuer on this machine (RFC 8707).
@Suite(.timeLimit(.minutes(10))) struct ResourceTests {
  private static let orders = ProtectedResource.resource("https://orders.example.com")
  private static let bills = ProtectedResource.resource("https://bills.example.com/v1", scopes: ["bills.read"])

  private func bench(
    _ naming: LoopbackOpenIDIssuer.ResourceNaming = .indicator,
    knowing resources: [ProtectedResource] = [orders, bills]
  ) async throws -> ProviderBench {
    try await ProviderBench { options in
      options.resources = Set(resources.compactMap(\.indicator))
      options.resourceNaming = naming
    }
  }

  /// An API on each origin, which returns the token that it got.
  private let apis = ScriptedHTTPClient { request in
    .success(.scripted(200, request.headers["Authorization"] ?? ""))
  }

  private func root(
    _ bench: ProviderBench, _ resources: [ProtectedResource] = [orders, bills]
  ) async throws -> MainRoot {
    let declared = resources.map { ($0, Set([Origin(URL(string: $0.indicator ?? "https://api.example.com")!)!])) }
    let root = try bench.root(resources: Dictionary(uniqueKeysWithValues: declared), apiTransport: apis)
    _ = try await root.useCase.signIn(with: BrowserSignIn())
    return root
  }

  private func audience(of session: AuthSession) -> [String]? {
    IDTokenParties(unverified: session.accessToken.value)?.audiences
  }

  @Test func `the sign-in asks for all, and each API gets a token for itself alone`() async throws {
    let bench = try await bench()
    let root = try await root(bench)
    let page = try #require(bench.loopback.requests(on: .authorization).last?.query)
    #expect(page.contains("resource=https%3A%2F%2Forders.example.com"))
    #expect(page.contains("resource=https%3A%2F%2Fbills.example.com%2Fv1") && page.contains("bills.read"))
    #expect(bench.loopback.tokenRequests(for: "authorization_code").first?.form["resource"] == nil)

    let request = HTTPRequest(.get, URL(string: "https://orders.example.com/1")!)
    let response = try await root.apiClient(for: Self.orders).send(request)
    let session = try await root.manager.validSession(for: Self.orders)
    #expect(String(decoding: response.body, as: UTF8.self) == "Bearer \(session.accessToken.value.reveal())")
    #expect(audience(of: session) == ["https://orders.example.com"])
    #expect(audience(of: try await root.manager.validSession(for: Self.bills)) == ["https://bills.example.com/v1"])
    #expect(audience(of: try await root.manager.validSession()) == [bench.loopback.identifier])
    let refreshes = bench.loopback.tokenRequests(for: "refresh_token").map(\.form)
    #expect(refreshes.map { $0["resource"] } == ["https://orders.example.com", "https://bills.example.com/v1"])
    #expect(refreshes.map { $0["scope"] } == [nil, "bills.read"])
    #expect(Set(refreshes.map { $0["refresh_token"] }).count == 2 && bench.loopback.counters.reusesDetected == 0)
  }

  @Test func `no token goes to the origin of another API`() async throws {
    let root = try await root(try await bench())
    for url in ["https://bills.example.com/1", "https://evil.example", "http://orders.example.com/1"] {
      let request = HTTPRequest(.get, URL(string: url)!)
      #expect(
        await failure { try await root.apiClient(for: Self.orders).send(request) } == .originNotAllowed, "\(url)")
    }
    let request = HTTPRequest(.get, URL(string: "https://orders.example.com/1")!)
    #expect(await failure { try await root.apiClient.send(request) } == .originNotAllowed, "nor the session's own")
    #expect(apis.requests.isEmpty)
    #expect(throws: AuthenticationError.invalidConfiguration) { try root.apiClient(for: .scopes(["openid"])) }
  }

  @Test func `an API refuses its token: it alone is replaced, once`() async throws {
    let bench = try await bench()
    let api = RefusingAPI()
    let log = ScriptedHTTPClient { .success(api.answer($0)) }
    let calls = Log()
    let root = try bench.root(
      resources: [Self.orders: ["https://orders.example.com"]], apiTransport: log,
      apiDecorator: { LoggingHTTPClient(upstream: $0, calls: calls) })
    _ = try await root.useCase.signIn(with: BrowserSignIn())
    let own = try await root.manager.validSession()
    let response = try await root.apiClient(for: Self.orders).send(
      HTTPRequest(.get, URL(string: "https://orders.example.com/1")!))
    #expect(response.status == 200 && log.requests.count == 2)
    #expect(calls.lines == ["/1"])
    #expect(bench.loopback.tokenRequests(for: "refresh_token").count == 2)
    #expect(try await root.manager.validSession().accessToken == own.accessToken)
  }

  /// A decorator of an app.
  private struct LoggingHTTPClient: HTTPClient {
    let upstream: any HTTPClient
    let calls: Log

    func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
      calls.append(request.url.path())
      return try await upstream.send(request)
    }
  }

  /// Refuses the first token that it sees.
  private final class RefusingAPI: Sendable {
    private let first = Mutex<String?>(nil)

    func answer(_ request: HTTPRequest) -> HTTPResponse {
      let token = request.headers["Authorization"] ?? ""
      let isFirst = first.withLock { first in
        if first == nil { first = token }
        return first == token
      }
      guard isFirst else { return .scripted(200, token) }
      return HTTPResponse(status: 401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
    }
  }

  @Test func `a resource that the issuer does not know is refused, and the session is kept`() async throws {
    let bench = try await bench()
    let root = try await root(bench)
    bench.loopback.set(.error("invalid_target"), on: .token)
    let error = await failure { try await root.manager.validSession(for: Self.orders) }
    #expect(error == .resourceRefused && error?.providerCode == "invalid_target")
    #expect(root.manager.state.activeSession?.freshness == .fresh)
  }

  @Test(arguments: [LoopbackOpenIDIssuer.ResourceNaming.indicator, .audience])
  func `a token for something else than was asked is refused, and the refresh token that came with it is used`(
    naming: LoopbackOpenIDIssuer.ResourceNaming
  ) async throws {
    var bench = try await bench(naming)
    if naming == .audience { bench.client.dialect.resourceNaming = .audience }
    let root = try await root(bench)
    bench.loopback.quirks.ignoresResources = true
    #expect(await failure { try await root.manager.validSession(for: Self.orders) } == .resourceRefused)
    bench.loopback.quirks.ignoresResources = false
    bench.clock.advance(by: .seconds(120))
    _ = try? await root.manager.validSession(for: Self.orders)
    #expect(audience(of: try await root.manager.validSession(for: Self.orders)) == ["https://orders.example.com"])
    #expect(bench.loopback.counters.reusesDetected == 0)
    let name = naming == .audience ? "audience" : "resource"
    let refreshes = bench.loopback.tokenRequests(for: "refresh_token").map(\.form)
    #expect(refreshes.allSatisfy { $0[name] == "https://orders.example.com" })
  }

  @Test func `an issuer that ignores an audience it does not know gives no token that is used`() async throws {
    var bench = try await bench(.audience, knowing: [Self.orders])
    bench.client.dialect.resourceNaming = .audience
    let root = try await root(bench)
    #expect(await failure { try await root.manager.validSession(for: Self.bills) } == .resourceRefused)
    #expect(try await root.manager.validSession().user.id == "248289761001")
  }

  @Test func `scopes that shrink are refused`() async throws {
    let bench = try await bench()
    let root = try await root(bench)
    bench.loopback.quirks.refreshAnswer = ["scope": "openid"]
    #expect(await failure { try await root.manager.validSession(for: Self.bills) } == .resourceRefused)
    #expect(root.manager.state.session != nil)
  }

  @Test func `an audience may be an address above the resource`() async throws {
    let bench = try await bench()
    let root = try await root(bench)
    for (audience, isRefused) in [
      ("https://bills.example.com", false), ("https://bills.example.com/", false),
      ("https://bills.example.com/v", true),
      ("https://bills.example", true), ("https://orders.example.com", true),
    ] {
      let token = try #require(Self.unsigned(audience))
      bench.loopback.quirks.refreshAnswer = ["access_token": .string(token), "expires_in": 1]
      bench.clock.advance(by: .seconds(120))
      let error = await failure { try await root.manager.validSession(for: Self.bills) }
      #expect((error == .resourceRefused) == isRefused, "\(audience): \(error.map { "\($0)" } ?? "accepted")")
      bench.clock.advance(by: .seconds(600))
    }
  }

  private static func unsigned(_ audience: String) -> String? {
    let claims = Data(#"{"aud":"\#(audience)"}"#.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return "e30.\(claims).e30"
  }

  @Test func `fewer rights than the session's own, by scopes alone`() async throws {
    let bench = try await ProviderBench()
    let narrow = ProtectedResource.scopes(["email"])
    let root = try await root(bench, [narrow])
    let session = try await root.manager.validSession(for: narrow)
    #expect(session.accessToken.scopes == ["email"])
    let form = try #require(bench.loopback.tokenRequests(for: "refresh_token").last?.form)
    #expect(form["scope"] == "email" && form["resource"] == nil)
    #expect(try await root.manager.validSession().accessToken.scopes.count > 1)
  }

  private func entra(_ scopes: [String], of resources: [String]) async throws -> ProviderBench {
    let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    var bench = try await ProviderBench {
      $0 = .entra(authority: tenant)
      $0.resources = Set(resources)
      $0.resourceNaming = .scopes
    }
    bench.loopback.speakAsEntra(tenant: tenant)
    bench.client = .entra(tenant: tenant, clientID: "app", endpoint: bench.loopback.entraEndpoint)
    bench.client.scopes = scopes
    bench.client.presenter = bench.browser
    bench.client.redirect = .address("com.example.app:/callback")
    return bench
  }

  @Test func `at Entra each token request names one resource by its scopes`() async throws {
    let scopes = ["openid", "profile", "offline_access", "api://notes/Read", "api://bills/Read"]
    let bench = try await entra(scopes, of: ["api://notes", "api://bills", "api://mail"])
    let resources: [ProtectedResource] = [.resource("api://bills"), .resource("api://mail")]
    let origins: [ProtectedResource: Set<Origin>] = [
      resources[0]: ["https://bills.example.com"], resources[1]: ["https://mail.example.com"],
    ]
    let root = try bench.root(resources: origins, apiTransport: apis)
    _ = try await root.useCase.signIn(with: BrowserSignIn())
    for resource in resources { _ = try await root.manager.validSession(for: resource) }
    bench.clock.advance(by: .seconds(4_000))
    _ = try await root.manager.validSession()
    let page = try #require(bench.loopback.requests(on: .authorization).last?.query)
    #expect(!page.contains("resource=") && page.contains("api%3A%2F%2Fbills%2FRead"))
    let requests = bench.loopback.requests(on: .token).map { $0.form["scope"] ?? "" }
    let own = "openid profile offline_access "
    #expect(
      requests == [
        own + "api://notes/Read", own + "api://bills/Read", own + "api://mail/.default", own + "api://notes/Read",
      ])
  }

  @Test func `at Entra a token whose scopes are of another API is refused`() async throws {
    let bench = try await entra(["openid", "offline_access", "api://notes/Read"], of: ["api://notes", "api://mail"])
    let mail = ProtectedResource.resource("api://mail")
    let root = try bench.root(resources: [mail: ["https://mail.example.com"]], apiTransport: apis)
    _ = try await root.useCase.signIn(with: BrowserSignIn())
    bench.loopback.quirks.refreshAnswer = ["scope": "api://notes/Read"]
    #expect(await failure { try await root.manager.validSession(for: mail) } == .resourceRefused)
    bench.loopback.quirks.refreshAnswer = ["scope": "openid Read api://mail/Read"]
    bench.clock.advance(by: .seconds(60))
    _ = try? await root.manager.validSession(for: mail)
    #expect(try await root.manager.validSession(for: mail).user.id == "248289761001")
  }

  @Test func `at Entra scopes that an API asks for come with the code, and with each refresh`() async throws {
    let bench = try await entra(["openid", "offline_access", "api://notes/Read"], of: ["api://notes"])
    let more = BrowserSignIn(SignInHints(requirements: AuthenticationRequirements(scopes: ["api://notes/Write"])))
    let session = try await bench.signedIn(more)
    _ = try await bench.provider().refresh(session)
    let requests = bench.loopback.requests(on: .token).map { $0.form["scope"] ?? "" }
    let all = "openid offline_access api://notes/Read api://notes/Write"
    #expect(requests == [all, all])
  }

  @Test func `at Entra a consent that is missing for one API concerns only that`() async throws {
    let bench = try await entra(["openid", "offline_access", "api://notes/Read"], of: ["api://notes", "api://mail"])
    let mail = ProtectedResource.resource("api://mail")
    let root = try bench.root(resources: [mail: ["https://mail.example.com"]], apiTransport: apis)
    _ = try await root.useCase.signIn(with: BrowserSignIn())
    let body = #"{"error":"invalid_grant","suberror":"consent_required","error_description":"AADSTS65001"}"#
    bench.loopback.set(.body(body, status: 400), on: .token)
    #expect(await failure { try await root.manager.validSession(for: mail) } == .insufficientUserAuthentication)
    #expect(root.manager.state.activeSession?.needsInteraction == false)
    #expect(root.manager.state.activeSession?.freshness == .fresh)
  }

  @Test func `rights that an API asks for come by one more page, beside those that were granted`() async throws {
    let bench = try await ProviderBench()
    let asked = Log()
    let root = try bench.root { requirements in
      asked.append(requirements.scopes.joined(separator: " "))
      return BrowserSignIn(SignInHints(requirements: requirements))
    }
    _ = try await root.useCase.signIn(with: BrowserSignIn())
    let request = HTTPRequest(.get, bench.loopback.url(.scopedResource))
    #expect(try await root.apiClient.send(request).status == 200)
    #expect(asked.lines == ["openid profile email offline_access notes:write"])
    #expect(bench.browser.pages.count == 2)
    #expect(root.manager.state.session?.accessToken.scopes.contains("notes:write") == true)
    #expect(try await root.apiClient.send(request).status == 200)
    #expect(bench.browser.pages.count == 2)
    await root.manager.deliverRevocations()
    #expect(bench.loopback.requests(on: .revocation).allSatisfy { $0.form["token_type_hint"] == "access_token" })
  }

  @Test func `a user who declines more rights keeps the session`() async throws {
    let bench = try await ProviderBench()
    let root = try bench.root { BrowserSignIn(SignInHints(requirements: $0)) }
    let user = try await root.useCase.signIn(with: BrowserSignIn())
    bench.loopback.user = .declines
    let request = HTTPRequest(.get, bench.loopback.url(.scopedResource))
    #expect(await failure { try await root.apiClient.send(request) } == .declined)
    #expect(root.manager.state.user == user && root.manager.state.activeSession?.freshness == .fresh)
    #expect(try await root.apiClient.send(HTTPRequest(.get, bench.loopback.url(.resource))).status == 200)
  }

  @Test func `the claims that a resource wants are merged with the claims that the app requests`() async throws {
    var bench = try await ProviderBench()
    bench.client.parameters["claims"] = #"{"access_token":{"xms_cc":{"values":["cp1"]}},"id_token":{"acr":null}}"#
    let requirements = AuthenticationRequirements(claims: #"{"access_token":{"nbf":{"value":"1"}}}"#)
    _ = try await bench.signedIn(BrowserSignIn(SignInHints(requirements: requirements)))
    let query = try #require(
      bench.browser.pages.first.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) })
    let claims = query.queryItems?.first { $0.name == "claims" }?.value
    #expect(
      claims
        == #"{"access_token":{"nbf":{"value":"1"},"xms_cc":{"values":["cp1"]}},"id_token":{"acr":null}}"#)
  }

  @Test func `Entra's page is asked for one thing at a time`() async throws {
    let bench = try await entra(["openid"], of: [])
    let both = BrowserSignIn(SignInHints(prompt: ["select_account", "consent"]))
    #expect(await failure { try await bench.signedIn(both) } == .invalidRequest)
    #expect(bench.browser.pages.isEmpty)
  }

  @Test func `resources that cannot be named are refused when the app is composed`() async throws {
    let bench = try await ProviderBench()
    let many = (0..<17).map { ProtectedResource.resource("https://\($0).example.com") }
    for wrong in [[.resource("")], [.resource("a b")], [.scopes([])], [.resource("orders")], many]
      as [[ProtectedResource]]
    {
      let declared = Dictionary(uniqueKeysWithValues: wrong.map { ($0, Set<Origin>()) })
      #expect(throws: AuthenticationError.invalidConfiguration) { try bench.root(resources: declared) }
    }
    #expect(throws: AuthenticationError.invalidConfiguration) {
      try bench.root(resources: [Self.orders: ["http://orders.example.com"]])
    }
  }
}
