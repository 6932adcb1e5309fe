import AuthenticationKit
import Foundation
import Synchronization

/// A provider of the consumer's own, written against the public API alone: it knows one member.
final class MembersOnly: RemoteAuthProvider {
  private let count = Mutex(0)
  private let revocations = Mutex(0)

  var revoked: Int { revocations.withLock { $0 } }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    guard let credentials = request.credentials as? PasswordCredentials,
      credentials.password.reveal() == "correct horse"
    else {
      throw AuthenticationError(.invalidCredentials, "Not a member.")
    }
    return .session(AuthSession(user: User(id: "7", name: credentials.userName), tokens: try tokens()))
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens { try tokens() }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    revocations.withLock { $0 += 1 }
  }

  private func tokens() throws(AuthenticationError) -> SessionTokens {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return SessionTokens(
      access: try AccessToken(Secret("access-\(number)"), receivedAt: Date(), lifetime: .seconds(3_600)),
      refresh: Secret("refresh-\(number)"))
  }
}
