import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct LoopbackKeycloakTests {
  private static let ada = PasswordCredentials(userName: "ada", password: Secret("correct horse"))
  private let clock = ManualClock()

  private func bench(
    _ server: LoopbackKeycloak, scopes: [String]? = nil
  ) async throws -> DialectBench {
    var client = OpenIDClient.keycloak(
      url: try await server.start().absoluteString, realm: "demo", clientID: "app")
    client.scopes = scopes
    return try DialectBench(.openIDConnect(client), at: server, clock: clock)
  }

  @Test func `a wrong password is told by 401, and a required action by its words`() async throws {
    let server = LoopbackKeycloak(clock: clock)
    let bench = try await bench(server)
    let wrong = PasswordCredentials(userName: "ada", password: Secret("wrong"))
    #expect(await failure { try await bench.provider.signIn(with: wrong) } == .invalidCredentials)
    server.set(.requiredAction, of: "ada")
    let open = await failure { try await bench.provider.signIn(with: Self.ada) }
    #expect(open == .insufficientUserAuthentication)
    server.set(.disabled, of: "ada")
    #expect(await failure { try await bench.provider.signIn(with: Self.ada) } == .userDisabled)
  }

  @Test func `a one-time code goes with the password`() async throws {
    let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    let server = LoopbackKeycloak(clock: clock)
    server.set(.authenticator(secret: secret), of: "ada")
    let bench = try await bench(server)
    #expect(await failure { try await bench.provider.signIn(with: Self.ada) } == .invalidCredentials)
    let code = Secret(OneTimePassword.code(secret: secret, at: clock.now))
    let session = try await bench.signIn(Self.ada, attributes: ["totp": code])
    #expect(session.user.name == "Ada Lovelace")
  }

  @Test func `a refresh token stays, until its session is idle for too long`() async throws {
    let bench = try await bench(LoopbackKeycloak(clock: clock), scopes: ["openid", "profile"])
    let session = try await bench.signIn(Self.ada)
    let refreshed = try await bench.refresh(session)
    #expect(refreshed.tokens.refresh == session.tokens.refresh)
    clock.advance(by: .seconds(1_801))
    #expect(await bench.refreshFailure(refreshed) == .sessionRejected)
  }

  @Test func `an offline session outlives that`() async throws {
    let bench = try await bench(LoopbackKeycloak(clock: clock), scopes: ["openid", "profile", "offline_access"])
    let session = try await bench.signIn(Self.ada)
    clock.advance(by: .seconds(1_801))
    _ = try await bench.refresh(session)
  }

  @Test func `where refresh tokens are revoked, a second use ends the session`() async throws {
    var options = LoopbackKeycloak.Options()
    options.revokesRefreshTokens = true
    let bench = try await bench(LoopbackKeycloak(options, clock: clock))
    let session = try await bench.signIn(Self.ada)
    let refreshed = try await bench.refresh(session)
    #expect(await bench.refreshFailure(session) == .sessionRejected)
    #expect(await bench.refreshFailure(refreshed) == .sessionRejected)
  }

  @Test func `a sign-out ends the session at the realm, and a second one is done as well`() async throws {
    let server = LoopbackKeycloak(clock: clock)
    let bench = try await bench(server)
    let session = try await bench.signIn(Self.ada)
    #expect(server.liveSessions == 1)
    try await bench.provider.revoke(session.tokens)
    #expect(server.liveSessions == 0)
    try await bench.provider.revoke(session.tokens)
  }
}
