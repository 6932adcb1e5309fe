#if os(macOS) || os(Linux)
import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@testable import AuthenticationResources

/// A secret goes to the server that it belongs to, and to none that a document names besides.
@Suite(.timeLimit(.minutes(10))) struct ResourceSecretTests {
  static let client = "https://configured.example.com/client.json"

  @Test(arguments: [true, false], [true, false])
  func `a configured secret is not sent to a server that the resource names`(
    isDevice: Bool, hasMetadata: Bool
  ) async throws {
    let trusted = try await ResourceBench()
    let bench = try await ResourceBench {
      $0.takesMetadataDocuments = true
      $0.offersDevice = true
      ($0.hasMetadata, $0.namesMetadata) = (hasMetadata, hasMetadata)
    }
    let root = try bench.root {
      $0.clientID = Self.client
      $0.clientSecret = Secret("canary-configured")
      $0.issuer = trusted.origin
    }
    let error = await #expect(throws: AuthenticationError.self) {
      let device = DeviceSignIn { _ in bench.server.approveDevice() }
      if isDevice { try await root.useCase.signIn(with: device) } else { try await root.signIn() }
    }
    #expect(error == .security && error?.message.contains("the configured issuer") == true, "\(error?.message ?? "")")
    #expect(bench.server.traffic.operations.allSatisfy { $0?.hasPrefix("resource") ?? true })
    #expect(trusted.server.traffic.operations.isEmpty)
  }

  @Test func `of the servers that a resource names the configured one is taken`() async throws {
    let other = try await ResourceBench()
    let bench = try await ResourceBench {
      $0.takesMetadataDocuments = true
      $0.authenticationMethods = ["client_secret_post"]
    }
    bench.server.options.resourceMetadata = ["authorization_servers": [.string(other.origin), .string(bench.origin)]]
    let root = try bench.root {
      $0.clientID = Self.client
      $0.clientSecret = Secret("canary-configured")
      $0.issuer = bench.origin
    }
    try await root.signIn()
    bench.server.revokeAllAccessTokens()
    #expect(try await bench.call(root) == 200)
    for operation in ["token authorization_code", "token refresh_token"] {
      #expect(bench.fields(operation).map { $0["client_secret"] } == ["canary-configured"], "\(operation)")
    }
    #expect(other.server.traffic.operations.isEmpty)
    let stored = try #require(try bench.clients.storage.read("clients"))
    #expect(!String(decoding: stored, as: UTF8.self).contains("canary-configured"), "the app has it")
  }

  @Test func `a secret without an issuer, or without its client, is refused when the app is composed`() async throws {
    let bench = try await ResourceBench()
    let changes: [@Sendable (inout ProtectedResourceClient) -> Void] = [
      { ($0.clientID, $0.clientSecret) = ("app", Secret("s3cret")) },
      { $0.initialAccessToken = Secret("s3cret") },
      { ($0.clientSecret, $0.issuer) = (Secret("s3cret"), "https://id.example.com") },
      { $0.issuer = "id.example.com" },
      { $0.issuer = "https://id.example.com?x" },
    ]
    for change in changes {
      let error = #expect(throws: AuthenticationError.self) { try bench.root(change) }
      #expect(error == .invalidConfiguration)
    }
  }

  @Test func `an initial access token goes to the issuer's origin only`() async throws {
    let other = try await ResourceBench()
    let bench = try await ResourceBench()
    bench.server.options.serverMetadata = ["registration_endpoint": .string("\(other.origin)/register")]
    let change = { @Sendable (client: inout ProtectedResourceClient) in
      (client.initialAccessToken, client.issuer) = (Secret("canary-initial"), bench.origin)
    }
    let error = await #expect(throws: AuthenticationError.self) { try await bench.root(change).signIn() }
    #expect(error == .security && error?.message.contains("'registration_endpoint'") == true)
    #expect(other.server.traffic.operations.isEmpty)
    bench.server.options.serverMetadata = [:]
    try await bench.root(change).signIn()
    #expect(
      bench.server.traffic.requests(on: "register").map { $0.header("Authorization") } == ["Bearer canary-initial"])
  }

  @Test func `a registration token goes to the origin of the registration endpoint only`() async throws {
    let other = try await ResourceBench()
    let bench = try await ResourceBench()
    bench.server.options.registration = ["registration_client_uri": .string("\(other.origin)/register/client-1")]
    let root = try bench.root()
    try await root.signIn()
    try await bench.root().signIn()
    try await root.manager.signOut()
    #expect(try await !root.provider.forgetClientRegistrations())
    #expect(bench.registrations.count == 1 && other.server.traffic.operations.isEmpty)
  }

  enum Response: CaseIterable { case none, same, forgotten, outage, dropped }

  @Test(arguments: Response.allCases) func `a secret that has expired is never sent`(response: Response) async throws {
    let clock = ManualClock()
    let bench = try await ResourceBench(clock: clock) {
      $0.authenticationMethods = ["client_secret_post"]
      $0.secretLifetime = .seconds(3_600)
      if response == .none { $0.registration = ["registration_client_uri": nil] }
    }
    let root = try bench.root(options: { $0.backoff = Backoff(base: .zero, cap: .zero) })
    try await root.signIn()
    clock.advance(by: .seconds(3_700))
    let expired = try #require(try bench.clients.all().first)
    switch response {
    case .none: break
    case .same:
      let end = try #require(expired.secretExpiresAt).timeIntervalSince1970
      let body = """
        {"client_id":"\(expired.clientID)","client_secret":"\(expired.secret ?? "")","client_secret_expires_at":\(end)}
        """
      bench.server.traffic.set(.body(body), on: "registration GET")
    case .forgotten: bench.server.traffic.set(.body("{}", status: 401), on: "registration GET")
    case .outage: bench.server.traffic.set(.body("{}", status: 503), on: "registration GET")
    case .dropped: bench.server.traffic.set(.usual(.dropAfterProcessing), on: "registration GET")
    }
    let isUnclear = response == .outage || response == .dropped
    await #expect(throws: isUnclear ? AuthenticationError.unreachable : .sessionRejected) {
      try await bench.call(root)
    }
    #expect(root.currentUser == nil || isUnclear)
    try await root.manager.signOut()
    await root.manager.deliverRevocations()
    bench.server.traffic.set(nil, on: "registration GET")
    try await bench.root().signIn()
    #expect(bench.registrations.count == (isUnclear ? 1 : 2))
    let sent = ["token authorization_code", "token refresh_token", "revocation"].flatMap(bench.fields)
    #expect(sent.filter { $0["client_secret"] == expired.secret }.count == 1, "at the first sign-in")
  }

  @Test func `a sign-out with a secret that has expired says that the tokens were not revoked`() async throws {
    let clock = ManualClock()
    let bench = try await ResourceBench(clock: clock) {
      $0.authenticationMethods = ["client_secret_post"]
      $0.secretLifetime = .seconds(3_600)
      $0.registration = ["registration_client_uri": nil]
    }
    let root = try bench.root()
    try await root.signIn()
    clock.advance(by: .seconds(3_700))
    let tokens = try #require(root.manager.state.session?.tokens)
    let error = await #expect(throws: AuthenticationError.self) {
      try await root.provider.revoke(tokens, keepingOtherSessions: true)
    }
    #expect(error == .unsupportedMethod && error?.message.contains("expired") == true)
    #expect(bench.server.traffic.requests(on: "revocation").isEmpty)
  }

  @Test func `two resources of one issuer share a registration where they share its storage`() async throws {
    let bench = try await ResourceBench()
    let second = try await ResourceBench()
    second.server.options.resourceMetadata = ["authorization_servers": [.string(bench.origin)]]
    let shared = RegisteredClients(storage: InMemoryStorage())
    let (one, two) = (
      try bench.root { $0.registrations = shared }, try second.root { $0.registrations = shared }
    )
    try await one.signIn()
    try await two.signIn()
    #expect(bench.server.clients.count == 1 && second.server.clients.isEmpty)
    bench.server.revokeAllAccessTokens()
    #expect(try await bench.call(one) == 200)
    #expect(
      (bench.fields("token authorization_code") + bench.fields("token refresh_token")).map { $0["resource"] } == [
        bench.server.address.absoluteString, second.server.address.absoluteString,
        bench.server.address.absoluteString,
      ])
    let removals = try #require(try await shared.forgetAll(over: SystemHTTPClient(), by: SystemClock()))
    #expect(removals.map(\.issuer) == [bench.origin] && removals.map(\.removal) == [.removed])
    #expect(bench.server.clients.isEmpty && shared.isEmpty)
  }

  @Test func `a stored registration that cannot be used counts as none`() async throws {
    let bench = try await ResourceBench()
    for id in ["a\u{1B}b", "café", ""] {
      try bench.clients.keep(
        RegisteredClient(
          issuer: bench.origin, resource: bench.server.address.absoluteString, source: .registered, clientID: id,
          method: "none", port: nil, usedAt: Date()))
      try await bench.root().signIn()
    }
    #expect(bench.registrations.count == 3)
  }

  @Test func `many names of one authorization server are asked once, and of many servers four`() async throws {
    let bench = try await ResourceBench()
    let broken = try await ResourceBench { $0.serverMetadata = ["issuer": "https://other.example.com"] }
    let known = RegisteredClient(
      issuer: broken.origin, resource: broken.server.address.absoluteString, source: .registered, clientID: "app",
      method: "none", port: nil, usedAt: Date())
    for storesIt in [false, true] {
      if storesIt { try bench.clients.keep(known) }
      bench.server.options.resourceMetadata = [
        "authorization_servers": .array(Array(repeating: .string(broken.origin), count: 3_000))
      ]
      let asked = broken.server.traffic.operations.count
      await #expect(throws: AuthenticationError.security) { try await bench.root().signIn() }
      #expect(broken.server.traffic.operations.count == asked + 1)
    }
    let asked = broken.server.traffic.operations.count
    bench.server.options.resourceMetadata = [
      "authorization_servers": .array((0..<3_000).map { .string("\(broken.origin)/\($0)") })
    ]
    await #expect(throws: AuthenticationError.security) { try await bench.root().signIn() }
    // Each at three addresses (RFC 8414 §3.1).
    #expect(broken.server.traffic.operations.count == asked + 12)
  }

  @Test func `an issuer whose page is at another origin has to name itself in its responses`() async throws {
    let other = try await ResourceBench()
    let bench = try await ResourceBench()
    let rule = PublicAddressRule(allowsLoopback: true)
    let discovery = ResourceDiscovery(
      address: try ResourceAddress(bench.server.address.absoluteString), acceptsParent: false,
      httpClient: try SystemHTTPClient(), rule: rule, clock: SystemClock())
    bench.server.options.serverMetadata = ["authorization_response_iss_parameter_supported": false]
    #expect(try await !discovery.server(bench.origin).metadata.sendsIssuerInResponses)
    bench.server.options.serverMetadata["authorization_endpoint"] = .string("\(other.origin)/authorize")
    #expect(try await discovery.server(bench.origin).metadata.sendsIssuerInResponses)
  }

  @Test func `a missing endpoint is named before the app is registered`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    let error = await #expect(throws: AuthenticationError.self) {
      try await root.useCase.signIn(with: DeviceSignIn { _ in })
    }
    #expect(error == .security && error?.message.contains("'device_authorization_endpoint'") == true)
    #expect(error?.message.contains("authorization server metadata") == true)
    #expect(bench.server.clients.isEmpty)
  }
}
#endif
