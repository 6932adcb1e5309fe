import AuthenticationData
import AuthenticationDomain
import AuthenticationNativeSignIn
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Apple and Facebook on a page: only behind a server that verifies them.
@Suite(.timeLimit(.minutes(10))) struct VerifiedPageTests {
  @Test(arguments: ["apple", "facebook"])
  func `the server that verifies is the issuer`(vendor: String) async throws {
    let bench = try await ProviderBench()
    let redirect = RedirectURI.address("com.example.app:/callback")
    let configuration: AuthProviderConfiguration =
      .vendorPage(
        vendor == "apple" ? .apple : .facebook, clientID: "app", endpoint: bench.client.issuer, redirect: redirect,
        presenter: bench.browser)
    #expect(configuration.name == vendor)
    let provider = try configuration.make(bench.environment).provider
    #expect(provider.methods == [.browser])
    #expect(try await provider.signIn(with: BrowserSignIn()).session?.user.name == "Ada Lovelace")
    #expect(await failure { try await provider.signIn(with: DeviceSignIn { _ in }) } == .unsupportedMethod)
  }

  @Test(arguments: [
    "https://appleid.apple.com", "https://www.facebook.com", "https://limited.facebook.com", "http://id.example.com",
  ])
  func `the vendor's own host is refused, and so is http`(endpoint: String) {
    for configuration: AuthProviderConfiguration in [
      .vendorPage(.apple, clientID: "app", endpoint: endpoint),
      .vendorPage(.facebook, clientID: "app", endpoint: endpoint),
    ] {
      let error = refusal(of: configuration)
      #expect(error == .invalidConfiguration)
      #expect(error?.message.contains("'endpoint'") == true)
    }
  }

  // MARK: The code of a page

  private static let redirect = "https://app.example.com/callback"

  private func credentials(
    endpoint: String? = nil, _ query: @escaping @Sendable (String) -> String
  ) async throws -> (credentials: NativeCredentials, page: String) {
    let presenter = ScriptedPresenter { .success("\(Self.redirect)?\(query($0))") }
    let apple = try VendorPageAuthenticator(
      .apple, clientID: "com.example.web", redirect: Self.redirect, presenter: presenter, endpoint: endpoint)
    let signIn = NativeSignIn(.apple, by: apple, nonce: .plain, randomBytes: { [UInt8](repeating: 7, count: $0) })
    return (try await signIn.credentials(over: nil), presenter.urls.last?.absoluteString ?? "")
  }

  @Test func `a page's code goes to its verifier, with the nonce of its identity token`() async throws {
    let (credentials, page) = try await credentials { "code=the-code&state=\($0)" }
    #expect(
      page == "https://appleid.apple.com/auth/authorize?response_type=code&response_mode=query"
        + "&client_id=com.example.web&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback"
        + "&state=BwcHBwcHBwcHBwcHBwcHBw&nonce=BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc")
    #expect(credentials.authorizationCode == Secret("the-code"))
    #expect(credentials.rawNonce == Secret("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"))
    #expect(credentials.identityToken == nil && credentials.accessToken == nil)
    try credentials.validate()
    #expect(
      try await self.credentials(endpoint: "http://127.0.0.1:1") { "code=c&state=\($0)" }.page
        .hasPrefix("http://127.0.0.1:1/auth/authorize?"))
  }

  @Test(arguments: [
    ("state=other&code=c", AuthenticationError.security), ("code=c", .security), ("state=STATE", .security),
    ("state=STATE&code=", .security), ("state=STATE&error=user_cancelled_authorize", .cancelled),
    ("state=STATE&error=access_denied", .declined), ("state=STATE&error=never_heard_of", .unexpectedResponse),
  ])
  func `a redirect without a code of this attempt is no sign-in`(
    query: String, code: AuthenticationError
  ) async {
    let error = await failure { try await credentials { query.replacing("STATE", with: $0) } }
    #expect(error == code)
  }

  @Test(arguments: ["http://127.0.0.1/callback", "com.example.app:/callback", "https://app.example.com/callback?x=1"])
  func `only a claimed https address can be returned to`(redirect: String) throws {
    #expect(throws: AuthenticationError.invalidConfiguration("")) {
      try VendorPageAuthenticator(.facebook, clientID: "1", redirect: redirect, presenter: ScriptedPresenter())
    }
  }

  @Test func `credentials without a token and without a code are refused`() {
    #expect(throws: AuthenticationError.refused(by: .idToken, "")) {
      try NativeCredentials(method: .apple, identityToken: nil).validate()
    }
  }
}
