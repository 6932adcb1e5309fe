import AuthenticationData
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct LoopbackIssuerPagesTests {
  private func started() async throws -> (LoopbackOpenIDIssuer, URL) {
    let issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
    issuer.user = .types
    let query = [
      "client_id=app", "redirect_uri=http%3A%2F%2F127.0.0.1%3A5000%2Fcallback", "response_type=code", "state=s",
      "scope=openid", "code_challenge=\(String(repeating: "c", count: 43))", "code_challenge_method=S256",
    ]
    return (issuer, try #require(URL(string: "\(issuer.url(.authorization))?\(query.joined(separator: "&"))")))
  }

  private func send(_ fields: KeyValuePairs<String, String?>, to page: URL) async throws -> HTTPResponse {
    try await SystemHTTPClient().send(HTTPRequest(posting: FormBody(fields), to: page))
  }

  @Test func `a user who types the right password on the issuer's page is sent back with a code`() async throws {
    let (issuer, page) = try await started()
    let shown = try await SystemHTTPClient().send(HTTPRequest(.get, page))
    #expect(shown.status == 200 && String(decoding: shown.body, as: UTF8.self).contains(#"name="password""#))
    let answer = try await send(["username": "ada", "password": "correct horse", "decision": "approve"], to: page)
    #expect(answer.headers["Location"]?.contains("code=") == true)
    await issuer.stop()
  }

  @Test func `a wrong password shows the page again, and the right one then does`() async throws {
    let (issuer, page) = try await started()
    let wrong = try await send(["username": "ada", "password": "a wrong one"], to: page)
    #expect(wrong.status == 200 && wrong.headers["Location"] == nil)
    #expect(String(decoding: wrong.body, as: UTF8.self).contains("is not correct"))
    let right = try await send(["username": "ada", "password": "correct horse"], to: page)
    #expect(right.headers["Location"]?.contains("code=") == true)
    await issuer.stop()
  }

  @Test func `a user who declines on the page is sent back without a code`() async throws {
    let (issuer, page) = try await started()
    let answer = try await send(["decision": "decline"], to: page)
    #expect(answer.headers["Location"]?.contains("error=access_denied") == true)
    await issuer.stop()
  }

  @Test func `the code of a device is typed on the issuer's page, and another one is refused in words`() async throws {
    let (issuer, _) = try await started()
    _ = try await send(["client_id": "app", "scope": "openid"], to: issuer.url(.deviceAuthorization))
    let code = try #require(issuer.pendingUserCodes.first)
    let page = issuer.url(.device)
    let fields: (String) -> KeyValuePairs<String, String?> = {
      ["user_code": $0, "username": "ada", "password": "correct horse", "decision": "approve"]
    }
    let unknown = try await send(fields("<script>"), to: page)
    #expect(String(decoding: unknown.body, as: UTF8.self).contains(#"value="&lt;SCRIPT&gt;""#))
    #expect(issuer.pendingUserCodes == [code])
    _ = try await send(fields(" \(code.lowercased()) "), to: page)
    #expect(issuer.pendingUserCodes.isEmpty)
    await issuer.stop()
  }

  @Test func `an issuer whose user types nothing has no page for devices`() async throws {
    let (issuer, page) = try await started()
    issuer.user = .approves(.ada)
    #expect(try await SystemHTTPClient().send(HTTPRequest(.get, issuer.url(.device))).status == 404)
    #expect(try await send(["username": "ada"], to: page).status == 405)
    await issuer.stop()
  }
}
