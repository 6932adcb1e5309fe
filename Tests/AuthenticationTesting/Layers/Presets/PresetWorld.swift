import AuthenticationDomain
import AuthenticationDomainTesting
import AuthenticationPresentation

/// The dependencies of the presets: a clock that stands, and no server.
@MainActor
struct PresetWorld {
  let clock = ManualClock()
  let manager: ScriptedAuthManager
  let flows: FlowEnvironment

  init(_ words: Words, _ state: AuthenticationState = .signedOut(.absent)) {
    manager = ScriptedAuthManager(state)
    let methods: [SignInProcess] = [.password, .phoneCode, .emailCode, .emailLink, .anonymous]
    flows = FlowEnvironment(
      attempts: SignInAttempts(methods, useCase: manager, clock: clock), control: StandingControl(state: state),
      clock: clock,
      words: words)
  }

  var session: AuthSession { .sample(receivedAt: clock.now) }

  func failure(_ error: AuthenticationError) -> FlowFailure { flows.failure(error) }
  func deadline(_ seconds: Int) -> Deadline { Deadline(in: .seconds(seconds), by: clock) }

  /// An attempt that is not in progress.
  var attempt: SignInAttempt {
    do { return try flows.attempts.begin(.password) } catch {
      preconditionFailure("A preset must be well formed: \(error)")
    }
  }

  func filled(_ needs: [SignInMethod.Need] = [.userName, .password]) -> EntryForm {
    EntryForm(
      needs, filled: [.userName: "ada", .password: "correct horse", .emailAddress: "ada@example.com"])
  }

  /// A form whose submit has found everything missing.
  func missing(_ needs: [SignInMethod.Need] = [.userName, .password]) -> EntryForm {
    var form = EntryForm(needs)
    form.submit(flows.rules)
    return form
  }

  var sms: Challenge {
    Challenge(
      kind: .smsCode, destination: "•••• 42", handle: Secret("sms"), format: .digits(6), lifetime: .seconds(300),
      resendDelay: .seconds(60))
  }

  var link: Challenge {
    Challenge(
      kind: .link, destination: "a•••@example.com", handle: Secret("link"), lifetime: .seconds(600),
      resendDelay: .seconds(60))
  }

  func entry(_ challenge: Challenge? = nil, typed: String = "", failed: AuthenticationError? = nil) -> CodeEntry {
    var entry = CodeEntry(challenge ?? sms, by: clock)
    entry.text = typed
    if let failed { entry.fail(failed, by: clock) }
    return entry
  }
}

/// Knows one state, and never another.
private struct StandingControl: SessionControl {
  let state: AuthenticationState

  func states() -> AsyncStream<AuthenticationState> { AsyncStream { $0.finish() } }
  func restore() async -> AuthenticationState { state }
  func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError) {}
}
