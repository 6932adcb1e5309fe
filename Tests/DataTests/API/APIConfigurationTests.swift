import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

@Suite struct APIConfigurationTests {
  func make(_ configuration: AuthProviderConfiguration) throws -> AuthProviderConfiguration.Product {
    try configuration.make(.init(httpClient: ScriptedHTTPClient(), clock: ManualClock()))
  }

  @Test(arguments: [
    "", " ", "api.example.com", "/v1", "//api.example.com", "https", "https:", "https://", "https:///v1",
    "https:api.example.com",
    "ftp://api.example.com", "ws://api.example.com", "file:///etc/passwd", "mailto:a@example.com",
    "javascript:alert(1)",
    "http://api.example.com", "http://192.168.0.1", "http://127.0.0.1.example.com", "http://localhost.example.com",
    "https://user@api.example.com", "https://user:canary@api.example.com", "https://api.example.com?key=canary",
    "https://api.example.com/?", "https://api.example.com#canary", "https://api.example.com/#", "https://exa mple.com",
    "https://api.example.com:0", "https://api.example.com:65536", "https://api.example.com:99999999999999999999",
    "https://api.example.com:port", "https://[::1", "not a url", "https://?",
    "https://#",
    "https://api.example.com\\@evil.example",
  ])
  func `a base URL that cannot work is refused when the app is composed`(text: String) async {
    let error = await failure { try make(.api(baseURL: text)) }
    #expect(error == .invalidConfiguration)
    #expect(error?.suggestion == "Write it like https://api.example.com.")
    for text in error.map(texts) ?? [] { #expect(!text.contains("canary")) }
  }

  @Test(arguments: [
    ("https://api.example.com", "https://api.example.com"), ("HTTPS://API.example.com/v1/", "https://api.example.com"),
    ("https://api.example.com:443", "https://api.example.com"),
    ("https://api.example.com:8443", "https://api.example.com:8443"),
    ("http://localhost:8080", "http://localhost:8080"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("http://[::1]:8080/a", "http://[::1]:8080"),
  ])
  func `tokens may go to the origin of the base URL only`(text: String, origin: String) throws {
    let product = try make(.api(baseURL: text))
    #expect(product.allowedOrigins.map(\.description) == [origin])
  }

  @Test func `a base URL as a URL is checked like its text`() async throws {
    #expect(
      await failure { try make(.api(baseURL: URL(string: "http://api.example.com")!)) } == .invalidConfiguration)
    #expect(try make(.api(baseURL: URL(string: "https://api.example.com")!)).allowedOrigins.count == 1)
  }

  @Test func `a provider of one's own is used as it is, and its tokens go nowhere unless said so`() throws {
    let provider = ScriptedAuthProvider()
    let product = try make(.custom(provider))
    #expect(product.provider as? ScriptedAuthProvider === provider)
    #expect(product.allowedOrigins == [])
  }
}
