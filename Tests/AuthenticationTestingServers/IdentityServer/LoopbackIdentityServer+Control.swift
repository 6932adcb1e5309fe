#if Tools
import AuthenticationDomainTesting
public import Foundation

extension LoopbackIdentityServer {
  /// Makes the endpoint misbehave until another fault, or nil, is set.
  public func set(_ fault: Fault?, on endpoint: Endpoint) {
    state.update { $0.faults[endpoint] = fault }
  }

  /// Ends every access token before its time: the API responds with 401, refresh tokens stay valid.
  public func revokeAllAccessTokens() {
    state.update { $0.ledger.revokeAllAccessTokens() }
  }

  /// Ends the user's sessions: their access tokens too, and a refresh is refused with `invalid_grant`.
  public func revokeFamilies(ofUser username: String) {
    state.update { $0.counters.familiesRevoked += $0.ledger.revokeFamilies(ofUser: username) }
  }

  /// Adds a user, or replaces the one of that name.
  public func addUser(_ account: Account) {
    state.update { $0.ledger.add(account) }
  }

  /// Removes a passkey, as another device of the user does.
  public func removePasskey(_ id: Data, ofUser username: String) {
    state.update { $0.ledger.passkeys.remove(URLSafe.encode(id), of: username) }
  }

  /// From now on requests on the endpoint are processed, but their responses wait for ``release(_:)``.
  public func hold(_ endpoint: Endpoint) {
    state.update { _ = $0.held.insert(endpoint) }
  }

  /// Sends the responses that ``hold(_:)`` kept back.
  public func release(_ endpoint: Endpoint) {
    state.update { _ = $0.held.remove(endpoint) }
  }
}
#endif
