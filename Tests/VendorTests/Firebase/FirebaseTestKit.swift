import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization

@testable import AuthenticationFirebase

/// A project, and the answers that its servers give in this order.
struct FirebaseBench {
  let client: ScriptedHTTPClient
  let provider: FirebaseAuthProvider
  let clock = ManualClock()

  init(
    _ answers: HTTPResponse..., project change: (inout FirebaseProject) -> Void = { _ in }
  ) throws {
    let list = Script(answers)
    client = ScriptedHTTPClient { _ in
      if let next = list.next() { .success(next) } else { .failure(.unexpectedResponse) }
    }
    var project = FirebaseProject(apiKey: "key")
    project.continueURL = "https://app.example.org/link"
    change(&project)
    provider = FirebaseAuthProvider(service: try FirebaseService(project, client: client, clock: clock))
  }

  /// The requests: the address without the key, and the body.
  var sent: [String] {
    client.requests.map { request in
      "\(request.url.path()) \(String(decoding: request.body ?? Data(), as: UTF8.self))"
    }
  }
}

/// The answers that are left.
final class Script: Sendable {
  private let answers: Mutex<[HTTPResponse]>
  init(_ answers: [HTTPResponse]) { self.answers = Mutex(answers) }
  func next() -> HTTPResponse? { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

func json(_ status: Int = 200, _ body: String) -> HTTPResponse {
  HTTPResponse(status: status, headers: ["Content-Type": "application/json; charset=UTF-8"], body: Data(body.utf8))
}

func refusal(_ message: String, status: Int = 400) -> HTTPResponse {
  json(
    status, #"{"error":{"code":\#(status),"message":"\#(message)","errors":[{"message":"canary","reason":"invalid"}]}}"#
  )
}

/// A JWT with these claims, whose signature is not checked.
func token(_ claims: String) -> String {
  let payload = Data(claims.utf8).base64EncodedString().filter { $0 != "=" }
    .replacing("+", with: "-").replacing("/", with: "_")
  return "eyJhbGciOiJub25lIn0.\(payload).c2ln"
}

let adaToken = token(
  #"{"sub":"uid-1","email":"ada@example.org","email_verified":true,"iat":1000,"exp":4600,"firebase":{"sign_in_provider":"password"}}"#
)
let ada =
  #"{"localId":"uid-1","email":"ada@example.org","displayName":"Ada","idToken":"\#(adaToken)","refreshToken":"r-1","expiresIn":"3600"}"#

let password = PasswordCredentials(userName: "ada@example.org", password: Secret("pw"))
