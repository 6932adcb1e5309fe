#if Tools
import AuthenticationDomain
import AuthenticationDomainTesting
public import Foundation

extension LoopbackIdentityServer {
  /// A snapshot.
  public var counters: Counters {
    let state = state.value
    var counters = state.counters
    counters.tokensAlive = state.ledger.tokensAlive(at: clock.now)
    counters.liveFamilies = state.ledger.liveFamilies
    return counters
  }

  /// The code that was last sent to a user; nil if none is waited for.
  public func code(ofUser username: String) -> String? {
    state.value.ledger.sentCodes.values.filter { $0.username == username }.max { $0.number < $1.number }?.code
  }

  /// A user that the server knows; nil if there is none of this name.
  public func account(ofUser username: String) -> Account? { state.value.ledger.accounts[username] }

  /// The ids of the passkeys that are accepted for a user.
  public func passkeys(ofUser username: String) -> Set<Data> {
    Set(state.value.ledger.passkeys.ids(of: username).compactMap(URLSafe.decode))
  }

  /// Starts counting anew, and forgets the recorded requests.
  public func resetCounters() {
    state.update { $0.resetCounters() }
  }

  /// The last 100 requests on the endpoint, oldest first.
  public func requests(on endpoint: Endpoint) -> [RecordedRequest] {
    state.value.recorded[endpoint, default: []]
  }

  /// Returns as soon as the endpoint has received and processed this many requests (or the task is cancelled).
  public func waitForRequest(on endpoint: Endpoint, count: Int = 1) async {
    await state.wait { $0.counters.requests(on: endpoint) >= count }
  }
}
#endif
