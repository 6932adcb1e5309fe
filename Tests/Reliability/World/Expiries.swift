package import AuthenticationTesting
import Synchronization

/// Access tokens that are over, each counted once.
package final class Expiries: Sendable {
  private let server: LoopbackIdentityServer
  private let tokens = Mutex<Set<String>>([])

  package init(_ server: LoopbackIdentityServer) { self.server = server }

  package var count: Int { tokens.withLock { $0.count } }

  /// Whether this is the first to say so. Then the token is the current one: nothing else makes a process renew.
  package func expire(_ token: String) -> Bool {
    tokens.withLock { tokens in
      guard tokens.insert(token).inserted else { return false }
      server.revokeAllAccessTokens()
      return true
    }
  }
}
