import AuthenticationResources
import Testing

@Suite struct ResourcesTests {
  @Test func `a client can be made`() {
    #expect(OpenIDClient(issuer: "https://id.example.com", clientID: "app").bindsTokens == false)
  }
}
