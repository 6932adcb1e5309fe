import AuthenticationKit
import AuthenticationOpenID
import Testing

/// The README's compositions at an issuer, compiled and made.
@Suite struct ReadmeOpenIDTests {
  #if os(macOS) || os(Linux)
  @Test func `an app signs in at an issuer in the system's browser`() throws {
    let root = try MainRoot(
      .openIDConnect(issuer: "https://id.example.com", clientID: "app", presenter: SystemBrowserPresenter())
    ) { $0.storage = .inMemory }
    #expect(root.allowedOrigins.map(\.description) == ["https://id.example.com"])
    #expect(root.provider.openID is OpenIDConnectProvider)
    let credentials: any Credentials = .browser
    #expect(credentials.method == .browser)
  }
  #endif

  @Test func `an issuer's services are there behind a vendor's provider, too`() throws {
    let client = OpenIDClient.auth0(domain: "tenant.eu.auth0.com", clientID: "app")
    let root = try MainRoot(.openIDConnect(client)) { $0.storage = .inMemory }
    #expect(!(root.provider is OpenIDConnectProvider) && root.provider.openID is OpenIDConnectProvider)
    let backend = try MainRoot(.api(baseURL: "https://api.example.com")) { $0.storage = .inMemory }
    #expect(backend.provider.openID == nil)
  }

  @Test func `an app says how a user signs in again`() throws {
    let client = OpenIDClient(issuer: "https://id.example.com", clientID: "app")
    let root = try MainRoot(.openIDConnect(client)) {
      $0.storage = .inMemory
      $0.stepUp = { BrowserSignIn(SignInHints(requirements: $0)) }
    }
    #expect(root.currentUser == nil)
  }
}
