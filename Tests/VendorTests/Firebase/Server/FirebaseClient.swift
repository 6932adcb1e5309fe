import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Raw requests to the loopback server, with no adapter in between.
struct FirebaseClient {
  let clock = ManualClock()
  let firebase: LoopbackFirebase
  private let url: URL
  private let http: SystemHTTPClient

  init(_ change: (inout LoopbackFirebase.Options) -> Void = { _ in }) async throws {
    var options = LoopbackFirebase.Options()
    change(&options)
    firebase = LoopbackFirebase(options, clock: clock)
    url = try await firebase.start()
    http = try SystemHTTPClient()
  }

  func accounts(_ operation: String, _ body: [String: JSONValue]) async throws -> JSONMembers {
    try await post("identitytoolkit.googleapis.com/v1/accounts:\(operation)", body)
  }

  func factors(_ operation: String, _ body: [String: JSONValue]) async throws -> JSONMembers {
    try await post("identitytoolkit.googleapis.com/v2/accounts/\(operation)", body)
  }

  func refresh(_ token: String) async throws -> JSONMembers {
    try await send(
      "securetoken.googleapis.com/v1/token", Data("grant_type=refresh_token&refresh_token=\(token)".utf8),
      type: "application/x-www-form-urlencoded", key: "api-key")
  }

  func post(_ path: String, _ body: [String: JSONValue], key: String = "api-key") async throws -> JSONMembers {
    try await send(path, try JSONEncoder().encode(body), type: "application/json", key: key)
  }

  func send(_ path: String, _ body: Data, type: String, key: String) async throws -> JSONMembers {
    let address = try #require(URL(string: "\(url.absoluteString)/\(path)?key=\(key)"))
    let response = try await http.send(HTTPRequest(.post, address, headers: ["Content-Type": type], body: body))
    return try #require(JSONMembers(json: response.body))
  }

  /// Ada, signed in.
  func signIn(_ password: String = "correct horse") async throws -> JSONMembers {
    try await accounts(
      "signInWithPassword", ["email": "ada@example.com", "password": .string(password), "returnSecureToken": true])
  }

  @discardableResult
  func addAda(factorSecret: String? = nil, factorPhone: String? = nil) -> String {
    firebase.addAccount(
      email: "ada@example.com", password: "correct horse", factorSecret: factorSecret, factorPhone: factorPhone)
  }
}

extension JSONMembers {
  /// The content of a refusal.
  var refusal: String? { members("error")?["message"] }

  func text(_ name: String) throws -> JSONValue { .string(try required(name)) }
}
