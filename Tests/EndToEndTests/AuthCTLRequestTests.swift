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
