import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

/// A store that can be read but not written, as on a full disk.
@Suite struct AuthCTLStorageTests {
  let authctl: AuthCTL
  let server = LoopbackIdentityServer()
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    url = try await server.start()
  }

  @Test func `what cannot be stored is not renewed, and the session lives on`() async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    try authctl.setProfileFolder(mode: 0o755)
    let token = try await authctl.run("token", "--json")
    #expect(token.status == 6)
    #expect(try token.events().map { $0["code"] } == ["storage_unavailable"])
    #expect(server.counters.requests(on: .refresh) == 0)
    try authctl.setProfileFolder(mode: 0o700)
    #expect(try await authctl.run("token").status == 0)
    #expect(server.counters.requests(on: .refresh) == 1)
  }
}
