import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// A check that is set needs an ID token: without one the sign-in is refused.
@Suite(.timeLimit(.minutes(10))) struct RequiredIDTokenTests {
  private let password = PasswordCredentials(userName: "ada", password: Secret("correct horse"))

  /// Google with one Workspace domain, or its client with the grants of any issuer.
  private func bench() async throws -> ProviderBench {
    var bench = try await ProviderBench()
    bench.client = .google(clientID: "app", hostedDomain: "example.com", endpoint: bench.client.issuer)
    bench.client.presenter = bench.browser
    bench.client.redirect = .address("com.example.app:/callback")
    bench.client.allowsDiscouragedPasswordGrant = true
    bench.client.dialect.methods = [.browser, .password]
    bench.client.dialect.complete = { _ in }
    bench.loopback.quirks.idTokenClaims["hd"] = "example.com"
    return bench
  }

  @Test func `a grant that may lack an ID token is refused without one where it would be checked`() async throws {
    let bench = try await bench()
    #expect(try await bench.signedIn(password).user.id == "248289761001")
    bench.loopback.quirks.tokenAnswer["id_token"] = .absent
    for credentials: any Credentials in [password, BrowserSignIn()] {
      #expect(await failure { try await bench.signedIn(credentials) }?.reason == .idToken)
    }
    #expect(bench.loopback.counters.liveSignIns == 1, "the tokens of both are revoked")
    var plain = bench
    plain.client.dialect.checkIdentity = nil
    #expect(try await plain.signedIn(password).tokens.identity == nil)
  }

  @Test func `max_age is checked in an ID token, or the sign-in is refused`() async throws {
    var bench = try await ProviderBench()
    bench.client.scopes = ["profile"]
    _ = try await bench.signedIn()
    let recent = BrowserSignIn(SignInHints(requirements: AuthenticationRequirements(maxAge: .zero)))
    #expect(await failure { try await bench.signedIn(recent) }?.reason == .idToken)
  }

  @Test func `a client that asks for no ID token cannot check one`() throws {
    var google = OpenIDClient.google(clientID: "1-a.apps.googleusercontent.com", hostedDomain: "example.com")
    google.scopes = ["email"]
    #expect(refusal(of: .openIDConnect(google)) == .invalidConfiguration)
    google.scopes = ["openid"]
    #expect(refusal(of: .openIDConnect(google)) == nil)
  }

  @Test func `the ID token of a refresh is checked as well, and a refresh without one goes on`() async throws {
    let bench = try await bench()
    for claim: JSON in ["other.example", .absent] {
      let session = try await bench.signedIn(password)
      bench.loopback.quirks.refreshedIDTokenClaims["hd"] = claim
      #expect(await failure { try await bench.provider().refresh(session) }?.reason == .hostedDomain)
    }
    bench.loopback.quirks.refreshedIDTokenClaims["hd"] = "example.com"
    let session = try await bench.signedIn(password)
    let next = session.refreshed(with: try await bench.provider().refresh(session))
    bench.loopback.quirks.refreshAnswer["id_token"] = .absent
    #expect(try await bench.provider().refresh(next).identity == nil)
  }

  @Test func `an ID token that the app got elsewhere is checked as well`() async throws {
    let bench = try await bench()
    let identity = try #require(try await bench.signedIn(password).tokens.identity)
    _ = try await bench.provider().validate(identity, nonce: nil)
    var other = bench
    other.client.dialect.checkIdentity = { _ throws(AuthenticationError) in
      throw .refused(by: .hostedDomain, "Another domain.")
    }
    let provider = try other.provider()
    #expect(
      await failure { try await provider.validate(identity, nonce: nil) }?.reason == .hostedDomain)
  }
}
