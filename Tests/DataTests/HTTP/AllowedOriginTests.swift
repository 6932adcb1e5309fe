import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

// rule 31
@Suite struct AllowedOriginTests {
  static let allowed = [
    "https://api.example.com", "https://api.example.com:8443", "http://127.0.0.1:8080", "http://[::1]",
  ]

  static func origin(_ text: String) throws -> Origin { try #require(URL(string: text).flatMap(Origin.init)) }

  func send(to text: String) async throws -> (error: AuthenticationError?, sent: Int, asked: Int) {
    let client = ScriptedHTTPClient { _ in .success(HTTPResponse(status: 200)) }
    let source = ScriptedSessionSource(.success(.sample(receivedAt: Date(timeIntervalSince1970: 0))))
    let request = HTTPRequest(.get, try #require(URL(string: text)))
    let origins = Set(try Self.allowed.map(Self.origin))
    do throws(AuthenticationError) {
      _ = try await client.authorized(by: source, for: origins).send(request)
      return (nil, client.requests.count, source.rejections.count)
    } catch {
      return (error, client.requests.count, source.rejections.count)
    }
  }

  @Test(arguments: [
    "https://api.example.com", "https://api.example.com/", "https://api.example.com/a?b#c", "https://api.example.com?b",
    "https://api.example.com#c", "HTTPS://API.Example.COM/a", "https://api.example.com:443/a",
    "https://api.example.com:8443/a",
    "http://127.0.0.1:8080/a", "http://[::1]/a", "http://[::1]:80/a", "https://api.example.com/@evil.example",
    "https://api.example.com//evil.example/", "https://api.example.com:/a",
  ])
  func `an allowed origin gets the token, however it is written`(text: String) async throws {
    let result = try await send(to: text)
    #expect(result.error == nil)
    #expect(result.sent == 1)
  }

  @Test(arguments: [
    "https://api.example.com@evil.example/", "https://api.example.com:443@evil.example/",
    "https://user@api.example.com/", "https://user:canary@api.example.com/", "https://@api.example.com.evil.example/",
    "https://api.example.com.evil.example/", "https://evil-api.example.com/", "https://api.example.comevil/",
    "https://api.example.com:99999999999999999999/", "https://api.example.com:65979/", "https://api.example.com:0/",
    "https://example.com/", "https://sub.api.example.com/", "https://api.example.com./", "https://api.example.com:444/",
    "https://api.example.com:84430/", "https://api.example.com:8080/", "https://api.example.com:80/",
    "http://api.example.com/", "http://api.example.com:443/", "http://127.0.0.1/", "https://127.0.0.1:8080/",
    "http://127.0.0.1:80800/", "http://127.0.0.10:8080/", "http://localhost:8080/", "ws://api.example.com/",
    "https://api.example.com\\@evil.example/", "https://api.example.com\\.evil.example/",
    "https://api.example.com%2F@evil.example/", "https://api.example.com%00.evil.example/", "https://аpi.example.com/",
    "https:///api.example.com/", "//api.example.com/", "/things", "https:api.example.com", "file://api.example.com/",
  ])
  func `anything that only resembles it gets nothing`(text: String) async throws {
    guard URL(string: text) != nil else { return }
    let result = try await send(to: text)
    #expect(result.error == .originNotAllowed)
    #expect(result.error?.message.contains("canary") == false)
    #expect(result.sent == 0)
    #expect(result.asked == 0)
  }

  @Test(arguments: [
    ("https://Example.com:443/a?b", "https://example.com"), ("http://example.com:80", "http://example.com"),
    ("https://example.com:80", "https://example.com:80"), ("http://[::1]:8080/", "http://[::1]:8080"),
  ])
  func `an origin is written without its usual port`(text: String, description: String) throws {
    #expect(try Self.origin(text).description == description)
  }

  @Test(arguments: [
    "", "/", "example.com", "ftp://example.com", "https://", "https:///a", "mailto:a@example.com", "file:///",
  ])
  func `an address that is not http or https, or has no host, has no origin`(text: String) {
    #expect(URL(string: text).flatMap(Origin.init) == nil)
  }

  @Test(arguments: [
    ("https://example.com", true), ("http://localhost", true), ("http://127.0.0.1", true),
    ("http://127.255.0.9:1", true),
    ("http://[::1]", true), ("http://example.com", false), ("http://127.0.0.1.example.com", false),
    ("http://localhost.example.com", false), ("http://127.0.0", false), ("http://128.0.0.1", false),
    ("http://127.0.0.256", false), ("http://0.0.0.0", false), ("http://[::2]", false), ("http://10.0.0.1", false),
    ("http://127.0.0.-0", false), ("http://127.0.0.+1", false), ("http://127..0.1", false),
    ("http://127.0.0.1.", false),
  ])
  func `only https and this machine are secure`(text: String, isSecure: Bool) throws {
    #expect(try Self.origin(text).isSecure == isSecure)
  }
}
