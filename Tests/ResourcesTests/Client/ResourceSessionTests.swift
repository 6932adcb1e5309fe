#if os(macOS) || os(Linux)
import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Synchronization
import Testing
import VendorServers

@testable import AuthenticationResources

/// The session at a protected resource outlives changes of the app's registration.
@Suite(.timeLimit(.minutes(10))) struct ResourceSessionTests {
  @Test func `a sign-in as another client that the user leaves does not touch the session`() async throws {
    let bench = try await ResourceBench { $0.takesMetadataDocuments = true }
    try await bench.root().signIn()
    let other = try bench.root {
      $0.clientID = "https://app.example.com/client.json"
      $0.presenter = SystemBrowserPresenter { _ throws(AuthenticationError) in throw .cancelled }
    }
    await #expect(throws: AuthenticationError.cancelled) { try await other.signIn() }
    bench.server.revokeAllAccessTokens()
    #expect(try await bench.call(other) == 200)
    #expect(bench.fields("token refresh_token").last?["client_id"] == bench.registrations.first)
  }

  @Test func `a client that is refused once, and that the server knows, keeps its session`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    bench.server.revokeAllAccessTokens()
    bench.server.traffic.set(.body(#"{"error":"invalid_client"}"#, status: 401), on: "token refresh_token", times: 1)
    await #expect(throws: AuthenticationError.clientRejected) { try await bench.call(root) }
    let relaunched = try bench.root()
    #expect(try await bench.call(relaunched) == 200)
    #expect(bench.server.clients.count == 1)
  }

  @Test func `a server that does not say whether it knows the client keeps the session`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    bench.server.revokeAllAccessTokens()
    bench.server.traffic.set(.body(#"{"error":"invalid_client"}"#, status: 401), on: "token refresh_token", times: 1)
    bench.server.traffic.set(.body("{}", status: 503), on: "registration GET")
    await #expect(throws: AuthenticationError.clientRejected) { try await bench.call(root) }
    #expect(try await bench.root().manager.restore().user != nil)
  }

  @Test func `a secret that the server replaced early is fetched, and the session goes on`() async throws {
    let bench = try await ResourceBench { $0.authenticationMethods = ["client_secret_basic"] }
    let root = try bench.root()
    try await root.signIn()
    bench.server.replaceSecrets()
    bench.server.revokeAllAccessTokens()
    #expect(try await bench.call(root) == 200)
    bench.server.revokeAllAccessTokens()
    let asked = bench.server.traffic.requests(on: "registration GET").count
    #expect(try await bench.call(try bench.root()) == 200)
    #expect(bench.server.traffic.requests(on: "registration GET").count == asked, "the new one is kept")
  }

  @Test(arguments: [-3_600.0, 3_600]) func `a clock that is an hour off changes nothing`(offset: Double) async throws {
    let clock = ManualClock(now: Date(timeIntervalSince1970: 1_800_000_000))
    let bench = try await ResourceBench(clock: clock) {
      $0.authenticationMethods = ["client_secret_post"]
      $0.secretLifetime = .seconds(86_400)
    }
    let root = try bench.root(options: { $0.clock = ManualClock(now: clock.now.addingTimeInterval(offset)) })
    try await root.signIn()
    bench.server.revokeAllAccessTokens()
    #expect(try await bench.call(root) == 200)
    #expect(bench.server.clients.count == 1)
  }

  @Test func `a user who comes back after the app was killed is signed in`() async throws {
    let bench = try await ResourceBench()
    let returned = Returned()
    let killed = try bench.root {
      $0.presenter = SystemBrowserPresenter { [server = bench.server] page throws(AuthenticationError) in
        returned.resume(try? await server.visit(page))
      }
    }
    let sign = Task { try await killed.signIn() }
    let url = try #require(await returned.url())
    let root = try bench.root()
    try await root.useCase.signIn(with: BrowserReturn(url: url))
    #expect(try await bench.call(root) == 200)
    #expect(bench.fields("token authorization_code").last?["resource"] == bench.server.address.absoluteString)
    #expect(bench.server.clients.count == 1)
    sign.cancel()
    _ = try? await sign.value
  }

  @Test func `a user without a browser here types a code elsewhere`() async throws {
    let bench = try await ResourceBench { $0.offersDevice = true }
    let root = try bench.root { $0.presenter = nil }
    try await root.useCase.signIn(with: DeviceSignIn { _ in bench.server.approveDevice() })
    #expect(try await bench.call(root) == 200)
    for operation in ["deviceAuthorization", "token urn:ietf:params:oauth:grant-type:device_code"] {
      #expect(bench.fields(operation).last?["resource"] == bench.server.address.absoluteString, "\(operation)")
    }
    let body = bench.server.traffic.requests(on: "register").last.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(body?.contains("device_code") == true && body?.contains("http://127.0.0.1/callback") == true)
  }

  @Test func `a sign-out is told to the server that issued the tokens`() async throws {
    let bench = try await ResourceBench()
    try await bench.root().signIn()
    let other = try await ResourceBench()
    bench.server.options.resourceMetadata = ["authorization_servers": [.string(other.origin)]]
    let root = try bench.root {
      $0.presenter = SystemBrowserPresenter { _ throws(AuthenticationError) in throw .cancelled }
    }
    await #expect(throws: AuthenticationError.cancelled) { try await root.signIn() }
    #expect(other.server.clients.count == 1)
    try await root.manager.signOut()
    await root.manager.deliverRevocations()
    #expect(bench.server.traffic.requests(on: "revocation").count >= 1)
    #expect(other.server.traffic.requests(on: "revocation").isEmpty)
  }

  @Test func `a token for another resource is sent to no endpoint of another origin`() async throws {
    let other = try await ResourceBench()
    let bench = try await ResourceBench { $0.audience = "https://other.example.com/mcp" }
    bench.server.options.serverMetadata = [
      "userinfo_endpoint": .string(other.server.address.absoluteString),
      "introspection_endpoint": .string(other.server.address.absoluteString),
      "revocation_endpoint": .string(other.server.address.absoluteString),
    ]
    await #expect { try await bench.root().signIn() } throws: { ($0 as? AuthenticationError)?.reason == .audience }
    bench.server.options.audience = nil
    try await bench.root().signIn()
    #expect(other.server.traffic.operations.isEmpty)
  }

  @Test func `a redirect out of the resource's path gets no token`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    let headers = ["Location": bench.origin + "/revoke"]
    bench.server.traffic.set(.body("{}", status: 307, headers: headers), on: "resource", times: 1)
    await #expect(throws: AuthenticationError.originNotAllowed) { try await bench.call(root) }
    #expect(!bench.server.traffic.operations.contains("revocation"))
    let inside = ["Location": bench.server.address.absoluteString + "/notes"]
    bench.server.traffic.set(.body("{}", status: 307, headers: inside), on: "resource", times: 1)
    #expect(try await bench.call(root) == 200)
  }

  @Test func `another origin that the app allows has no path of its own`() async throws {
    let bench = try await ResourceBench()
    let other = try await ResourceBench()
    let root = try bench.root(options: { $0.allowedOrigins = Set([Origin(other.server.address)].compactMap(\.self)) })
    try await root.signIn()
    let url = try #require(URL(string: other.origin + "/elsewhere"))
    #expect(try await root.apiClient.send(HTTPRequest(.get, url)).status == 404)
  }

  @Test func `a resource that takes bound tokens only gets one`() async throws {
    let bench = try await ResourceBench()
    bench.server.options.resourceMetadata = ["dpop_bound_access_tokens_required": true]
    try await bench.root().signIn()
    #expect(bench.server.traffic.requests(on: "token authorization_code").last?.header("DPoP") != nil)
  }

  @Test func `registrations that cannot be read are told so, and can be forgotten`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    try await root.manager.signOut()
    try bench.clients.storage.write(Data("{".utf8), for: "clients")
    await #expect(throws: AuthenticationError.storageCorrupt) { try await bench.root().signIn() }
    try await root.provider.forgetClientRegistrations()
    try await bench.root().signIn()
  }

  @Test func `a registration whose port is taken is replaced when no sign-in can go on with it`() async throws {
    let clock = ManualClock()
    let bench = try await ResourceBench(clock: clock)
    try await bench.root().signIn()
    let other = LoopbackOpenIDIssuer()
    try await other.start(port: try #require(try bench.clients.all().first?.port))
    await #expect(throws: AuthenticationError.redirectPortBusy) { try await bench.root().signIn() }
    #expect(bench.registrations.count == 1)
    clock.advance(by: .seconds(601))
    try await bench.root().signIn()
    #expect(bench.registrations.count == 2)
    await other.stop()
  }

  @Test func `a sign-out during a registration ends, and leaves no user`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    bench.server.traffic.hold("register")
    async let signedIn = root.signIn()
    await bench.server.traffic.waitForRequest(on: "register")
    async let signedOut: Void = root.manager.signOut()
    bench.server.traffic.release("register")
    _ = try? await signedIn
    try? await signedOut
    try await root.manager.signOut()
    #expect(try await bench.root().manager.restore().user == nil)
    try await bench.root().signIn()
    #expect(bench.server.clients.count == 1)
  }

  @Test func `a secret that is fetched for a session leaves the resource of the registration`() async throws {
    let bench = try await ResourceBench { $0.authenticationMethods = ["client_secret_basic"] }
    let root = try bench.root()
    try await root.signIn()
    var stored = try #require(try bench.clients.all().first)
    stored.resource = "https://notes.example.com/other"
    try bench.clients.keep(stored)
    bench.server.replaceSecrets()
    bench.server.revokeAllAccessTokens()
    #expect(try await bench.call(root) == 200)
    let kept = try #require(try bench.clients.all().first)
    #expect(kept.resource == stored.resource && kept.secret != stored.secret)
  }

  @Test(arguments: [VendorFault.body("{}", status: 403), .body("{}", status: 503), .usual(.dropAfterProcessing)])
  func `an app is told when a server may still know it`(fault: VendorFault) async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    try await root.manager.signOut()
    bench.server.traffic.set(fault, on: "registration DELETE")
    #expect(try await !root.provider.forgetClientRegistrations())
    #expect(try bench.clients.all().isEmpty)
  }

  @Test func `two resources of one server share neither token nor grant`() async throws {
    let bench = try await ResourceBench()
    let second = try await ResourceBench()
    second.server.options.resourceMetadata = ["authorization_servers": [.string(bench.origin)]]
    let (one, two) = (try bench.root(), try second.root(storage: bench.storage))
    try await one.signIn()
    try await two.signIn()
    #expect(bench.server.clients.count == 2)
    #expect(
      bench.fields("token authorization_code").map { $0["resource"] } == [
        bench.server.address.absoluteString, second.server.address.absoluteString,
      ])
    try await one.manager.signOut()
    #expect(two.currentUser != nil)
  }
}

/// Where the browser was sent.
private final class Returned: Sendable {
  private let stream: AsyncStream<URL?>
  private let continuation: AsyncStream<URL?>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func resume(_ url: URL?) { continuation.yield(url) }

  func url() async -> URL? {
    for await url in stream { return url }
    return nil
  }
}
#endif
