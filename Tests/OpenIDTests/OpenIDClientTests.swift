import AuthenticationOpenID
import Testing

@Suite struct OpenIDClientTests {
  @Test func `a client asks for an ID token and a refresh token unless told otherwise`() {
    let client = OpenIDClient(issuer: "https://id.example.com", clientID: "app")
    #expect(client.scopes == nil)
  }
}
