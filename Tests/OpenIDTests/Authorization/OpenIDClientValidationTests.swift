import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct OpenIDClientValidationTests {
  private func code(_ change: (inout OpenIDClient) -> Void) -> AuthenticationError? {
    var client = OpenIDClient(issuer: FlowBench.issuer, clientID: "app")
    change(&client)
    do throws(AuthenticationError) {
      _ = try client.validated()
      return nil
    } catch {
      return error
    }
  }

  @Test func `the defaults are valid`() {
    #expect(code { _ in } == nil)
  }

  @Test(arguments: [
    "com.example.app:/callback", "com.example.app:/", "com.googleusercontent.apps.12-ab:/oauth2redirect/google",
    "com.example.app://callback", "com.example.app://callback/path", "https://app.example.com/callback",
    "https://app.example.com/", "https://app.example.com:8443/a/b.c",
  ])
  func `rule 7: claimed https and reverse-domain schemes are redirect URIs`(text: String) {
    #expect(code { $0.redirect = .address(text) } == nil)
  }

  @Test(arguments: [
    "", "callback", "/callback", "http://app.example.com/callback", "http://127.0.0.1:8976/callback",
    "http://localhost/callback", "javascript:alert(1)", "file:///callback", "data:text/html,x", "myapp:/callback",
    "myapp://callback", "Com.example.app:/callback", "com.example.app:callback", "com.example.app:",
    "com..app:/callback", ".com:/callback", "com.:/callback", "1com.example:/callback", "com.exa mple:/callback",
    "com.example.app:/call back", "com.example.app:/callback#x", "com.example.app:/callback#",
    "com.example.app:/callback?x=1", "com.example.app:/callback?", "com.example.app:/a/../b", "com.example.app:/./a",
    "com.example.app:/é", "com.example.app:/call\"back", "com.example.app://Host/callback",
    "https://app.example.com", "https:///callback", "https:/callback", "https://App.example.com/callback",
    "https://user@app.example.com/callback", "https://app.example.com:443/callback",
    "https://app.example.com:0/callback", "https://app.example.com:/callback", "https://app.example.com:99999/x",
    "https://app.example.com:08443/callback", "https://app.example.com/call\\back", "https://[::1]/callback",
    "https://app.example.com/callback#x", "HTTPS://app.example.com/callback", "urn:example:callback",
  ])
  func `rule 7: nothing else is`(text: String) {
    #expect(code { $0.redirect = .address(text) } == .invalidConfiguration)
  }

  @Test(arguments: ["", "callback", "/call back", "/callback?x=1", "/callback#x", "/../callback", "/%é", "/a\r\nb"])
  func `rule 7: a loopback path is a plain one`(path: String) {
    #expect(code { $0.redirect = .loopback(path: path) } == .invalidConfiguration)
  }

  @Test func `rule 7: a loopback port is none that a browser leaves out`() {
    #expect(code { $0.redirect = .loopback(port: 0) } == .invalidConfiguration)
    #expect(code { $0.redirect = .loopback(port: 80) } == .invalidConfiguration)
    #expect(code { $0.redirect = .loopback(port: 8_976, path: "/") } == nil)
  }

  @Test(arguments: OpenIDClient.reservedParameters.sorted() + [""])
  func `rules 1, 3 and 5: the app cannot set a parameter that the library sets`(name: String) {
    #expect(code { $0.parameters = ["ui_locales": "de", name: "x"] } == .invalidConfiguration)
  }

  @Test func `every parameter that is sent is one the app may not set`() async throws {
    var bench = FlowBench()
    bench.client.bindsTokens = true
    bench.client.resources = ["urn:x"]
    bench.client.audience = "a"
    _ = try await bench.flow.authorize(
      BrowserSignIn(
        SignInHints(
          userName: "ada", requirements: AuthenticationRequirements(acrValues: ["a"], maxAge: .zero))))
    let sent = FormBody(decoding: Array(bench.presenter.query.utf8))?.fields.map(\.name) ?? []
    #expect(sent.count == 15 && OpenIDClient.reservedParameters.isSuperset(of: sent))
  }

  @Test(arguments: ["", "a\nb", "é"])
  func `a client id is plain text`(id: String) {
    #expect(code { $0.clientID = id } == .invalidConfiguration)
  }

  @Test(arguments: ["", "two scopes", "a\"b", "a\\b", "é"])
  func `a scope is one word`(scope: String) {
    #expect(code { $0.scopes = ["openid", scope] } == .invalidConfiguration)
  }

  @Test(arguments: ["", "api", "https://api.example.com/#x"])
  func `a resource is an absolute URI without fragment`(resource: String) {
    #expect(code { $0.resources = [resource] } == .invalidConfiguration)
  }

  @Test func `a tolerance below zero is none`() {
    #expect(code { $0.clockTolerance = .seconds(-1) } == .invalidConfiguration)
  }

  #if os(macOS) || os(Linux)
  @Test func `a presenter is asked whether the redirect can reach it`() {
    #expect(
      code {
        $0.presenter = SystemBrowserPresenter()
        $0.redirect = .address(FlowBench.redirect)
      } == .invalidConfiguration)
    #expect(code { $0.presenter = SystemBrowserPresenter() } == nil)
  }
  #endif
}
