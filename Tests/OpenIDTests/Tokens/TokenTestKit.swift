import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation

@testable import AuthenticationOpenID

typealias Answer = Result<HTTPResponse, AuthenticationError>

/// An answer with a JSON content type, unless another one is given.
func json(
  _ status: Int, _ body: String, type: String? = "application/json", _ headers: HTTPHeaders = [:]
) -> HTTPResponse {
  var headers = headers
  headers["Content-Type"] = type
  return HTTPResponse(status: status, headers: headers, body: Data(body.utf8))
}

/// The error of a call, or nil.
func failure<Value>(of call: () async throws -> Value) async -> AuthenticationError? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? AuthenticationError
  }
}

/// Every text that an error can become.
func texts(of error: any Error) -> String {
  var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription) "
  if let code = (error as? AuthenticationError)?.providerCode { text += code }
  dump(error, to: &text)
  return text
}

extension HTTPRequest {
  /// Method, URL, headers in their order, and body.
  var wire: [String] {
    [method.rawValue, url.absoluteString] + headers.fields.map { "\($0.name): \($0.value.reveal())" }
      + [body.map { String(decoding: $0, as: UTF8.self) } ?? "no body"]
  }

  /// The claims and header of its proof, as text; empty where it has none.
  var proof: (header: String, claims: [String: Any]) {
    let parts = (headers["DPoP"] ?? "").split(separator: ".").map { Base64URL.decode($0) ?? Data() }
    guard parts.count == 3 else { return ("", [:]) }
    let claims = try? JSONSerialization.jsonObject(with: parts[1]) as? [String: Any]
    return (String(decoding: parts[0], as: UTF8.self), claims ?? [:])
  }
}

enum Form {
  static let headers = ["Content-Type: application/x-www-form-urlencoded", "Accept: application/json"]
}

/// A token endpoint with everything around it scripted.
struct TokenBench {
  static let url = URL(string: "https://id.example.com//token?tenant=1")!

  var client = OpenIDClient(issuer: "https://id.example.com", clientID: "app")
  let clock = ManualClock()
  let http: ScriptedHTTPClient
  let nonces = DPoPNonces()

  init(_ answers: Answer...) {
    let script = ScriptedAnswers(answers)
    http = ScriptedHTTPClient { _ in script.next() }
  }

  init(answer: @escaping @Sendable (HTTPRequest) async -> Answer) { http = ScriptedHTTPClient(answer: answer) }

  var environment: AuthProviderConfiguration.Environment {
    AuthProviderConfiguration.Environment(httpClient: http, clock: clock)
  }

  var endpoint: TokenEndpoint { endpoint(over: http) }

  func endpoint(over http: any HTTPClient) -> TokenEndpoint {
    TokenEndpoint(
      url: Self.url, client: client, environment: .init(httpClient: http, clock: clock), nonces: nonces)
  }
}
