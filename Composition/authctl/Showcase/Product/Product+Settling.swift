import AuthenticationKit
import Observation

extension Product {
  /// Whether the next page would only say that something is on its way.
  var isBusy: Bool {
    if let account {
      if account.isBusy { return true }
      if case .next = account.state, ceremony == nil { return true }
      if case .reauthenticating(_, let model) = account.state, case .proving(let step) = model.state {
        return isBusy(with: step)
      }
    }
    if let reset, reset.isBusy { return true }
    switch signIn.state {
    case .unknown: return true
    case .storeLocked(let store): if case .retrying = store.state { return true }
    case .signedOut(_, let step), .expired(_, let step): return isBusy(with: step)
    case .signedIn(let session, _): return session.isWorking
    }
    return false
  }

  /// A step that the browser takes part in has nothing to show before the browser is asked.
  private func isBusy(with step: SignInStep) -> Bool {
    switch step {
    case .passkey(let model): if case .prompting = model.state { ceremony == nil } else { false }
    case .browser(let model): model.isWorking && page == nil
    default: step.isBusy
    }
  }

  /// Returns once there is something to show, or after ``longestWait``: what is still on its way then comes as an event.
  func settle() async {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let limit = Task { [longestWait] in
      try? await Task.sleep(for: longestWait)
      change.finish()
    }
    defer { limit.cancel() }
    watch(change)
    for await _ in changes {
      // The models follow streams: what has happened may take a turn of this actor to reach them.
      await Task.yield()
      guard isBusy else { return }
      watch(change)
    }
  }

  /// The next change ends one wait.
  private func watch(_ change: AsyncStream<Void>.Continuation) {
    let isBusy = withObservationTracking {
      self.isBusy
    } onChange: {
      change.yield()
    }
    if !isBusy { change.yield() }
  }
}

extension AccountModel {
  fileprivate var isBusy: Bool {
    switch state {
    case .loading, .changing, .verifying, .deleting: true
    case .reauthenticating(_, let model): model.isBusy
    default: false
    }
  }
}

extension ReauthenticationModel {
  fileprivate var isBusy: Bool {
    switch state {
    case .checking, .resuming: true
    default: false
    }
  }
}

extension PasswordResetModel {
  fileprivate var isBusy: Bool {
    switch state {
    case .requesting, .verifying, .resending, .submitting: true
    default: false
    }
  }
}

extension SignInStep {
  var isBusy: Bool {
    switch self {
    case .form(let model): model.isWorking
    case .link(let model): model.isBusy
    case .device(let model): if case .requesting = model.state { true } else { false }
    case .signUp(let model): model.isBusy
    case .code(let model): model.isWorking
    case .factors(let model): if case .preparing = model.state { true } else { false }
    case .newPassword(let model): if case .submitting = model.state { true } else { false }
    case .methods, .browser, .passkey, .other: false
    }
  }
}

extension EmailLinkModel {
  fileprivate var isBusy: Bool {
    switch state {
    case .sending, .resending, .verifying, .proving: true
    default: false
    }
  }
}

extension SignUpModel {
  fileprivate var isBusy: Bool {
    switch state {
    case .submitting: true
    case .confirming(let model): model.isWorking
    default: false
    }
  }
}
