import AuthenticationDomain
public import AuthenticationPresentation

extension MainRoot {
  /// What the models of the flows are made of.
  ///
  /// - Parameter words: what is said to the person, in which language.
  public func flows(in words: Words = Words()) -> FlowEnvironment {
    FlowEnvironment(attempts: attempts, control: manager, clock: clock, words: words)
  }

  /// A new view model, one for each screen; all of them follow the same stream of states.
  ///
  /// - Parameters:
  ///   - flows: by default in English.
  ///   - onCompletion: called once for each attempt of this model that made a session.
  @MainActor
  public func makeViewModel(
    _ flows: FlowEnvironment? = nil, onCompletion: @escaping @MainActor (SignInCompletion) -> Void = { _ in }
  ) -> AuthenticationViewModel {
    let flows = flows ?? self.flows()
    return AuthenticationViewModel(flows, session: makeSessionModel(flows), onCompletion: onCompletion)
  }

  /// A new model of the session, which ends it here or, if the provider can, everywhere.
  @MainActor
  public func makeSessionModel(_ flows: FlowEnvironment? = nil) -> SessionModel {
    SessionModel(
      in: flows ?? self.flows(), provider: providerName,
      sessions: account.abilities.contains(.sessions) ? account : nil,
      deliver: { [manager] in await manager.deliverRevocations() })
  }
}
