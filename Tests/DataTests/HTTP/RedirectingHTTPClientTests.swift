import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

// failure row 36
@Suite(.timeLimit(.minutes(10))) struct RedirectingHTTPClientTests {
  static let codes = [301, 302, 303, 307, 308]
  static let secrets: HTTPHeaders = [
    "authorization": "Bearer canary", "DPoP": "canary", "Cookie": "a=canary", "Proxy-Authorization": "Basic canary",
    "X-Trace": "7",
  ]

  static func redirect(_ status: Int, to location: String) -> Result<HTTPResponse, AuthenticationError> {
    .success(HTTPResponse(status: status, headers: ["Location": location]))
  }

  static let done: Result<HTTPResponse, AuthenticationError> = .success(HTTPResponse(status: 200))

  func url(_ text: String) -> URL { URL(string: text)! }

  @Test(arguments: codes) func `no credential reaches another origin`(status: Int) async throws {
    try await SocketServer.run(SocketServer.answer("200 OK", body: "there")) { other in
      let redirect = SocketServer.answer("\(status) Elsewhere", ["Location: \(other.url("/there?x=1").absoluteString)"])
      try await SocketServer.run(redirect) { server in
        let client = try Transport.allCases[0].client().followRedirects()
        let response = try await client.send(HTTPRequest(.get, server.url("/here"), headers: Self.secrets))
        #expect(response.body == Data("there".utf8))
        #expect(server.requests.first?.components(separatedBy: "canary").count == 5)
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.hasPrefix("GET /there?x=1 HTTP/1.1\r\n") == true)
        #expect(other.requests.first?.contains("X-Trace: 7") == false, "any field of the app's own may be a credential")
        #expect(other.requests.first?.contains("canary") == false)
      }
    }
  }

  @Test(arguments: codes) func `credentials stay with a request within its origin`(status: Int) async throws {
    let upstream = ScriptedHTTPClient(Self.redirect(status, to: "/b?x=1"), Self.done)
    let request = HTTPRequest(.get, url("https://example.com/a?y=2"), headers: Self.secrets)
    #expect(try await upstream.followRedirects().send(request).status == 200)
    #expect(upstream.requests.map(\.url.absoluteString) == ["https://example.com/a?y=2", "https://example.com/b?x=1"])
    #expect(upstream.requests[1].headers == Self.secrets)
  }

  @Test(
    arguments: [
      "https://evil.example/", "https://example.com.evil.example/", "https://sub.example.com/",
      "https://example.com:8443/",
      "//evil.example/", "https://127.0.0.1/",
    ], codes)
  func `a name that only resembles the origin is another one`(location: String, status: Int) async throws {
    let upstream = ScriptedHTTPClient(Self.redirect(status, to: location), Self.done)
    let request = HTTPRequest(.get, url("https://example.com/"), headers: Self.secrets)
    _ = try await upstream.followRedirects().send(request)
    #expect(upstream.requests.last?.headers.fields.isEmpty == true)
  }

  @Test func `header fields without credentials are sent to another origin, and the response is marked as from there`()
    async throws
  {
    let upstream = ScriptedHTTPClient(Self.redirect(302, to: "https://elsewhere.example/"), Self.done)
    let response = try await upstream.followRedirects().send(
      HTTPRequest(.get, url("https://example.com/"), headers: ["Accept": "text/plain", "X-API-Key": "canary"]))
    #expect(upstream.requests.last?.headers == ["Accept": "text/plain"])
    #expect(response.isFromOtherOrigin)
  }

  @Test func `credentials dropped at a redirect away do not return at a redirect back`() async throws {
    let upstream = ScriptedHTTPClient(
      Self.redirect(302, to: "https://evil.example/"), Self.redirect(302, to: "https://example.com/b"), Self.done)
    _ = try await upstream.followRedirects().send(
      HTTPRequest(.get, url("https://example.com/"), headers: Self.secrets))
    #expect(upstream.requests.map { $0.headers.fields.count } == [5, 0, 0])
  }

  @Test(
    arguments: codes,
    [
      "http://example.com/", "http://evil.example/", "http://127.0.0.1:8080/", "http://localhost/",
      "ftp://example.com/", "https://user@example.com/", "javascript:1",
      "file:///etc/passwd",
    ])
  func `a redirect to an insecure or non-web address is not followed`(
    status: Int, location: String
  ) async throws {
    let upstream = ScriptedHTTPClient(Self.redirect(status, to: location))
    let response = try await upstream.followRedirects().send(HTTPRequest(.get, url("https://example.com/")))
    #expect(response.status == status)
    #expect(upstream.requests.count == 1)
  }

  @Test(arguments: [300, 304, 305, 306, 200, 201, 400, 401])
  func `other answers with a location are not redirects`(status: Int) async throws {
    let upstream = ScriptedHTTPClient(Self.redirect(status, to: "/b"))
    #expect(try await upstream.followRedirects().send(HTTPRequest(.get, url("https://example.com/"))).status == status)
    #expect(upstream.requests.count == 1)
  }

  @Test(arguments: [(301, true), (302, true), (307, false), (308, false), (307, true), (308, true)])
  func `a POST is repeated by 307 and 308 within its origin, and by nothing else`(
    status: Int, leaves: Bool
  ) async throws {
    let location = leaves ? "https://evil.example/" : "/b"
    let upstream = ScriptedHTTPClient(Self.redirect(status, to: location), Self.done)
    let request = HTTPRequest(.post, url("https://example.com/"), headers: Self.secrets, body: Data("canary".utf8))
    let response = try await upstream.followRedirects().send(request)
    if leaves {
      #expect(response.status == status)
      #expect(upstream.requests == [request])
    } else {
      var repeated = request
      repeated.url = url("https://example.com/b")
      #expect(upstream.requests.map(\.description) == ["POST https://example.com/", "POST https://example.com/b"])
      #expect(upstream.requests[1].body == repeated.body)
      #expect(upstream.requests[1].headers == repeated.headers)
    }
  }

  @Test(arguments: [301, 302, 307, 308]) func `no body reaches another origin`(status: Int) async throws {
    let upstream = ScriptedHTTPClient(Self.redirect(status, to: "https://elsewhere.example/"))
    let request = HTTPRequest(.get, url("https://example.com/"), body: Data("canary".utf8))
    #expect(try await upstream.followRedirects().send(request).status == status)
    #expect(upstream.requests == [request])
  }

  @Test func `303 turns a POST into a GET without its body`() async throws {
    let upstream = ScriptedHTTPClient(Self.redirect(303, to: "/b"), Self.done)
    let request = HTTPRequest(
      .post, url("https://example.com/"), headers: ["Content-Type": "text/plain", "X-Trace": "7"], body: Data([1]))
    _ = try await upstream.followRedirects().send(request)
    #expect(upstream.requests[1].method == .get)
    #expect(upstream.requests[1].body == nil)
    #expect(upstream.requests[1].headers == ["X-Trace": "7"])
  }

  @Test(arguments: [0, 1, 5]) func `after the limit the redirect itself is the answer`(limit: Int) async throws {
    let upstream = ScriptedHTTPClient { _ in Self.redirect(302, to: "/again") }
    let response = try await upstream.followRedirects(limit: limit).send(HTTPRequest(.get, url("https://example.com/")))
    #expect(response.status == 302)
    #expect(upstream.requests.count == limit + 1)
  }
}
