import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// A server that repeats the request, in place of a code.
@Suite struct EchoedSecretTests {
  static let url = URL(string: "https://api.example.com/login")!

  /// Each holds the password `Hunter.2`.
  static let requests: [(String, HTTPRequest)] = [
    ("JSON", HTTPRequest(.post, url, body: Data(#"{"user":"ada","password":"Hunter.2"}"#.utf8))),
    ("nested JSON", HTTPRequest(.post, url, body: Data(#"{"a":[{"b":"Hunter.2"}]}"#.utf8))),
    ("escaped JSON", HTTPRequest(.post, url, body: Data(#"{"a":"\u0048unter.2"}"#.utf8))),
    ("a form", HTTPRequest(.post, url, body: Data("name=ada&password=Hunter.2&c=d".utf8))),
    ("an encoded form", HTTPRequest(.post, url, body: Data("password=%48unter%2E2".utf8))),
    ("a text", HTTPRequest(.post, url, body: Data("Hunter.2".utf8))),
    ("a header", HTTPRequest(.post, url, headers: ["X-Password": "Hunter.2"])),
    ("a token", HTTPRequest(.post, url, headers: ["Authorization": "Bearer Hunter.2"])),
    ("Basic", HTTPRequest(.post, url, headers: basic("ada:Hunter.2"))),
    ("an encoded Basic", HTTPRequest(.post, url, headers: basic("ada:%48unter.2"))),
    ("the path", HTTPRequest(.get, url.appending(path: "Hunter.2/x"))),
    ("an encoded path", HTTPRequest(.get, URL(string: "https://api.example.com/%48unter%2e2")!)),
    ("the query", HTTPRequest(.get, url.appending(queryItems: [URLQueryItem(name: "p", value: "Hunter.2")]))),
  ]

  private static func basic(_ text: String) -> HTTPHeaders {
    ["Authorization": "Basic \(Data(text.utf8).base64EncodedString())"]
  }

  func answered(_ request: HTTPRequest, _ body: String = "{}") async throws -> HTTPResponse {
    let environment = AuthProviderConfiguration.Environment(
      httpClient: ScriptedHTTPClient { _ in .success(json(401, body)) }, clock: ManualClock())
    return try await environment.httpClient.send(request)
  }

  @Test(arguments: requests.indices) func `a code is never a text that the request held`(index: Int) async throws {
    let (form, request) = Self.requests[index]
    let response = try await answered(request)
    for code in ["Hunter.2", "hunter.2", "HUNTER.2"] {
      #expect(HTTPErrorMapper.map(response, code: code, now: Date()).providerCode == nil, "\(form)")
    }
    for code in ["invalid_credentials", "Hunter", "password", "Hunter.22"] {
      #expect(HTTPErrorMapper.map(response, code: code, now: Date()).providerCode == code, "\(form)")
    }
  }

  @Test func `a code that was typed as a number is none either`() async throws {
    let response = try await answered(HTTPRequest(.post, Self.url, body: Data(#"{"code":123456}"#.utf8)))
    #expect(HTTPErrorMapper.map(response, code: "123456", now: Date()).providerCode == nil)
  }

  @Test func `a backend by contract that repeats the password has no code, and the meaning stays`() async throws {
    for (status, meaning) in [(401, AuthenticationError.invalidCredentials), (422, .unexpectedResponse)] {
      let error = try await refusal(status, #"{"error":"hunter2"}"#)
      #expect(error == meaning && error?.providerCode == nil)
    }
    let weak = try await refusal(
      422, #"{"error":"weak_password","passwordRules":["12 characters","HUNTER2","not hunter2"]}"#)
    #expect(weak?.providerCode == "weak_password")
    #expect(weak?.passwordRules == ["12 characters"])
    #expect(try await refusal(401, #"{"error":"locked"}"#)?.providerCode == "locked")
  }

  private func refusal(_ status: Int, _ body: String) async throws -> AuthenticationError? {
    let environment = AuthProviderConfiguration.Environment(
      httpClient: ScriptedHTTPClient { _ in .success(json(status, body)) }, clock: ManualClock())
    let provider = try AuthProviderConfiguration.api(baseURL: "https://api.example.com").make(environment).provider
    do throws(AuthenticationError) {
      _ = try await provider.signIn(SignInRequest(.password(userName: "ada", password: Secret("hunter2"))))
      return nil
    } catch { return error }
  }
}
