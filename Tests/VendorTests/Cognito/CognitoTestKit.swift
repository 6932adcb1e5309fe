import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationCognito

/// A pool whose responses a test scripts, operation by operation; a test that another request is made in fails.
final class ScriptedPool: Sendable {
  struct Call: Sendable {
    let operation: String
    let body: [String: JSONValue]
    let request: HTTPRequest

    func parameter(_ name: String, in group: String = "AuthParameters") -> String? {
      if case .object(let members) = body[group] { members[name]?.text } else { nil }
    }

    func answer(_ name: String) -> String? { parameter(name, in: "ChallengeResponses") }
  }

  private let calls_ = Mutex<[Call]>([])
  private let script: Mutex<[(String, HTTPResponse)]>

  init(_ script: (String, HTTPResponse)...) { self.script = Mutex(script) }

  var calls: [Call] { calls_.withLock { $0 } }
  var operations: [String] { calls.map(\.operation) }
  var isUsedUp: Bool { script.withLock { $0.isEmpty } }

  func add(_ more: (String, HTTPResponse)...) { script.withLock { $0 += more } }

  var client: ScriptedHTTPClient {
    ScriptedHTTPClient { request in
      let target = request.headers["X-Amz-Target"] ?? ""
      let operation = String(target.drop { $0 != "." }.dropFirst())
      let body = (try? JSONDecoder().decode([String: JSONValue].self, from: request.body ?? Data())) ?? [:]
      self.calls_.withLock { $0.append(Call(operation: operation, body: body, request: request)) }
      let next = self.script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      guard let next, next.0 == operation else {
        Issue.record("\(operation) was not expected")
        return .failure(.unreachable)
      }
      return .success(next.1)
    }
  }

  func provider(
    _ change: (inout CognitoUserPool) -> Void = { _ in }, clock: ManualClock = ManualClock(),
    storage: any SecureStorage = InMemoryStorage(), random: [UInt8]? = nil
  ) throws -> CognitoAuthProvider {
    var pool = CognitoUserPool(
      id: "us-east-1_AbCdEfGhI", clientID: "client1", methods: CognitoAuthProvider.possibleMethods)
    change(&pool)
    let environment = AuthProviderConfiguration.Environment(
      httpClient: client, clock: clock, storage: storage,
      randomBytes: { count in random ?? [UInt8](repeating: 0x5A, count: count) })
    return try #require(try AuthProviderConfiguration.cognito(pool).make(environment).provider as? CognitoAuthProvider)
  }
}

/// A response as Cognito sends it.
func amz(_ status: Int = 200, _ body: String, headers: [String: String] = [:]) -> HTTPResponse {
  var fields: HTTPHeaders = ["Content-Type": "application/x-amz-json-1.1"]
  for (name, value) in headers { fields[name] = value }
  return HTTPResponse(status: status, headers: fields, body: Data(body.utf8))
}

/// An error as Cognito sends it. No text of an error of ours may hold its message.
func amzError(_ type: String, _ message: String = "canary") -> HTTPResponse {
  amz(400, #"{"__type":"\#(type)","message":"\#(message)"}"#)
}

/// A challenge as Cognito sends it.
func asking(_ name: String, _ parameters: String = "{}", session: String? = "session-1") -> HTTPResponse {
  let session = session.map { #","Session":"\#($0)""# } ?? ""
  return amz(#"{"ChallengeName":"\#(name)","ChallengeParameters":\#(parameters)\#(session)}"#)
}

func amz(_ body: String) -> HTTPResponse { amz(200, body) }

/// Tokens as Cognito sends them, of the user with this id.
func signedIn(_ id: String = "sub-1", extra: String = "") -> HTTPResponse {
  amz(
    #"{"AuthenticationResult":{"AccessToken":"canary-access","IdToken":"\#(idToken(id))","RefreshToken":"canary-refresh","ExpiresIn":3600,"TokenType":"Bearer"\#(extra)},"ChallengeParameters":{}}"#
  )
}

/// An ID token without a signature.
private func idToken(_ id: String) -> String {
  let claims =
    #"{"sub":"\#(id)","email":"ada@example.org","email_verified":"true","cognito:username":"name-1","custom:team":"7"}"#
  let payload = Data(claims.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
    .replacing("/", with: "_")
  return "e30.\(payload).c2ln"
}

extension AuthSession {
  static func cognito(clock: ManualClock = ManualClock()) throws -> AuthSession {
    let access = try AccessToken(Secret("canary-access"), receivedAt: clock.now, lifetime: .seconds(3_600))
    return AuthSession(
      user: User(id: "sub-1", email: "ada@example.org", claims: ["cognito:username": "name-1"]),
      tokens: SessionTokens(access: access, refresh: Secret("canary-refresh")))
  }
}
