import AuthenticationDomain
import Foundation
import Synchronization

/// Gives sessions in the order a test wrote them, and records which token each one was asked to replace.
final class ScriptedSessionSource: SessionSource {
  private struct Contents {
    var answers: [Result<AuthSession, AuthenticationError>]
    var rejections: [AccessToken?] = []
    var dates: [Date] = []
  }

  private let contents: Mutex<Contents>

  convenience init(_ answers: Result<AuthSession, AuthenticationError>...) { self.init(answers) }

  init(_ answers: [Result<AuthSession, AuthenticationError>]) { contents = Mutex(Contents(answers: answers)) }

  /// One for each call: nil where no token was rejected.
  var rejections: [AccessToken?] { contents.withLock { $0.rejections } }

  /// The dates of servers.
  var dates: [Date] { contents.withLock { $0.dates } }

  func noteServerDate(_ date: () -> Date?) {
    guard let date = date() else { return }
    contents.withLock { $0.dates.append(date) }
  }

  func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession {
    try contents.withLock { contents -> Result<AuthSession, AuthenticationError> in
      contents.rejections.append(rejected)
      return contents.answers.isEmpty ? .failure(.notSignedIn) : contents.answers.removeFirst()
    }.get()
  }
}
