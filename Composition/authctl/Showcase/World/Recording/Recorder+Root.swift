import AuthenticationKit

extension Recorder {
  /// Records what the root tells of itself, for as long as the task is not cancelled.
  func follow(_ root: MainRoot) -> Task<Void, Never> {
    let (events, states) = (root.manager.events(), root.manager.states())
    return Task { [self] in
      async let listening: Void = { for await event in events { record(event) } }()
      for await state in states { record(state) }
      await listening
    }
  }

  private func record(_ event: AuthenticationEvent) {
    let outcome = [event.detail, event.failure.map { "failed: \($0.code)" }].compactMap(\.self)
    step(.init(event.name), event.name.sentence, outcome.joined(separator: " "))
  }

  private func record(_ state: AuthenticationState) {
    switch state {
    case .unknown: step(.state, "not known yet")
    case .unavailable(let error): step(.state, "unavailable", "\(error.code)")
    case .signedOut(let reason): step(.state, "signed out", "\(reason)")
    case .challenged(let challenge): step(.state, "a second step", "\(challenge.kind.id)")
    case .signedIn(let active): step(.state, "signed in", "\(active.session.user.id), \(active.freshness)")
    }
  }
}

extension Backstage.Station {
  fileprivate init(_ name: AuthenticationEvent.Name) {
    switch name {
    case .storage, .conflict: self = .store
    case .retry: self = .decorators
    case .signOut: self = .state
    default: self = .provider
    }
  }
}

extension AuthenticationEvent.Name {
  fileprivate var sentence: String {
    switch self {
    case .signIn: "a sign-in ended"
    case .refresh: "a refresh ended"
    case .retry: "retrying a refresh"
    case .conflict: "another process wrote"
    case .signOut: "the session ended"
    case .revocation: "tokens were revoked"
    default: description
    }
  }
}
