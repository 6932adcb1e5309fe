import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite(.timeLimit(.minutes(10))) struct GoogleTests {
  /// Google, whose part a loopback issuer plays.
  private func bench(
    serverClientID: String? = nil, hostedDomain: String? = nil
  ) async throws -> ProviderBench {
    var bench = try await ProviderBench()
    var client = OpenIDClient.google(
      clientID: "app", serverClientID: serverClientID, hostedDomain: hostedDomain, endpoint: bench.client.issuer)
    client.presenter = bench.browser
    client.redirect = .address("com.example.app:/callback")
    let (expect, issuer) = (client.dialect.expect, client.issuer)
    client.dialect.expect = { expectations in
      expect(&expectations)
      expectations.issuerAliases = [issuer, "accounts.google.com"]
    }
    bench.client = client
    return bench
  }

  @Test func `a page asks for access without the user's presence, and for no offline_access`() async throws {
    var bench = try await bench()
    bench.client.scopes = ["openid", "profile", "email"]
    let session = try await bench.signedIn()
    #expect(session.user.name == "Ada Lovelace")
    let query = try #require(bench.browser.pages.first?.query())
    #expect(query.contains("&scope=openid+profile+email&"))
    #expect(query.contains("&access_type=offline"))
    #expect(!query.contains("prompt=") && !query.contains("hd="))
  }

  @Test func `tokens that a later sign-in has replaced are not revoked, which would end that sign-in as well`()
    async throws
  {
    let bench = try await bench()
    let session = try await bench.signedIn()
    let provider = try bench.provider()
    try await provider.revoke(session.tokens, keepingOtherSessions: true)
    #expect(bench.loopback.requests(on: .revocation).isEmpty)
    try await provider.revoke(session.tokens, keepingOtherSessions: false)
    #expect(!bench.loopback.requests(on: .revocation).isEmpty)
  }

  @Test func `exactly two spellings of the issuer are accepted`() async throws {
    let bench = try await bench()
    bench.loopback.quirks.idTokenClaims["iss"] = "accounts.google.com"
    let session = try await bench.signedIn()
    #expect(session.user.id == "248289761001")
    // A refresh may use the other one.
    bench.loopback.quirks.idTokenClaims["iss"] = nil
    #expect(try await bench.provider().refresh(session).identity != nil)
    for other in ["http://accounts.google.com", "accounts.google.com/", "https://accounts.google.example"] {
      bench.loopback.quirks.idTokenClaims["iss"] = .string(other)
      #expect(await failure { try await bench.signedIn() }?.reason == .issuer)
    }
  }

  @Test func `without an endpoint the two spellings are Google's`() {
    let client = OpenIDClient.google(clientID: "1-a.apps.googleusercontent.com")
    #expect(client.issuer == "https://accounts.google.com")
    var expectations = IDTokenExpectations(issuer: client.issuer, clientID: client.clientID, now: .now)
    client.dialect.expect(&expectations)
    #expect(expectations.issuerAliases == ["https://accounts.google.com", "accounts.google.com"])
  }

  @Test func `ID tokens for the app's backend name it, and this client as their party`() async throws {
    let bench = try await bench(serverClientID: "server")
    bench.loopback.quirks.idTokenClaims = ["aud": "server", "azp": "app"]
    let session = try await bench.signedIn()
    #expect(session.user.id == "248289761001")
    #expect(bench.browser.pages.first?.query()?.contains("&audience=server") == true)
    #expect(try await bench.provider().refresh(session).identity != nil)
    for claims: [String: JSON] in [
      ["aud": "app", "azp": "app"], ["aud": "server", "azp": "other"], ["aud": "server", "azp": .absent],
    ] {
      bench.loopback.quirks.idTokenClaims = claims
      #expect(await failure { try await bench.signedIn() }?.reason == .audience)
    }
  }

  @Test(arguments: ["other.example", nil])
  func `one Workspace domain is a claim, not only a parameter`(domain: String?) async throws {
    let bench = try await bench(hostedDomain: "example.com")
    bench.loopback.quirks.idTokenClaims["hd"] = "example.com"
    _ = try await bench.signedIn()
    #expect(bench.browser.pages.first?.query()?.contains("&hd=example.com") == true)
    bench.loopback.quirks.idTokenClaims["hd"] = domain.map { .string($0) } ?? .absent
    #expect(await failure { try await bench.signedIn() }?.reason == .hostedDomain)
    #expect(bench.loopback.counters.liveSignIns == 1)
  }

  @Test(arguments: ["admin_policy_enforced", "disallowed_useragent", "org_internal", "access_denied"])
  func `a sign-in that an administrator does not allow is declined`(error: String) async throws {
    let bench = try await bench()
    bench.loopback.user = .causes(error: error)
    let failure = await failure { try await bench.signedIn() }
    #expect(failure == .declined)
    #expect(failure?.providerCode == error)
  }

  @Test func `an invalid refresh token ends the session`() async throws {
    let bench = try await bench()
    let session = try await bench.signedIn()
    bench.loopback.set(
      .body(
        #"{"error":"invalid_grant","error_description":"reauth related error (invalid_rapt)","error_subtype":"invalid_rapt"}"#,
        status: 400), onGrant: "refresh_token")
    #expect(await failure { try await bench.provider().refresh(session) } == .sessionRejected)
  }

  @Test func `the redirect of an iOS client is the client id in reverse, with one slash`() throws {
    let redirect = RedirectURI.google(clientID: "1234-abcd.apps.googleusercontent.com")
    #expect(redirect == .address("com.googleusercontent.apps.1234-abcd:/oauth2redirect/google"))
    var client = OpenIDClient.google(clientID: "1234-abcd.apps.googleusercontent.com")
    client.redirect = redirect
    #expect(refusal(of: .openIDConnect(client)) == nil)
  }

  @Test func `another vendor's client id is refused by its key`() {
    let error = refusal(of: .openIDConnect(.google(clientID: "app")))
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("'clientID'") == true)
    #expect(refusal(of: .openIDConnect(.google(clientID: "app", endpoint: "http://127.0.0.1:1"))) == nil)
  }

  @Test(arguments: ["", "example", "https://example.com", "example.com/x", "a..b", "*"])
  func `a domain that no Workspace has is refused by its key`(domain: String) {
    let refusal = { (domain: String?, server: String?) in
      OpenIDTests.refusal(
        of: .openIDConnect(
          .google(clientID: "1-a.apps.googleusercontent.com", serverClientID: server, hostedDomain: domain)))
    }
    #expect(refusal(domain, nil)?.message.contains("'hostedDomain'") == true)
    #expect(refusal("example.com", nil) == nil)
    #expect(refusal("example.com", "")?.message.contains("'serverClientID'") == true)
  }
}
