import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// A resource server that refuses every token, over real HTTP.
@Suite struct RefusalOverHTTPTests {
  let clock = ManualClock()
  let server: LoopbackIdentityServer
  let root: MainRoot
  let notes: HTTPRequest

  init() async throws {
    server = LoopbackIdentityServer(options: .init(accessTokenLifetime: .seconds(3_600)), clock: clock)
    let url = try await server.start()
    let transport = try SystemHTTPClient(deadline: .seconds(300))
    root = try MainRoot(.api(baseURL: url)) { [clock] in
      $0.storage = .inMemory
      $0.providerTransport = transport
      $0.apiTransport = transport
      $0.clock = clock
      $0.refreshPolicy = .onDemand
    }
    notes = HTTPRequest(.get, url.appending(path: "api/notes"))
    try await root.useCase.login(username: "ada", password: "correct horse")
  }

  private var counts: [Int] { [server.counters.requests(on: .notes), server.counters.requests(on: .refresh)] }

  private func send() async throws -> [Int] {
    server.resetCounters()
    #expect(try await root.apiClient.send(notes).status == 401)
    return counts
  }

  // failure row 29
  @Test func `a resource that answers 401 to everything costs one refresh, and at most one replay per request`()
    async throws
  {
    server.set(.status(401), on: .notes)
    #expect(try await send() == [2, 1])
    for _ in 0..<5 { #expect(try await send() == [1, 0]) }
    clock.advance(by: .seconds(10))
    #expect(try await send() == [2, 1])
    #expect(try await send() == [1, 0])
    #expect(root.currentUser?.id == "ada")
  }

  @Test func `once the resource is mended the same token is good again`() async throws {
    server.set(.status(401), on: .notes)
    #expect(try await send() == [2, 1])
    server.set(nil, on: .notes)
    server.resetCounters()
    #expect(try await root.apiClient.send(notes).status == 200)
    clock.advance(by: .seconds(10))
    server.revokeAllAccessTokens()
    #expect(try await root.apiClient.send(notes).status == 200)
    #expect(counts == [3, 1])
  }
}
