import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// Proofs that name their purpose and number; asks again as a test says.
final class CountingProof: RequestProof {
  private struct Contents {
    var count = 0
    var asksAgain: [Bool] = []
    var answers: [Int] = []
    var fails = false
  }

  private let contents = Mutex(Contents())

  /// The statuses it learned from.
  var answers: [Int] { contents.withLock { $0.answers } }
  func ask(again: Bool...) { contents.withLock { $0.asksAgain = again } }
  func fail() { contents.withLock { $0.fails = true } }

  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {
    let (count, fails) = contents.withLock { contents in
      contents.count += 1
      return (contents.count, contents.fails)
    }
    if fails { throw AuthenticationError(.storageCorrupt, "Scripted.") }
    request.headers["DPoP"] =
      "\(request.method.rawValue) \(request.url.path()) \(session.accessToken.value.reveal()) #\(count)"
  }

  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
    contents.withLock { contents in
      contents.answers.append(response.status)
      return contents.asksAgain.isEmpty ? false : contents.asksAgain.removeFirst()
    }
  }
}
