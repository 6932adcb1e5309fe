import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// The members of one organization alone sign in.
@Suite(.timeLimit(.minutes(10))) struct Auth0OrganizationTests {
  /// A tenant, whose part a loopback issuer plays.
  private func bench(_ organization: String?) async throws -> ProviderBench {
    var bench = try await ProviderBench()
    bench.client = .auth0(
      domain: Auth0.domain, clientID: "app", organization: organization, methods: [.browser],
      endpoint: bench.client.issuer)
    bench.client.presenter = bench.browser
    bench.client.redirect = .address("com.example.app:/callback")
    return bench
  }

  @Test func `an id is compared with the ID token's, byte for byte`() async throws {
    let bench = try await bench("org_1")
    bench.loopback.quirks.idTokenClaims["org_id"] = "org_1"
    _ = try await bench.signedIn()
    #expect(bench.browser.pages.first?.query()?.contains("&organization=org_1") == true)
    for claims: [String: JSON] in [
      ["org_id": "org_2"], ["org_id": .absent], ["org_id": "ORG_1"], ["org_id": ["org_1"]], ["org_name": "org_1"],
    ] {
      bench.loopback.quirks.idTokenClaims = claims
      #expect(await failure { try await bench.signedIn() }?.reason == .organization, "\(claims)")
    }
    #expect(bench.loopback.counters.liveSignIns == 1, "the tokens of the others are revoked")
  }

  @Test func `a name is compared in lower case, as Auth0 writes it`() async throws {
    let bench = try await bench("Acme")
    bench.loopback.quirks.idTokenClaims = ["org_id": "org_1", "org_name": "acme"]
    _ = try await bench.signedIn()
    for claims: [String: JSON] in [
      ["org_id": "org_1", "org_name": "other"], ["org_id": "acme"], ["org_name": .absent], ["org_name": "Acme"],
    ] {
      bench.loopback.quirks.idTokenClaims = claims
      #expect(await failure { try await bench.signedIn() }?.reason == .organization, "\(claims)")
    }
  }

  @Test func `a refresh for another organization is discarded, and the session stays`() async throws {
    let bench = try await bench("org_1")
    bench.loopback.quirks.idTokenClaims["org_id"] = "org_1"
    for claim: JSON in ["org_2", .absent] {
      let session = try await bench.signedIn()
      bench.loopback.quirks.refreshedIDTokenClaims["org_id"] = claim
      let error = await failure { try await bench.provider().refresh(session) }
      #expect(error?.reason == .organization && error == .security)
    }
    bench.loopback.quirks.refreshedIDTokenClaims["org_id"] = "org_1"
    #expect(try await bench.provider().refresh(bench.signedIn()).identity != nil)
  }

  @Test func `an attempt asks for an organization, and no other user signs in`() async throws {
    let bench = try await bench(nil)
    let asked = BrowserSignIn(SignInHints(organization: "org_1"))
    for claim: JSON in ["org_2", .absent] {
      bench.loopback.quirks.idTokenClaims["org_id"] = "org_1"
      let session = try await bench.signedIn(asked)
      #expect(bench.browser.pages.last?.query()?.contains("&organization=org_1") == true)
      bench.loopback.quirks.refreshedIDTokenClaims["org_id"] = claim
      #expect(await failure { try await bench.provider().refresh(session) }?.reason == .organization)
      bench.loopback.quirks.idTokenClaims["org_id"] = claim
      #expect(await failure { try await bench.signedIn(asked) }?.reason == .organization)
    }
    _ = try await bench.signedIn()
    #expect(bench.browser.pages.last?.query()?.contains("organization") == false)
  }

  @Test func `a sign-in that ends after a relaunch is of the organization that was asked for`() throws {
    let storage = InMemoryStorage()
    let environment = AuthProviderConfiguration.Environment(
      httpClient: ScriptedHTTPClient { _ in .failure(.unreachable) }, clock: ManualClock(), storage: storage)
    let client = OpenIDClient.auth0(domain: "tenant.auth0.com", clientID: "app", methods: [.browser])
    var begun = AuthorizationTransaction(
      BrowserSignIn(SignInHints(organization: "org_1")), of: client, in: environment, expectsIssuer: false)
    begun.redirectURI = "com.example.app:/callback"
    #expect(AuthorizationTransaction(stored: try begun.encoded())?.organization == "org_1")
  }

  @Test func `a client without organizations, or with a fixed one, does not pretend to ask`() async throws {
    let asked = BrowserSignIn(SignInHints(organization: "org_1"))
    for bench in [try await ProviderBench(), try await bench("org_2")] {
      #expect(await failure { try await bench.signedIn(asked) } == .invalidRequest)
      #expect(bench.browser.pages.isEmpty)
    }
  }

  @Test(arguments: [SignInMethod.password, .emailCode, .phoneCode, .device, .apple, .facebook])
  func `a method that cannot ask for an organization is refused together with one`(method: SignInMethod) {
    let client = { (organization: String?, methods: [SignInMethod]) in
      OpenIDClient.auth0(
        domain: "tenant.auth0.com", clientID: "app", organization: organization, methods: methods)
    }
    #expect(refusal(of: .openIDConnect(client(nil, [.browser, method]))) == nil)
    let error = refusal(of: .openIDConnect(client("org_1", [.browser, method])))
    #expect(error == .invalidConfiguration && error?.message.contains("'methods'") == true)
    var passkeys = client("org_1", [.browser, .passkey])
    #expect(refusal(of: .openIDConnect(passkeys)) == nil)
    passkeys.scopes = ["profile"]
    #expect(refusal(of: .openIDConnect(passkeys)) == .invalidConfiguration, "nothing could be checked")
  }

  @Test func `a passkey asks for the organization at each step, and needs an ID token`() async throws {
    let options = #"{"challenge":"AQIDBAUGBwgJCgsMDQ4PEA","rpId":"id.example.com"}"#
    let bench = try Auth0.bench(
      [
        "/passkey/challenge": [json(200, #"{"auth_session":"s-1","authn_params_public_key":\#(options)}"#)],
        "/oauth/token": [Auth0.tokens], "/oauth/revoke": [HTTPResponse(status: 200)],
      ], client: .auth0(domain: Auth0.domain, clientID: "app", organization: "org_1", methods: [.passkey]))
    let challenge = try await bench.challenge(PasskeyCredentials())
    let error = await bench.signInFailure(ChallengeAnswer(to: challenge, .passkey(Secret(#"{"id":"k"}"#))))
    #expect(error?.reason == .idToken)
    #expect(bench.bodies("/passkey/challenge").allSatisfy { $0.contains(#""organization":"org_1""#) })
    #expect(bench.bodies("/oauth/token").allSatisfy { $0.contains(#""organization":"org_1""#) })
    #expect(bench.bodies("/oauth/token").count == 1)
  }
}
