import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationWorkload
import AuthenticationTesting
import AuthenticationTestingServers
import Crypto
import Foundation
import Testing

/// A key pair in the forms in which a client and an issuer hold it.
struct ServiceKey {
  private let key = P256.Signing.PrivateKey()

  var pem: Secret { Secret(key.pemRepresentation) }

  /// The public half, as the issuer has it registered.
  var registered: String {
    let point = key.publicKey.rawRepresentation
    return #"{"kty":"EC","crv":"P-256","x":"\#(text(point.prefix(32)))","y":"\#(text(point.suffix(32)))"}"#
  }

  /// A token that the platform with this key gives to a workload.
  func token(audience: String, at now: Date, lifetime: TimeInterval = 600, id: Int = 0) throws -> String {
    let time = now.timeIntervalSince1970.rounded(.down)
    let claims =
      #"{"iss":"https://platform.example.com","sub":"system:serviceaccount:reports:default","aud":"\#(audience)","#
      + #""iat":\#(time),"exp":\#(time + lifetime),"jti":"\#(id)"}"#
    let message = [#"{"alg":"ES256"}"#, claims].map { text(Data($0.utf8)) }.joined(separator: ".")
    return message + "." + text(try key.signature(for: Data(message.utf8)).rawRepresentation)
  }

  private func text(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}

/// An issuer that knows the client `app` as a service.
struct ServiceBench {
  let loopback: LoopbackOpenIDIssuer
  let clock = ManualClock()
  let transport: SystemHTTPClient
  let key = ServiceKey()
  let platform = ServiceKey()
  let folder = TemporaryFolder()
  var client: OpenIDClient

  init(_ change: (inout LoopbackOpenIDIssuer.Options) -> Void = { $0.clientSecret = "s3cret" }) async throws {
    var options = LoopbackOpenIDIssuer.Options()
    change(&options)
    if options.clientSecret == nil { options.clientKeys = [key.registered] }
    options.workload = LoopbackOpenIDIssuer.Workload(key: platform.registered)
    loopback = LoopbackOpenIDIssuer(options, clock: clock)
    transport = try SystemHTTPClient()
    client = OpenIDClient(issuer: try await loopback.start(), clientID: "app")
    client.scopes = ["orders.read"]
    client.authentication =
      options.clientSecret == nil ? .privateKeyJWT(try SigningKey(pem: key.pem)) : .secret(Secret("s3cret"))
  }

  func tokens(
    grant: ServiceGrant = .clientCredentials, _ change: (inout ServiceTokens.Options) -> Void = { _ in }
  ) throws -> ServiceTokens {
    try ServiceTokens(client) {
      $0.grant = grant
      $0.transport = transport
      $0.clock = clock
      $0.backoff = Backoff(random: { 0.5 })
      $0.refreshPolicy = .onDemand
      change(&$0)
    }
  }

  /// The requests for tokens so far.
  var forms: [[String: String]] { loopback.requests(on: .token).map(\.form) }

  func api(_ tokens: ServiceTokens) throws -> some HTTPClient {
    transport.authorized(by: tokens, for: [try #require(Origin(loopback.url(.resource)))])
  }

  func get() -> HTTPRequest { HTTPRequest(.get, loopback.url(.resource)) }
}

func failure(_ call: () async throws -> some Sendable) async -> AuthenticationError? {
  do { _ = try await call() } catch { return error as? AuthenticationError }
  return nil
}

/// Tokens of a program without a user, over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct ServiceTokensTests {
  @Test func `a service gets one token for all callers, with its own credentials`() async throws {
    let bench = try await ServiceBench()
    let tokens = try bench.tokens()
    let values = try await withThrowingTaskGroup(of: AccessToken.self) { group in
      for _ in 0..<100 { group.addTask { try await tokens.validToken() } }
      return try await group.reduce(into: Set<AccessToken>()) { $0.insert($1) }
    }
    #expect(values.count == 1 && values.first?.scopes == ["orders.read"])
    #expect(bench.forms == [["grant_type": "client_credentials", "scope": "orders.read"]])
    #expect(bench.loopback.requests(on: .discovery).count == 1)
    #expect(try await tokens.validToken() == values.first)
    #expect(bench.forms.count == 1)
  }

  @Test func `a service proves itself with a key, and names resource and audience`() async throws {
    var bench = try await ServiceBench { $0.resources = ["https://orders.example.com", "billing"] }
    bench.client.resources = ["https://orders.example.com"]
    bench.client.audience = "billing"
    _ = try await bench.tokens().validToken()
    let form = try #require(bench.forms.first)
    #expect(form["resource"] == "https://orders.example.com" && form["audience"] == "billing")
    #expect(form["client_assertion"] != nil && form["client_secret"] == nil)
  }

  @Test func `an older server gets its token endpoint as the audience`() async throws {
    var bench = try await ServiceBench { $0.wantsTokenEndpointAsAudience = true }
    #expect(await failure { try await bench.tokens().validToken() } == .clientRejected)
    bench.client.authentication = .privateKeyJWT(try SigningKey(pem: bench.key.pem), audience: .tokenEndpoint)
    _ = try await bench.tokens().validToken()
  }

  @Test func `a wrong secret or key is the client's fault, and soon the issuer is not asked again`() async throws {
    for isKey in [true, false] {
      var bench = try await ServiceBench { $0.clientSecret = isKey ? nil : "s3cret" }
      bench.client.authentication =
        isKey ? .privateKeyJWT(try SigningKey(pem: ServiceKey().pem)) : .secret(Secret("canary"))
      let tokens = try bench.tokens { $0.share(in: bench.folder.url) }
      for _ in 0..<5 { #expect(await failure { try await tokens.validToken() } == .clientRejected) }
      #expect(bench.forms.count == 2)
      bench.clock.advance(by: .seconds(300))
      #expect(await failure { try await tokens.validToken() } == .clientRejected)
      #expect(bench.forms.count == 3)
      #expect(try await tokens.storedToken() == nil)
    }
  }

  @Test func `a clock that is off by an hour is told, and not a wrong key`() async throws {
    var bench = try await ServiceBench { _ in }
    let key = try SigningKey(pem: bench.key.pem)
    for offset in [3_600, -3_600] {
      bench.loopback.quirks.clockOffset = .seconds(offset)
      for isGrant in [true, false] {
        bench.client.authentication = isGrant ? .none : .privateKeyJWT(key)
        let grant = isGrant ? ServiceGrant.signedJWT(key) : .clientCredentials
        let error = await failure { try await bench.tokens(grant: grant).validToken() }
        #expect(error == .clockSkewed && error?.clockOffset == .seconds(-offset))
      }
    }
  }

  @Test func `an ID token and a refresh token in the response are ignored`() async throws {
    let bench = try await ServiceBench()
    bench.loopback.quirks.tokenAnswer = ["id_token": "no.such.token", "refresh_token": "r"]
    let tokens = try bench.tokens()
    _ = try await tokens.validToken()
    bench.clock.advance(by: .seconds(400))
    _ = try await tokens.validToken()
    #expect(bench.forms.map { $0["grant_type"] } == ["client_credentials", "client_credentials"])
  }

  @Test func `a token is replaced a share of its lifetime before it expires`() async throws {
    let bench = try await ServiceBench()
    let tokens = try bench.tokens()
    let first = try await tokens.validToken()
    bench.clock.advance(by: .seconds(239))
    #expect(try await tokens.validToken() == first)
    bench.clock.advance(by: .seconds(2))
    #expect(try await tokens.validToken() != first)
    bench.loopback.quirks.tokenAnswer = ["expires_in": 40]
    bench.clock.advance(by: .seconds(300))
    let short = try await tokens.validToken()
    bench.clock.advance(by: .seconds(29))
    #expect(try await tokens.validToken() == short)
    bench.clock.advance(by: .seconds(2))
    #expect(try await tokens.validToken() != short)
  }

  @Test func `a token in use is replaced in the background, and no caller waits`() async throws {
    let bench = try await ServiceBench()
    let policy = try RefreshPolicy(earlyWindow: 0.2...0.2)
    let tokens = try bench.tokens { $0.refreshPolicy = policy }
    let first = try await tokens.validToken()
    bench.clock.advance(by: .seconds(181))
    bench.loopback.hold(.token)
    #expect(try await tokens.validToken() == first)
    await bench.loopback.waitForRequest(on: .token, count: 2)
    #expect(try await tokens.validToken() == first)
    bench.loopback.release(.token)
    bench.clock.advance(by: .seconds(70))
    #expect(try await tokens.validToken() != first)
    #expect(bench.forms.count == 2)
  }

  @Test func `a token without a lifetime is not kept`() async throws {
    let bench = try await ServiceBench()
    bench.loopback.quirks.tokenAnswer = ["expires_in": .absent]
    let tokens = try bench.tokens { $0.share(in: bench.folder.url) }
    let first = try await tokens.validToken()
    #expect(try await tokens.validToken() != first)
    #expect(bench.forms.count == 2)
    #expect(try await tokens.storedToken() == nil)
  }

  @Test func `an outage leaves a valid token in use, and ends by itself`() async throws {
    let bench = try await ServiceBench()
    let tokens = try bench.tokens()
    let first = try await tokens.validToken()
    bench.loopback.set(.error("server_error", status: 500), on: .token)
    bench.clock.advance(by: .seconds(250))
    #expect(try await tokens.validToken() == first)
    bench.clock.advance(by: .seconds(60))
    #expect(await failure { try await tokens.validToken() } == .serverFailed)
    bench.loopback.set(nil, on: .token)
    bench.clock.advance(by: .seconds(300))
    #expect(try await tokens.validToken() != first)
  }

  @Test func `a caller that leaves ends no request of the others`() async throws {
    let bench = try await ServiceBench()
    let tokens = try bench.tokens()
    bench.loopback.hold(.token)
    let (leaving, staying) = (Task { try await tokens.validToken() }, Task { try await tokens.validToken() })
    await bench.loopback.waitForRequest(on: .token)
    leaving.cancel()
    #expect(await failure { try await leaving.value } == .cancelled)
    bench.loopback.release(.token)
    _ = try await staying.value
    #expect(bench.forms.count == 1)
  }

  @Test func `a resource that refuses the token gets a new one, once`() async throws {
    let bench = try await ServiceBench()
    let tokens = try bench.tokens()
    let api = try bench.api(tokens)
    #expect(try await api.send(bench.get()).status == 200)
    bench.loopback.revokeAllAccessTokens()
    #expect(try await api.send(bench.get()).status == 200)
    #expect(bench.forms.count == 2 && bench.loopback.requests(on: .resource).count == 3)
    bench.loopback.set(
      .body("{}", status: 401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""]), on: .resource)
    // Now the token has just replaced a refused one: another would not help.
    #expect(try await api.send(bench.get()).status == 401)
    #expect(bench.forms.count == 2)
    bench.clock.advance(by: .seconds(11))
    #expect(try await api.send(bench.get()).status == 401)
    #expect(bench.forms.count == 3)
  }

  @Test func `a refused token is returned to no caller, also while the issuer is down`() async throws {
    let bench = try await ServiceBench()
    let tokens = try bench.tokens { $0.share(in: bench.folder.url) }
    let first = try await tokens.validToken()
    bench.loopback.set(.error("server_error", status: 500), on: .token)
    #expect(await failure { try await tokens.validToken(rejecting: first) } == .serverFailed)
    #expect(await failure { try await tokens.validToken() } == .serverFailed)
    bench.loopback.set(nil, on: .token)
    bench.clock.advance(by: .seconds(300))
    #expect(try await tokens.validToken() != first)
  }

  @Test func `a token goes to no other origin`() async throws {
    let bench = try await ServiceBench()
    let api = bench.transport.authorized(by: try bench.tokens(), for: ["https://orders.example.com"])
    #expect(await failure { try await api.send(bench.get()) } == .originNotAllowed)
    #expect(bench.loopback.allRequests.isEmpty)
  }

  @Test func `services that share a folder make one request for each set of scopes`() async throws {
    var bench = try await ServiceBench()
    let folder = bench.folder.url
    func share(_ options: inout ServiceTokens.Options) {
      options.share(in: folder)
      // They wait for each other.
      options.clock = SystemClock()
    }
    let sharing = try (0..<8).map { _ in try bench.tokens(share) }
    let values = try await withThrowingTaskGroup(of: AccessToken.self) { group in
      for tokens in sharing { group.addTask { try await tokens.validToken() } }
      return try await group.reduce(into: Set<AccessToken>()) { $0.insert($1) }
    }
    #expect(values.count == 1 && bench.forms.count == 1)
    // One that a resource has refused is replaced once for all of them.
    let next = try await sharing[0].validToken(rejecting: values.first)
    #expect(try await sharing[1].validToken(rejecting: values.first) == next && bench.forms.count == 2)
    bench.client.scopes = ["orders.write"]
    let others = try bench.tokens(share)
    #expect(try await others.validToken().scopes == ["orders.write"])
    #expect(bench.forms.count == 3)
  }

  @Test func `a stored token that cannot be read is replaced`() async throws {
    let bench = try await ServiceBench()
    let first = try await bench.tokens { $0.share(in: bench.folder.url) }.validToken()
    let files = try FileManager.default.contentsOfDirectory(at: bench.folder.url, includingPropertiesForKeys: nil)
    for file in files where !file.lastPathComponent.hasPrefix(".") { try Data("broken".utf8).write(to: file) }
    #expect(try await bench.tokens { $0.share(in: bench.folder.url) }.validToken() != first)
    #expect(bench.forms.count == 2)
  }

  @Test func `revoking forgets the token here, and ends it there`() async throws {
    let bench = try await ServiceBench()
    let tokens = try bench.tokens { $0.share(in: bench.folder.url) }
    let first = try await tokens.validToken()
    try await tokens.revoke()
    #expect(try await tokens.storedToken() == nil)
    #expect(bench.loopback.requests(on: .revocation).last?.form["token"] == first.value.reveal())
    #expect(try await tokens.validToken() != first)
  }

  @Test func `nothing that is printed holds a secret or a token`() async throws {
    let bench = try await ServiceBench()
    let tokens = try bench.tokens()
    let token = try await tokens.validToken()
    var text = ""
    dump(tokens, to: &text, maxDepth: 12)
    text += "\(tokens) \(String(reflecting: tokens))"
    #expect(!text.contains("s3cret") && !text.contains(token.value.reveal()))
  }

  @Test func `tokens that are bound to a key are refused when the service is made`() async throws {
    var bench = try await ServiceBench()
    bench.client.bindsTokens = true
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) { try bench.tokens() }
  }
}

/// A platform's token in place of a secret.
@Suite(.timeLimit(.minutes(10))) struct WorkloadTokenTests {
  private func write(_ text: String, _ bench: ServiceBench) throws -> String {
    let file = bench.folder.url.appending(path: "token")
    try Data(text.utf8).write(to: file)
    return file.path
  }

  @Test func `a file that the platform replaces is read for each request`() async throws {
    let bench = try await ServiceBench { _ in }
    let (issuer, platform) = (bench.loopback.identifier, bench.platform)
    let first = try platform.token(audience: issuer, at: bench.clock.now, id: 1)
    let path = try write(first + "\n", bench)
    let tokens = try bench.tokens(grant: .jwtBearer(.file(path)))
    _ = try await tokens.validToken()
    bench.clock.advance(by: .seconds(700))
    let second = try platform.token(audience: issuer, at: bench.clock.now, id: 2)
    _ = try write(second, bench)
    _ = try await tokens.validToken()
    #expect(bench.forms.map { $0["assertion"] } == [first, second])
    #expect(Set(bench.forms.map { $0["grant_type"] }) == ["urn:ietf:params:oauth:grant-type:jwt-bearer"])
  }

  @Test func `a platform's token that has expired is refused without a second try`() async throws {
    let bench = try await ServiceBench { _ in }
    let path = try write(
      bench.platform.token(audience: bench.loopback.identifier, at: bench.clock.now, lifetime: -1), bench)
    for grant in [ServiceGrant.jwtBearer(.file(path)), .federatedCredentials(.file(path))] {
      let error = await failure { try await bench.tokens(grant: grant).validToken() }
      #expect(error == .clientRejected)
    }
    #expect(bench.forms.count == 2)
  }

  @Test func `a platform's token takes the place of the client's secret`() async throws {
    var bench = try await ServiceBench { _ in }
    bench.client.authentication = .none
    let token = try bench.platform.token(audience: bench.loopback.identifier, at: bench.clock.now)
    _ = try await bench.tokens(grant: .federatedCredentials(.file(write(token, bench)))).validToken()
    let form = try #require(bench.forms.first)
    #expect(form["client_assertion"] == token && form["client_id"] == "app")
    #expect(form["grant_type"] == "client_credentials")
  }

  @Test func `a job of GitHub Actions asks for its token each time`() async throws {
    let bench = try await ServiceBench { _ in }
    let token = try bench.platform.token(audience: bench.loopback.identifier, at: bench.clock.now)
    bench.loopback.set(.body(#"{"count":1,"value":"\#(token)"}"#), on: .resource)
    let job = [
      "ACTIONS_ID_TOKEN_REQUEST_URL": bench.loopback.url(.resource).absoluteString + "?api-version=2.0",
      "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "canary",
    ]
    let source = try WorkloadToken.gitHubActions(audience: bench.loopback.identifier, environment: job)
    let tokens = try bench.tokens(grant: .jwtBearer(source))
    _ = try await tokens.validToken()
    bench.clock.advance(by: .seconds(400))
    _ = try await tokens.validToken()
    let requests = bench.loopback.requests(on: .resource)
    #expect(requests.count == 2)
    #expect(requests.first?.parameters == ["api-version": "2.0", "audience": bench.loopback.identifier])
    #expect(requests.first?.header("Authorization") == "Bearer canary")
    bench.clock.advance(by: .seconds(400))
    bench.loopback.set(.body("{}", status: 403), on: .resource)
    let error = await failure { try await tokens.validToken() }
    #expect(error == .invalidConfiguration && error?.message.contains("403") == true)
    #expect(error?.message.contains("canary") == false)
  }

  @Test func `a job without the permission is told which it lacks`() {
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try WorkloadToken.gitHubActions(audience: nil, environment: [:])
    }
  }

  @Test(arguments: ["", "\n", "two words", String(repeating: "a", count: 70_000)])
  func `a file without a token is told by its path, and nothing is sent`(text: String) async throws {
    let bench = try await ServiceBench { _ in }
    let path = try write(text, bench)
    let error = await failure { try await bench.tokens(grant: .jwtBearer(.file(path))).validToken() }
    #expect(error == .invalidConfiguration && error?.message.contains(path) == true)
    let missing = await failure { try await bench.tokens(grant: .jwtBearer(.file(path + "-none"))).validToken() }
    #expect(missing == .invalidConfiguration)
    #expect(bench.forms.isEmpty)
  }

  @Test func `a JWT that is signed here is the grant, about an account that the client acts for`() async throws {
    var bench = try await ServiceBench { _ in }
    bench.client.authentication = .none
    let key = try SigningKey(pem: bench.key.pem)
    let grant = ServiceGrant.signedJWT(key, keyID: "1", subject: "robot", claims: ["scope": "orders.read"])
    _ = try await bench.tokens(grant: grant).validToken()
    let form = try #require(bench.forms.first)
    let claims = try #require(form["assertion"].flatMap { JSONMembers(unverified: Secret($0)) })
    #expect(claims["iss"] == "app" && claims["sub"] == "robot" && claims["aud"] == bench.loopback.identifier)
    #expect(claims["scope"] == "orders.read" && form["client_assertion"] == nil)
    let wrong = ServiceGrant.signedJWT(try SigningKey(pem: ServiceKey().pem))
    #expect(await failure { try await bench.tokens(grant: wrong).validToken() } == .clientRejected)
  }
}
