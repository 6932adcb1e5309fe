#if Tools && OpenID
import AuthenticationDomainTesting

extension LoopbackOpenIDIssuer {
  /// The counts of the issuer since it was made.
  public struct Counters: Sendable, Hashable {
    /// Authorization codes that became tokens.
    public internal(set) var codesRedeemed = 0
    /// Refreshes that became tokens.
    public internal(set) var refreshesGranted = 0
    /// Refreshes that were refused.
    public internal(set) var refreshesRefused = 0
    /// Spent refresh tokens or codes used again; each ended a sign-in.
    public internal(set) var reusesDetected = 0
    /// Requests to revoke a token that it knew.
    public internal(set) var revocations = 0
    /// Sessions that ended on its page.
    public internal(set) var sessionsEnded = 0
    /// Proofs of possession that were accepted.
    public internal(set) var proofsAccepted = 0
    /// Sign-ins that have not ended.
    public internal(set) var liveSignIns = 0
  }

  /// The counts so far.
  public var counters: Counters {
    let state = state.value
    var counters = state.counters
    counters.liveSignIns = state.signIns.count
    return counters
  }

  /// Every request on the endpoint so far, the oldest first.
  public func requests(on endpoint: Endpoint) -> [RecordedRequest] {
    state.value.recorded.filter { $0.endpoint == endpoint }.map(\.request)
  }

  /// Requests on the token endpoint for this grant.
  public func tokenRequests(for grant: String) -> [RecordedRequest] {
    requests(on: .token).filter { $0.form["grant_type"] == grant }
  }

  /// Every request of the server so far in order, those on unknown paths too.
  package var allRequests: [RecordedRequest] { state.value.recorded.map(\.request) }

  /// Forgets the recorded requests.
  package func forgetRequests() {
    state.update { $0.recorded = [] }
  }

  /// Returns as soon as the endpoint has received this many requests (or the task is cancelled).
  public func waitForRequest(on endpoint: Endpoint, count: Int = 1) async {
    await state.wait { $0.recorded.count { $0.endpoint == endpoint } >= count }
  }
}
#endif
