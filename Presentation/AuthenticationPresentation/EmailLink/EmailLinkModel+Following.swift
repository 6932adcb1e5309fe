public import AuthenticationDomain

extension EmailLinkModel {
  /// Asks for a link, or proves with the address the one that was opened.
  public func submit(_ input: SignInInput = SignInInput()) {
    guard var form else { return }
    let fields = form.submit(flows.rules)
    switch state {
    case .askingEmail:
      guard let fields else { return state = .askingEmail(form, nil) }
      do throws(AuthenticationError) {
        let attempt = try flows.attempts.begin(.emailLink)
        state = .sending(form, attempt: attempt.id)
        send(fields, input, attempt)
      } catch {
        state = .askingEmail(form, flows.failure(error))
      }
    case .openedElsewhere(_, _, let id):
      guard let fields, let attempt = following.attempt else {
        return state = .openedElsewhere(form, nil, attempt: id)
      }
      state = .proving(form, attempt: id)
      send(fields, input, attempt)
    default: break
    }
  }

  private func send(_ fields: [SignInMethod.Need: String], _ input: SignInInput, _ attempt: SignInAttempt) {
    attempt.submit(input.with(fields, for: .emailLink))
    follow(attempt)
  }

  /// Takes a link that the system passed to the app. One that this attempt did not ask for is refused in words.
  public func open(_ link: Secret) async {
    do throws(AuthenticationError) {
      let attempt = try await flows.attempts.open(link)
      if case .waiting(let wait) = state { state = .verifying(wait) }
      follow(attempt)
    } catch {
      if case .waiting(var wait) = state {
        wait.failure = flows.failure(error)
        state = .waiting(wait)
      } else if case .askingEmail(let form, _) = state {
        state = .askingEmail(form, flows.failure(error))
      }
    }
  }

  /// Whether another link may be sent now.
  public var canResend: Bool {
    switch state {
    case .waiting(let wait), .expired(let wait): wait.resendAt?.isOver(by: flows.clock) ?? false
    default: false
    }
  }

  /// Has another link sent to the same address. Does nothing before it may.
  public func resend() {
    guard canResend, let attempt = following.attempt else { return }
    switch state {
    case .waiting(let wait), .expired(let wait): state = .resending(wait)
    default: return
    }
    attempt.resend()
    show(attempt.state, of: attempt)
  }

  /// Asks for the address again; what was sent is taken no more.
  public func startAgain() {
    guard following.cancel() else { return }
    state = .askingEmail(form ?? EntryForm([.emailAddress]), nil)
  }

  public func finished() async { await following.finished() }

  func follow(_ attempt: SignInAttempt) {
    following.follow(attempt) { [weak self] in self?.show($0, of: attempt) }
    watchExpiry()
  }

  private func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .collecting:
      if case .openedElsewhere = state { return }
      state = .openedElsewhere(EntryForm([.emailAddress]), nil, attempt: attempt.id)
    case .submitting, .waitingElsewhere:
      if case .waiting(let wait) = state { state = .verifying(wait) }
      if case .expired(let wait) = state { state = .verifying(wait) }
    case .challenged(let challenge, let error): show(challenge, error, of: attempt)
    case .failed(let error): fail(error)
    case .ended(.signedIn(let user)):
      if case .done = state { return }
      state =
        SignInCompletion(user, of: attempt, by: flows.control).map(State.done)
        ?? .askingEmail(EntryForm([.emailAddress]), nil)
    case .ended: state = .askingEmail(form ?? EntryForm([.emailAddress]), nil)
    }
  }

  private func show(_ challenge: Challenge, _ error: AuthenticationError?, of attempt: SignInAttempt) {
    guard challenge.kind == .link else { return state = .next(challenge, attempt: attempt.id) }
    var wait = LinkWait(challenge, of: attempt, by: flows.clock)
    switch state {
    case .waiting(let former) where former.challenge.handle == challenge.handle: return
    case .expired(let former) where former.challenge.handle == challenge.handle: return
    case .verifying(let former) where error?.code == .codeExpired: return state = .expired(former)
    case .verifying(let former), .resending(let former): wait.failure = former.failure
    default: break
    }
    if let error, !error.isSilent { wait.failure = flows.failure(error) }
    state = .waiting(wait)
    watchExpiry()
  }

  private func fail(_ error: AuthenticationError) {
    let failure = error.isSilent ? nil : flows.failure(error)
    switch state {
    case .sending(let form, _): state = .askingEmail(form, failure)
    case .proving(let form, let id): state = .openedElsewhere(form, failure, attempt: id)
    case .verifying(let wait), .resending(let wait):
      if [.signInExpired, .codeExpired].contains(error.code) { return state = .expired(wait) }
      state = .askingEmail(EntryForm([.emailAddress]), failure)
    case .waiting: state = .askingEmail(EntryForm([.emailAddress]), failure)
    default: break
    }
  }

  private func watchExpiry() {
    guard case .waiting(let wait) = state else { return expiry.set(nil) {} }
    expiry.set(wait.expiresAt) { [weak self] in
      if case .waiting(let wait) = self?.state { self?.state = .expired(wait) }
    }
  }
}
