#if Tools
extension LoopbackIdentityServer {
  /// The counts of the server since it was made, or since they were reset.
  public struct Counters: Sendable, Hashable {
    var requests: [Endpoint: Int] = [:]

    /// Sign-ins granted.
    public internal(set) var signIns = 0
    /// Sign-ups granted.
    public internal(set) var signUps = 0
    /// Refreshes that returned tokens.
    public internal(set) var refreshesGranted = 0
    /// Refreshes refused, for any reason.
    public internal(set) var refreshesRefused = 0
    /// Refreshes refused because the token was spent; each also revoked a family.
    public internal(set) var reusesDetected = 0
    /// Families ended by reuse or by ``LoopbackIdentityServer/revokeFamilies(ofUser:)``, not by a sign-out.
    public internal(set) var familiesRevoked = 0
    /// Sign-out requests processed, those for unknown tokens too.
    public internal(set) var signOuts = 0
    /// Responses of the protected API with a status of 200 to 299.
    public internal(set) var resourceCallsAnswered = 0
    /// Responses of the protected API with status 401.
    public internal(set) var resourceCallsUnauthorized = 0
    /// Access and refresh tokens the server would accept now; never reset.
    public internal(set) var tokensAlive = 0
    /// Sign-ins that have not ended; never reset.
    public internal(set) var liveFamilies = 0

    /// Requests that reached the endpoint, with any result.
    public func requests(on endpoint: Endpoint) -> Int {
      requests[endpoint, default: 0]
    }
  }
}
#endif
