import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct IssuerIdentifierTests {
  @Test(arguments: [
    "", "id.example.com", "http://id.example.com", "ftp://id.example.com", "https://",
    "https://id.example.com?tenant=1",
    "https://id.example.com?", "https://id.example.com#top", "https://user@id.example.com",
    "https://id.example.com/a b",
    "https://idé.example.com", "http://127.0.0.1.example.com", " https://id.example.com",
  ])
  func `an issuer that is no plain https address is refused when the app is composed, rule 14`(_ text: String) {
    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try Issuer(text, client: ScriptedHTTPClient(), clock: ManualClock())
    }
  }

  @Test(arguments: [
    ("https://id.example.com", "https://id.example.com/.well-known/", ""),
    ("https://id.example.com/", "https://id.example.com/.well-known/", ""),
    ("https://id.example.com/tenant/one", "https://id.example.com/tenant/one/.well-known/", "/tenant/one"),
    ("https://id.example.com/tenant/", "https://id.example.com/tenant/.well-known/", "/tenant"),
    ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a/.well-known/", "/a"),
  ])
  func `metadata is looked for below the issuer, then where plain OAuth has it`(
    _ issuer: String, _ folder: String, _ path: String
  ) async throws {
    let client = ScriptedHTTPClient(.success(.body("", status: 404)), .success(.metadata(issuer: issuer)))
    let metadata = try await Issuer(issuer, client: client, clock: ManualClock()).metadata()
    #expect(metadata.issuer == issuer)
    let urls = client.requests.map(\.url.absoluteString)
    let origin = issuer.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    #expect(
      urls == [folder + "openid-configuration", origin + "/.well-known/oauth-authorization-server" + path])
  }
}
