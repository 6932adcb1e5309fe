#if Tools && OpenID
import AuthenticationDomainTesting

extension LoopbackOpenIDIssuer {
  /// How the issuer misbehaves from now on.
  package var quirks: Quirks {
    get { state.value.quirks }
    set { state.update { $0.quirks = newValue } }
  }

  /// The action of the user at the browser from now on; at first Ada approves.
  public var user: UserAction {
    get { state.value.user }
    set { state.update { $0.user = newValue } }
  }

  /// Makes the endpoint misbehave: for so many requests, or until another fault or nil is set.
  public func set(_ fault: Fault?, on endpoint: Endpoint, times: Int = .max) {
    state.update { $0.faults[.endpoint(endpoint)] = fault.map { PlannedFault(fault: $0, remaining: times) } }
  }

  /// The same for one grant of the token endpoint, such as `refresh_token`.
  public func set(_ fault: Fault?, onGrant grant: String, times: Int = .max) {
    state.update { $0.faults[.grant(grant)] = fault.map { PlannedFault(fault: $0, remaining: times) } }
  }

  /// From now on requests on the endpoint are processed, but their responses wait for ``release(_:)``.
  public func hold(_ endpoint: Endpoint) {
    state.update { _ = $0.held.insert(endpoint) }
  }

  /// Sends the responses that ``hold(_:)`` kept back.
  public func release(_ endpoint: Endpoint) {
    state.update { _ = $0.held.remove(endpoint) }
  }

  /// Signs with a new key from now on, of the same algorithm unless told otherwise.
  package func rotateKeys(to algorithm: SigningAlgorithm? = nil, keepingOld: Bool = false) {
    state.update { state in
      state.keys.rotate(to: algorithm ?? state.keys.current.algorithm, keepingOld: keepingOld)
    }
  }

  /// Accepts only proofs with a new nonce from now on, where a nonce is required.
  package func rotateNonce() {
    state.update { $0.refreshNonce() }
  }

  /// Ends every access token before its time; refresh tokens stay good.
  public func revokeAllAccessTokens() {
    state.update { $0.accessTokens.removeAll() }
  }

  /// Ends every sign-in: a refresh is refused with `invalid_grant`.
  public func revokeAllSignIns() {
    state.update { state in
      for id in state.signIns.keys { state.end(id) }
    }
  }
}
#endif
