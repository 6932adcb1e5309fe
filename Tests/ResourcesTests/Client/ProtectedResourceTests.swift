#if os(macOS) || os(Linux)
import AuthenticationData
import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationResources
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// A sign-in at a resource of which the app knows the address only.
@Suite(.timeLimit(.minutes(10))) struct ProtectedResourceTests {
  @Test func `an address is enough to sign in, and each thing is asked for once`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    #expect(try await bench.call(root) == 200)
    #expect(
      bench.server.traffic.operations == [
        "resource", "resource metadata", "server metadata", "register", "authorization", "token authorization_code",
        "resource",
      ])
    #expect(bench.registrations == bench.server.clients)
  }

  @Test func `the token is asked for the resource, at the sign-in and at each refresh`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    bench.server.revokeAllAccessTokens()
    #expect(try await bench.call(root) == 200)
    let address = bench.server.address.absoluteString
    for operation in ["authorization", "token authorization_code", "token refresh_token"] {
      #expect(bench.fields(operation).map { $0["resource"] } == [address], "\(operation)")
    }
    #expect(bench.fields("authorization").first?["scope"] == "notes.read")
    #expect(bench.fields("authorization").first?["code_challenge_method"] == "S256")
  }

  @Test func `a relaunched app refreshes without asking the resource where`() async throws {
    let bench = try await ResourceBench()
    try await bench.root().signIn()
    bench.server.revokeAllAccessTokens()
    let asked = bench.server.traffic.operations.count
    #expect(try await bench.call(try bench.root()) == 200)
    #expect(
      bench.server.traffic.operations.dropFirst(asked) == [
        "resource", "server metadata", "token refresh_token", "resource",
      ])
  }

  @Test func `the next sign-in uses the registration of the last one`() async throws {
    let bench = try await ResourceBench()
    let first = try bench.root()
    let user = try await first.signIn()
    try await first.manager.signOut()
    await first.manager.deliverRevocations()
    let asked = bench.server.traffic.operations.count
    let second = try await bench.root().signIn()
    #expect(
      bench.server.traffic.operations.dropFirst(asked) == [
        "resource", "resource metadata", "server metadata", "registration GET", "authorization",
        "token authorization_code",
      ])
    #expect(bench.server.clients.count == 1)
    #expect(bench.server.traffic.requests(on: "register").count == 1)
    #expect(Set(bench.fields("authorization").map { $0["redirect_uri"] }).count == 1)
    #expect(second.id != user.id, "the server does not say whether the same user signed in")
  }

  @Test func `a registration that the server forgot is made again once, in the same sign-in`() async throws {
    let bench = try await ResourceBench()
    try await bench.root().signIn()
    bench.server.forgetClients()
    let root = try bench.root()
    try await root.signIn()
    #expect(try await bench.call(root) == 200)
    #expect(bench.registrations.count == 2)
  }

  @Test func `a session whose client the server forgot ends, and the next sign-in registers`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    bench.server.forgetClients()
    bench.server.revokeAllAccessTokens()
    await #expect(throws: AuthenticationError.sessionRejected) { try await bench.call(root) }
    #expect(root.manager.state == .signedOut(.rejected))
    try await root.signIn()
    #expect(try await bench.call(root) == 200)
  }

  @Test func `a registration stays when the sign-in fails`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    bench.server.traffic.set(.body("{}", status: 500), on: "token authorization_code", times: 9)
    await #expect(throws: AuthenticationError.self) { try await root.signIn() }
    bench.server.traffic.set(nil, on: "token authorization_code")
    try await root.signIn()
    #expect(bench.server.traffic.requests(on: "register").count == 1)
  }

  @Test func `processes that begin at the same time register once`() async throws {
    let bench = try await ResourceBench()
    let roots = try (0..<8).map { _ in try bench.root() }
    await withTaskGroup { group in
      for root in roots { group.addTask { _ = try? await root.signIn() } }
    }
    #expect(bench.server.clients.count == 1)
  }

  @Test func `an expired secret is replaced, and the session goes on`() async throws {
    let clock = ManualClock()
    let bench = try await ResourceBench(clock: clock) {
      $0.authenticationMethods = ["client_secret_post"]
      $0.secretLifetime = .seconds(3_600)
    }
    let root = try bench.root()
    try await root.signIn()
    clock.advance(by: .seconds(3_700))
    #expect(try await bench.call(root) == 200)
    #expect(bench.server.clients.count == 1)
    #expect(bench.fields("token refresh_token").last?["client_secret"] == "canary-secret-2")
  }

  @Test func `a configured client and the app's own document come without a registration`() async throws {
    let document = "https://app.example.com/client.json"
    let bench = try await ResourceBench { $0.takesMetadataDocuments = true }
    try await bench.root { $0.metadataDocument = document }.signIn()
    #expect(bench.fields("authorization").last?["client_id"] == document)
    let other = try await ResourceBench { $0.takesMetadataDocuments = true }
    try await other.root {
      $0.clientID = "https://configured.example.com/client.json"
      $0.metadataDocument = document
    }.signIn()
    #expect(other.fields("authorization").last?["client_id"] == "https://configured.example.com/client.json")
    #expect(bench.server.clients + other.server.clients == [])
  }

  @Test func `a server that offers no way to be a client is told so`() async throws {
    let bench = try await ResourceBench { $0.registersClients = false }
    await #expect(throws: AuthenticationError.clientRejected) { try await bench.root().signIn() }
  }

  @Test func `the token goes to the resource and the paths below it, and nowhere else`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    #expect(try await bench.call(root, .get, "notes/1") == 200)
    let asked = bench.server.traffic.operations.count
    for path in [
      "/other", "/mcpx", "/mcp/../other", "/mcp/%2e%2e/other", "/", "/mcp/%ff/../../other",
      "/mcp/%ff%2f..%2f..%2fother",
      "/mcp/%c0%ae%c0%ae/other", "/mcp/%e0%80%ae./other", "/mcp/%f0%80%80%ae./other", "/mcp/..%00/other",
      "/mcp/..%20/other", "/mcp/%20../other", "/mcp/.%09./other", "/mcp/%252e%252e/other", "/mcp/%25252e./other",
      "/mcp/..%2fother", "/mcp/..%5cother", "/mcp/..%255cother", "/mcp/..%c0%afother", "/mcp/..%c1%9cother",
      "/mcp/..;x=1/other", "/mcp/..%3bx/other", "/mcp/%ef%bc%8e%ef%bc%8e/other", "/mcp/..%ef%bc%8fother", "/mcp/..",
      "/mcp/./notes", "/mcp%2f../other",
      "/mcp/..%ff/other", "/mcp/.%ff./other", "/mcp/..%e2%80%8b/other",
    ] {
      let url = try #require(URL(string: bench.server.address.absoluteString.replacing("/mcp", with: path)))
      await #expect(throws: AuthenticationError.originNotAllowed, "\(path)") {
        try await root.apiClient.send(HTTPRequest(.get, url))
      }
    }
    #expect(bench.server.traffic.operations.count == asked)
    for path in ["/%ff/notes", "/a..b/..c/d..", "/%2520", "/caf%C3%A9", "/%e2%80%a4x", "//x", "/.well-known"] {
      let url = try #require(URL(string: bench.server.address.absoluteString + path))
      #expect(try await root.apiClient.send(HTTPRequest(.get, url)).status == 200, "\(path)")
    }
  }

  @Test func `a missing scope leads to one sign-in that asks for all of them`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root(options: {
      $0.stepUp = { requirements in
        var hints = SignInHints()
        hints.requirements = requirements
        return BrowserSignIn(hints)
      }
    })
    try await root.signIn()
    #expect(try await bench.call(root, .post) == 200)
    #expect(bench.fields("authorization").map { $0["scope"] } == ["notes.read", "notes.read notes.write"])
  }

  @Test func `a resource without metadata is its own authorization server`() async throws {
    let bench = try await ResourceBench {
      $0.hasMetadata = false
      $0.namesMetadata = false
      $0.challengedScopes = ["notes.read"]
    }
    let root = try bench.root()
    try await root.signIn()
    #expect(try await bench.call(root) == 200)
  }

  @Test func `metadata is found without a challenge that names it`() async throws {
    let bench = try await ResourceBench { $0.namesMetadata = false }
    try await bench.root().signIn()
    #expect(bench.server.traffic.operations.contains("resource metadata"))
  }

  @Test func `the scopes of a challenge take precedence over the scopes of the metadata`() async throws {
    let bench = try await ResourceBench { $0.challengedScopes = ["notes.read", "notes.write"] }
    let root = try bench.root()
    try await root.signIn()
    #expect(bench.fields("authorization").first?["scope"] == "notes.read notes.write")
  }

  @Test func `an access token for another resource is refused, and nothing is stored`() async throws {
    let bench = try await ResourceBench { $0.audience = "https://other.example.com/mcp" }
    let root = try bench.root()
    await #expect { try await root.signIn() } throws: { ($0 as? AuthenticationError)?.reason == .audience }
    #expect(try await bench.root().manager.restore().user == nil)
    #expect(bench.server.traffic.requests(on: "revocation").isEmpty == false)
    let fitting = try await ResourceBench()
    fitting.server.options.audience = fitting.server.address.absoluteString
    try await fitting.root().signIn()
  }

  @Test func `a client that is forgotten here is forgotten at the server`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root()
    try await root.signIn()
    try await root.manager.signOut()
    #expect(try await root.provider.forgetClientRegistrations())
    #expect(bench.server.clients.isEmpty)
    try await bench.root().signIn()
    #expect(bench.registrations.count == 2)
  }

  @Test(arguments: [
    "http://notes.example.com/mcp", "https://10.0.0.1/mcp", "https://[fd00::1]/mcp", "notes", "https://u:p@h/",
    "https://notes.localhost/mcp", "https://[fe80::1%25eth0]/mcp", "https://10.0.0.1./mcp",
  ])
  func `an address that cannot be right is refused before anything is asked`(address: String) {
    #expect(throws: AuthenticationError.invalidConfiguration) {
      try MainRoot(.protectedResource(address, ProtectedResourceClient(name: "Notes"))) { $0.storage = .inMemory }
    }
  }
}
#endif
