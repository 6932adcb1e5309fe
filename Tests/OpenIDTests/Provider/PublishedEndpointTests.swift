import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Where an issuer names its endpoints, and how a client with a secret is told to authenticate.
@Suite(.timeLimit(.minutes(10))) struct PublishedEndpointTests {
  private static let hidden: [String: JSON] = [
    "token_endpoint": .absent, "revocation_endpoint": .absent, "device_authorization_endpoint": .absent,
    "pushed_authorization_request_endpoint": .absent,
  ]

  @Test func `endpoints that only the RFC 8414 document names are found`() async throws {
    let bench = try await ProviderBench { $0.requiresPushedRequests = true }
    bench.loopback.quirks.openIDMetadata = Self.hidden
    let session = try await bench.signedIn()
    #expect(bench.loopback.requests(on: .pushedAuthorization).count == 1)
    try await bench.provider().revoke(session.tokens)
    #expect(bench.loopback.counters.liveSignIns == 0)
    bench.loopback.set(.error("slow_down"), on: .deviceAuthorization)
    let provider = try bench.provider()
    let error = await failure { try await provider.signIn(with: DeviceSignIn { _ in }) }
    #expect(error == .rateLimited)
  }

  @Test func `an RFC 8414 document of another issuer names nothing`() async throws {
    let bench = try await ProviderBench()
    bench.loopback.quirks.metadata = ["issuer": "https://evil.example"]
    bench.loopback.quirks.openIDMetadata = Self.hidden.merging(["issuer": .string(bench.client.issuer)]) { $1 }
    let provider = try bench.provider()
    #expect(await failure { try await provider.signIn(with: BrowserSignIn()) } == .endpointMissing)
    #expect(bench.loopback.requests(on: .authorization).isEmpty)
  }

  @Test func `where its other document cannot be had now, a revocation is not given up`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.quirks.openIDMetadata = Self.hidden
    bench.loopback.set(.usual(.status(429)), on: .oauthMetadata)
    let provider = try bench.provider()
    #expect(await failure { try await provider.revoke(session.tokens) } == .rateLimited)
    bench.loopback.set(.usual(.status(500)), on: .oauthMetadata)
    #expect(await failure { try await provider.revoke(session.tokens) } == .unsupportedMethod)
    bench.loopback.set(nil, on: .oauthMetadata)
    try await provider.revoke(session.tokens)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  @Test func `an issuer that names everything is asked for one document`() async throws {
    let bench = try await ProviderBench()
    _ = try await bench.signedIn()
    #expect(bench.loopback.requests(on: .oauthMetadata).isEmpty)
  }

  @Test func `endpoints can be named, and count more than the published ones`() async throws {
    var bench = try await ProviderBench()
    bench.loopback.quirks.metadata = ["token_endpoint": "http://127.0.0.1:1/token", "revocation_endpoint": .absent]
    bench.client.endpoints = [
      .token: bench.loopback.url(.token).absoluteString, .revocation: bench.loopback.url(.revocation).absoluteString,
    ]
    let session = try await bench.signedIn()
    try await bench.provider().revoke(session.tokens)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  @Test func `an issuer that publishes nothing is used by the endpoints that the app names`() async throws {
    var bench = try await ProviderBench()
    bench.loopback.set(.usual(.status(404)), on: .discovery)
    bench.loopback.set(.usual(.status(404)), on: .oauthMetadata)
    let provider = try bench.provider()
    #expect(await failure { try await provider.signIn(with: BrowserSignIn()) } == .endpointMissing)
    bench.client.endpoints = [
      .authorization: bench.loopback.url(.authorization).absoluteString,
      .token: bench.loopback.url(.token).absoluteString, .keySet: bench.loopback.url(.keys).absoluteString,
    ]
    #expect(try await bench.signedIn().user.id == "248289761001")
  }

  @Test func `a named endpoint that is not safe is refused`() async throws {
    var bench = try await ProviderBench()
    bench.client.endpoints = [.token: "http://id.example.com/token"]
    let provider = try bench.provider()
    #expect(await failure { try await provider.signIn(with: BrowserSignIn()) } == .insecureConnection)
  }

  @Test(arguments: [LoopbackOpenIDIssuer.ClientAuthentication.basic, .post])
  func `a secret is sent as the issuer's metadata says`(way: LoopbackOpenIDIssuer.ClientAuthentication) async throws {
    var bench = try await ProviderBench {
      $0.clientSecret = "s3cret"
      $0.clientAuthentication = way
    }
    bench.client.authentication = .secret(Secret("s3cret"))
    let session = try await bench.signedIn()
    let request = try #require(bench.loopback.tokenRequests(for: "authorization_code").first)
    #expect((request.header("Authorization") == nil) == (way == .post))
    try await bench.provider().revoke(session.tokens)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  @Test func `a secret goes into a header where the metadata names no way, or several`() {
    var metadata = IssuerMetadata(issuer: "")
    let secret = ClientAuthentication.secret(Secret("s"))
    for methods in [nil, [], ["client_secret_post", "client_secret_basic"], ["private_key_jwt"]] as [[String]?] {
      metadata.clientAuthenticationMethods = methods
      #expect(secret.resolved(by: metadata) == .secretBasic(Secret("s")))
    }
    #expect(ClientAuthentication.none.resolved(by: metadata) == .none)
  }

  @Test func `the page that ends the session at the issuer carries no token`() async throws {
    let bench = try await ProviderBench()
    let page = try await bench.provider().endSessionPage()
    #expect(page.absoluteString == bench.loopback.url(.endSession).absoluteString + "?client_id=app")
  }
}
