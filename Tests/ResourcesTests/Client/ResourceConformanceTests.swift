#if os(macOS) || os(Linux)
import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@testable import AuthenticationResources

/// Scenarios of the public conformance suite of the Model Context Protocol, by their names there, that no other suite has.
@Suite(.timeLimit(.minutes(10))) struct ResourceConformanceTests {
  /// A browser whose user agrees, and whose redirect has other parameters than the server gave it.
  private func presenter(
    _ bench: ResourceBench, _ change: @escaping @Sendable (inout [URLQueryItem]) -> Void
  ) -> SystemBrowserPresenter {
    SystemBrowserPresenter { [server = bench.server] page throws(AuthenticationError) in
      guard let target = try? await server.visit(page),
        var parts = URLComponents(url: target, resolvingAgainstBaseURL: false), var items = parts.queryItems
      else { throw .cancelled }
      change(&items)
      parts.queryItems = items
      guard let url = parts.url else { throw .cancelled }
      _ = try await SystemHTTPClient().send(HTTPRequest(.get, url))
    }
  }

  @Test(
    arguments: [
      ("iss-supported-missing", nil), ("iss-wrong-issuer", "https://other.example.com"), ("iss-normalized", "/"),
    ] as [(String, String?)])
  func `a redirect that does not name its issuer exactly is refused`(scenario: String, issuer: String?) async throws {
    let bench = try await ResourceBench()
    let origin = bench.origin
    let root = try bench.root {
      $0.presenter = presenter(bench) { items in
        items.removeAll { $0.name == "iss" }
        if let issuer { items.append(URLQueryItem(name: "iss", value: issuer == "/" ? origin + "/" : issuer)) }
      }
    }
    await #expect(throws: AuthenticationError.security, "\(scenario)") { try await root.signIn() }
    #expect(!bench.server.traffic.operations.contains("token authorization_code"))
    #expect(root.currentUser == nil)
  }

  @Test func `iss-not-advertised and iss-unexpected, a name is compared where it comes and not missed where not`()
    async throws
  {
    let bench = try await ResourceBench {
      $0.serverMetadata = ["authorization_response_iss_parameter_supported": nil]
    }
    try await bench.root { $0.presenter = presenter(bench) { $0.removeAll { $0.name == "iss" } } }.signIn()
    let wrong = try bench.root {
      $0.presenter = presenter(bench) { items in
        items.removeAll { $0.name == "iss" }
        items.append(URLQueryItem(name: "iss", value: "https://other.example.com"))
      }
    }
    await #expect(throws: AuthenticationError.security) { try await wrong.signIn() }
  }

  @Test func `scope-omitted-when-undefined`() async throws {
    let bench = try await ResourceBench { $0.resourceMetadata = ["scopes_supported": nil] }
    try await bench.root().signIn()
    #expect(bench.fields("authorization").map { $0["scope"] } == [nil])
  }

  @Test func `offline-access-scope and offline-access-not-supported, asked for where the server lists it`() async throws
  {
    let listing = try await ResourceBench {
      $0.serverMetadata = ["scopes_supported": ["notes.read", "offline_access"]]
    }
    try await listing.root().signIn()
    #expect(listing.fields("authorization").first?["scope"] == "notes.read offline_access")
    let silent = try await ResourceBench { $0.serverMetadata = ["scopes_supported": ["notes.read"]] }
    try await silent.root().signIn()
    #expect(silent.fields("authorization").first?["scope"] == "notes.read")
  }

  @Test func `authorization-server-migration, the next sign-in registers at the new one`() async throws {
    let bench = try await ResourceBench()
    let other = try await ResourceBench()
    try await bench.root().signIn()
    bench.server.options.resourceMetadata = ["authorization_servers": [.string(other.origin)]]
    let root = try bench.root { $0.presenter = other.presenter }
    try await root.signIn()
    #expect(other.server.clients.count == 1)
    #expect(other.fields("token authorization_code").first?["client_id"] == other.server.clients.first)
    #expect(try bench.clients.all().map(\.issuer) == [other.origin, bench.origin])
  }

  @Test func `scope-retry-limit, a resource that is never content is asked a few times`() async throws {
    let bench = try await ResourceBench()
    let root = try bench.root(options: {
      $0.stepUp = { requirements in
        var hints = SignInHints()
        hints.requirements = requirements
        return BrowserSignIn(hints)
      }
    })
    try await root.signIn()
    bench.server.traffic.set(
      .body(
        "{}", status: 403,
        headers: ["WWW-Authenticate": #"Bearer error="insufficient_scope", scope="notes.admin""#]), on: "resource")
    for _ in 0..<5 { _ = try? await bench.call(root, .post) }
    #expect(bench.server.traffic.requests(on: "resource").count <= 1 + 2 * 5)
    #expect((2...3).contains(bench.server.traffic.requests(on: "authorization").count))
    #expect(root.currentUser != nil)
  }
}
#endif
