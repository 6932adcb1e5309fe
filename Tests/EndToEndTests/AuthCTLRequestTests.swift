import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// A request that changes something is sent once, unless it was certainly not processed.
@Suite(.serialized) struct AuthCTLRequestTests {
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer

  init() async throws {
    authctl = try AuthCTL()
    issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
    _ = try await authctl.login(issuer)
  }

  private func post() async throws -> AuthCTL.Outcome {
    try await authctl.run("request", "-X", "POST", "-d", "amount=5", issuer.url(.resource).absoluteString)
  }

  private var posts: [LoopbackOpenIDIssuer.RecordedRequest] { issuer.requests(on: .resource) }

  @Test func `a POST whose token was refused is sent once more, with the new one`() async throws {
    issuer.revokeAllAccessTokens()
    let outcome = try await post()
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(posts.map(\.method) == ["POST", "POST"])
    #expect(posts.map { String(decoding: $0.body, as: UTF8.self) } == ["amount=5", "amount=5"])
    #expect(Set(posts.map { $0.header("Authorization") }).count == 2)
  }

  @Test func `a POST whose kept connection is cut is seen once`() async throws {
    // The refresh leaves a connection to the issuer, which is the resource's origin as well.
    try expireToken()
    issuer.set(.usual(.dropAfterProcessing), on: .resource)
    let outcome = try await post()
    #expect(outcome.status == 5, "\(outcome.err)")
    #expect(posts.count == 1)
    #expect(issuer.requests(on: .token).count == 2)
  }

  @Test(arguments: [500, 503]) func `a POST that the resource may have processed is not sent again`(status: Int)
    async throws
  {
    issuer.set(.usual(.status(status)), on: .resource)
    #expect(try await post().status == 8)
    #expect(posts.count == 1)
  }

  @Test(arguments: ["token_expired", "expired_token", "invalid_request", ""])
  func `a 401 is refreshed and repeated once whatever its error says`(code: String) async throws {
    issuer.set(
      .body("{}", status: 401, headers: ["WWW-Authenticate": "Bearer error=\"\(code)\""]), on: .resource)
    #expect(try await post().status == 8)
    #expect(posts.count == 2 && issuer.tokenRequests(for: "refresh_token").count == 1)
    #expect(try await authctl.run("status").status == 0)
  }

  @Test func `after a 403 the login that asks for the union of the scopes is told, and works`() async throws {
    let outcome = try await authctl.run("request", issuer.url(.scopedResource).absoluteString)
    #expect(outcome.status == 8)
    let scopes = try #require(try authctl.store(issuer).read()?.session).accessToken.scopes
    let union = (scopes + ["notes:write"]).joined(separator: " ")
    #expect(
      outcome.err.contains(
        "'authctl login --scope \"\(union)\" --issuer \(issuer.identifier) --client-id app'"), "\(outcome.err)")
    #expect(outcome.err.split(separator: "\n").count == 1)
  }

  @Test func `after a 401 that asks for another sign-in the login is told, and nothing is refreshed`() async throws {
    let outcome = try await authctl.run("request", issuer.url(.strongResource).absoluteString)
    #expect(outcome.status == 8)
    #expect(
      outcome.err.contains("'authctl login --acr-values \"") && outcome.err.contains("--issuer \(issuer.identifier)"),
      "\(outcome.err)")
    #expect(issuer.tokenRequests(for: "refresh_token").isEmpty)
  }

  @Test(arguments: [
    #"Bearer error="insufficient_scope", scope="a $(touch /tmp/x) `id` b\"c d'e f;g !h \\i \u{1B}[2J""#,
    #"Bearer error="insufficient_user_authentication", acr_values="a $(touch /tmp/x) `id` b\"c d'e f;g !h""#,
  ])
  func `of a resource's words only those are told that a shell takes as they are`(challenge: String) async throws {
    let status = challenge.contains("scope=") ? 403 : 401
    issuer.set(.body("{}", status: status, headers: ["WWW-Authenticate": challenge]), on: .resource)
    let outcome = try await authctl.run("request", issuer.url(.resource).absoluteString)
    #expect(outcome.status == 8)
    #expect(outcome.err.contains("authctl login"))
    for character in "$`;!\\" { #expect(!outcome.err.contains(character), "\(outcome.err)") }
  }

  private func expireToken() throws {
    let store = authctl.store(issuer)
    var record = try #require(try store.read())
    let session = try #require(record.session)
    let token = session.accessToken
    let old = try AccessToken(
      token.value, receivedAt: token.receivedAt.addingTimeInterval(-86_400), lifetime: token.lifetime,
      scopes: token.scopes)
    let tokens = SessionTokens(access: old, refresh: session.tokens.refresh, identity: session.tokens.identity)
    record.session = AuthSession(user: session.user, tokens: tokens)
    try store.save(record)
  }
}
