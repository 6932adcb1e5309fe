import AuthenticationAccount
import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// An issuer's claims about a user, over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct UserClaimsTests {
  private struct Roles: Decodable {
    struct Realm: Decodable { let roles: [String] }
    let realm_access: Realm
  }

  private func bench() async throws -> ProviderBench {
    let bench = try await ProviderBench()
    bench.loopback.quirks.idTokenClaims["realm_access"] = .object(["roles": .array(["editor"])])
    return bench
  }

  @Test func `an issuer's own claims reach the user, nested as they came`() async throws {
    let bench = try await bench()
    bench.loopback.quirks.idTokenClaims["https://example.com/tier"] = "gold"
    let user = try await bench.signedIn().user
    #expect(try user.claims(as: Roles.self).realm_access.roles == ["editor"])
    #expect(user.claims["https://example.com/tier"] == "gold")
  }

  @Test func `a claim that is about the token, or has a member of its own, is no claim of the user`() async throws {
    let user = try await bench().signedIn().user
    for name in ["iss", "sub", "aud", "exp", "iat", "nonce", "at_hash", "auth_time", "name", "email"] {
      #expect(user.claims[name] == nil, "\(name)")
    }
  }

  // OpenID Connect Core §5.6.2: they come with a token for where they are.
  @Test func `of claims that lie elsewhere only that they do is kept`() async throws {
    let bench = try await bench()
    bench.loopback.quirks.idTokenClaims["_claim_names"] = .object(["groups": "src1"])
    bench.loopback.quirks.idTokenClaims["_claim_sources"] = .object(["src1": .object(["access_token": "canary"])])
    let user = try await bench.signedIn().user
    #expect(user.claims["_claim_names"] == ["groups": "src1"])
    #expect(user.claims["_claim_sources"] == nil)
  }

  @Test func `claims that only UserInfo has are requested at the sign-in, and the ID token counts first`() async throws
  {
    let bench = try await bench()
    bench.loopback.quirks.userInfo = [
      "groups": .array(["editors"]), "realm_access": .object(["roles": .array(["reader"])]),
    ]
    let user = try await bench.signedIn().user
    #expect(user.claims["groups"] == ["editors"])
    #expect(try user.claims(as: Roles.self).realm_access.roles == ["editor"])
  }

  @Test(arguments: ["deep", "wide", "both"])
  func `a claim that is too deep or too large is left out by name, and the others are kept`(kind: String) async throws {
    let bench = try await bench()
    let deep = (0..<1_000).reduce(JSON.string("x")) { value, _ in .object(["a": value]) }
    let wide = JSON.string(String(repeating: "x", count: 500_000))
    bench.loopback.quirks.userInfo = ["groups": .array(["editors"])]
    if kind != "wide" { bench.loopback.quirks.userInfo["deep"] = deep }
    if kind != "deep" { bench.loopback.quirks.userInfo["wide"] = wide }
    let user = try await bench.signedIn().user
    #expect(user.claims["groups"] == ["editors"])
    #expect(user.omittedClaims == (kind == "both" ? ["deep", "wide"] : [kind]))
    #expect(user.name == "Ada Lovelace")
  }

  @Test func `a claim that is too large at a refresh is named, and does not stay as it was`() async throws {
    let bench = try await bench()
    bench.loopback.quirks.idTokenClaims["wide"] = "narrow"
    let session = try await bench.signedIn()
    #expect(session.user.claims["wide"] == "narrow" && session.user.omittedClaims == [])
    bench.loopback.quirks.refreshedIDTokenClaims["wide"] = .string(String(repeating: "x", count: 40_000))
    let next = session.refreshed(with: try await bench.provider().refresh(session))
    #expect(next.user.claims["wide"] == nil && next.user.omittedClaims == ["wide"])
    #expect(try next.user.claims(as: Roles.self).realm_access.roles == ["editor"])
  }

  @Test func `at most 32 KiB are kept, the smallest first, and are there after a launch`() throws {
    var session = AuthSession(user: User(id: "ada", claims: ["small": 1]), tokens: .sample(receivedAt: Date()))
    for number in 0..<100 {
      let claims: [String: JSONValue] = ["wide\(number)": .string(String(repeating: "x", count: 1_000))]
      session = session.refreshed(with: session.tokens.with(claims))
    }
    #expect(session.user.claims["small"] == 1)
    #expect((31...33).contains(session.user.claims.count))
    #expect(session.user.omittedClaims.count == 64)
    let stored = try SessionCoder().decode(SessionCoder().encode(SessionRecord(session: session)))
    #expect(stored.session == session)
  }

  @Test func `an ID token beyond 64 KiB signs no user in`() async throws {
    let bench = try await bench()
    bench.loopback.quirks.idTokenClaims["wide"] = .string(String(repeating: "x", count: 100_000))
    #expect(await failure { try await bench.signedIn() } != nil)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  // §12.2: a refreshed ID token may say less.
  @Test func `a refresh replaces the claims that it carries, and removes none`() async throws {
    let bench = try await bench()
    bench.loopback.quirks.idTokenClaims["tier"] = "gold"
    let session = try await bench.signedIn()
    bench.loopback.quirks.idTokenClaims["tier"] = .absent
    bench.loopback.quirks.refreshedIDTokenClaims["realm_access"] = .object(["roles": .array(["reader"])])
    let next = session.refreshed(with: try await bench.provider().refresh(session))
    #expect(try next.user.claims(as: Roles.self).realm_access.roles == ["reader"])
    #expect(next.user.claims["tier"] == "gold")
    #expect(next.user.id == session.user.id)
  }

  @Test func `a claim that is missing, or of another kind, is named in the error`() async throws {
    let user = User(id: "ada", claims: ["realm_access": ["roles": "editor"]])
    #expect(throws: AuthenticationError(.unexpectedResponse, "")) { try user.claims(as: Roles.self) }
    let error = await failure { try user.claims(as: Roles.self) }
    #expect(error?.description.contains("realm_access.roles") == true)
  }
}
