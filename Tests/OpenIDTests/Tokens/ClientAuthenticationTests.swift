import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// RFC 6749 §2.3.1, byte for byte.
@Suite struct ClientAuthenticationTests {
  private let url = URL(string: "https://id.example.com/token")!

  private func wire(_ authentication: ClientAuthentication, clientID: String = "app") -> [String] {
    var client = OpenIDClient(issuer: "https://id.example.com", clientID: clientID)
    client.authentication = authentication
    return HTTPRequest(posting: FormBody(["grant_type": "x"]), to: url, by: client).wire
  }

  @Test func `a public client needs no secret, and names itself in the body, rule 8`() {
    #expect(wire(.none) == ["POST", url.absoluteString] + Form.headers + ["grant_type=x&client_id=app"])
    #expect(OpenIDClient(issuer: "", clientID: "").authentication == .none)
  }

  @Test func `a secret goes into the body where that is asked for`() {
    #expect(
      wire(.secretPost(Secret("s3c+ret &"))).last == "grant_type=x&client_id=app&client_secret=s3c%2Bret+%26")
  }

  // RFC 6749 §2.3.1 and appendix B: form-encoded before base64.
  @Test(arguments: [
    ("s6BhdRkqt3", "gX1fBat3bV", "s6BhdRkqt3:gX1fBat3bV"), ("a:b", "c:d", "a%3Ab:c%3Ad"),
    ("app 1", "100%+ä", "app+1:100%25%2B%C3%A4"), ("*-._", "~", "*-._:%7E"),
  ])
  func `a secret in a header is form-encoded first, and the body then names no client`(
    id: String, secret: String, pair: String
  ) {
    #expect(
      wire(.secretBasic(Secret(secret)), clientID: id)
        == ["POST", url.absoluteString] + Form.headers
        + ["Authorization: Basic \(Data(pair.utf8).base64EncodedString())", "grant_type=x"])
  }

  @Test func `no text shows the secret`() {
    for authentication in [ClientAuthentication.secretBasic(Secret("canary")), .secretPost(Secret("canary"))] {
      var text = "\(authentication) \(String(reflecting: authentication))"
      dump(authentication, to: &text)
      #expect(!text.contains("canary"))
    }
  }
}
