import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// The scopes that a sign-in asks an issuer for, and refusals of them.
@Suite(.timeLimit(.minutes(10))) struct ScopeTests {
  private func asked(
    _ listed: JSON, scopes: [String]? = nil, prompt: [String] = [], _ more: [String: JSON] = [:]
  ) async throws -> [String: String] {
    var bench = try await ProviderBench()
    bench.loopback.quirks.metadata = ["scopes_supported": listed].merging(more) { $1 }
    bench.client.scopes = scopes
    _ = try await bench.signedIn(BrowserSignIn(SignInHints(prompt: prompt)))
    return try #require(bench.loopback.requests(on: .authorization).first).parameters
  }

  @Test func `offline access is left out where the issuer lists scopes, and not that`() async throws {
    let request = try await asked(["openid", "email", "x"])
    #expect(request["scope"] == "openid email" && request["prompt"] == nil)
  }

  @Test func `an issuer that lists no scopes is asked for the usual ones, with consent to stay signed in`() async throws
  {
    let request = try await asked(.absent)
    #expect(request["scope"] == "openid profile email offline_access" && request["prompt"] == "consent")
  }

  // OpenID Connect Discovery §3: an OpenID issuer knows it, listed or not.
  @Test func `an issuer that signs ID tokens is asked for one even where it lists that nowhere`() async throws {
    #expect(try await asked(["email"])["scope"] == "openid email")
  }

  @Test func `scopes and a prompt that the app names are sent as they are`() async throws {
    let request = try await asked(["openid"], scopes: ["openid", "offline_access"], prompt: ["login"])
    #expect(request["scope"] == "openid offline_access" && request["prompt"] == "login")
  }

  // OpenID Connect Core §11
  @Test func `an app says where a refresh token needs no consent`() async throws {
    var bench = try await ProviderBench()
    bench.client.asksConsentForOfflineAccess = false
    let session = try await bench.signedIn()
    #expect(session.tokens.refresh != nil)
    let request = try #require(bench.loopback.requests(on: .authorization).first).parameters
    #expect(request["scope"]?.contains("offline_access") == true && request["prompt"] == nil)
  }

  // Initiating User Registration via OpenID Connect §4.1
  @Test func `an issuer that publishes its prompts without consent is not asked for it`() async throws {
    let listed: JSON = ["openid", "offline_access"]
    #expect(try await asked(listed, ["prompt_values_supported": ["none", "login"]])["prompt"] == nil)
    #expect(try await asked(listed, ["prompt_values_supported": ["none", "consent"]])["prompt"] == "consent")
  }

  @Test func `the presets of vendors ask for no consent of their own`() async throws {
    let auth0 = OpenIDClient.auth0(domain: "tenant.example.com", clientID: "app")
    var google = OpenIDClient.google(clientID: "1.apps.googleusercontent.com")
    google.scopes = ["openid", "offline_access"]
    var keycloak = OpenIDClient.keycloak(url: "https://id.example.com", realm: "staff", clientID: "app")
    keycloak.scopes = ["openid", "offline_access"]
    for client in [try auth0.validated(), try google.validated(), try keycloak.validated()] {
      #expect(client.askedScopes.contains("offline_access") && !client.needsConsent, "\(client.issuer)")
    }
    var generic = OpenIDClient(issuer: "https://id.example.com", clientID: "app")
    generic.scopes = ["openid", "offline_access"]
    #expect(generic.needsConsent)
  }

  @Test func `a prompt of none stands alone`() async throws {
    let bench = try await ProviderBench()
    await #expect(throws: AuthenticationError(.invalidRequest, "")) {
      try await bench.root().useCase.signIn(with: BrowserSignIn(SignInHints(prompt: ["none", "login"])))
    }
    #expect(bench.loopback.allRequests.isEmpty)
  }

  @Test(arguments: [true, false]) func `a refused scope is named`(isInBrowser: Bool) async throws {
    var bench = try await ProviderBench()
    bench.loopback.quirks.refusesUnlistedScopes = true
    bench.client.scopes = ["openid", "admin:all"]
    let credentials: any Credentials = isInBrowser ? BrowserSignIn() : DeviceSignIn { _ in }
    let provider = try bench.provider()
    let error = await failure { try await provider.signIn(with: credentials) }
    #expect(error == .clientRejected && error?.providerCode == "invalid_scope")
    #expect(error?.message == "The issuer refuses the scope 'admin:all'.")
  }

  @Test func `where the issuer lists every scope it refuses, all that were asked for are named`() async throws {
    var bench = try await ProviderBench()
    bench.loopback.user = .causes(error: "invalid_scope")
    bench.client.scopes = ["openid", "email"]
    let provider = try bench.provider()
    let error = await failure { try await provider.signIn(with: BrowserSignIn()) }
    #expect(error?.message == "The issuer refuses one of the scopes 'openid email'.")
  }
}
