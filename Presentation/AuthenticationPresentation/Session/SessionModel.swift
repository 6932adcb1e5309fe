public import AuthenticationDomain
import Foundation

/// Shows a session, and ends it: here, or on every device.
///
/// ```swift
/// let model = SessionModel(in: flows, provider: root.providerName, canSignOutEverywhere: true) {
///   await root.manager.deliverRevocations()
/// }
/// model.signOut(scope: .everywhere)
/// ```
public final class SessionModel: Flow<SessionModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// It is not known whether a user is signed in.
    case unknown
    /// A user is signed in; the failure says why the last sign-out failed.
    case shown(SessionSummary, FlowFailure?)
    /// Something would be lost for ever: the user confirms it, or keeps the session.
    case confirming(SessionSummary, SignOutLoss, everywhere: Bool)
    /// The session is erased here.
    case signingOut(SessionSummary, everywhere: Bool)
    /// No user is signed in.
    case signedOut(SignOutReason, RemoteEnd)
  }

  /// The provider's name, as the app shows it.
  package let provider: String?
  /// Whether sessions on other devices can be ended.
  public let canSignOutEverywhere: Bool
  private let deliver: (@Sendable () async -> [AuthenticationError])?

  /// Follows the session.
  ///
  /// - Parameters:
  ///   - flows: the shared parts of an app's models.
  ///   - provider: its name, as the user knows it; nil shows none.
  ///   - canSignOutEverywhere: whether the provider can end the sessions on other devices. By default false.
  ///   - deliver: sends the queued revocations, and returns the failure; nil leaves them to the background.
  public init(
    in flows: FlowEnvironment, provider: String? = nil, canSignOutEverywhere: Bool = false,
    deliver: (@Sendable () async -> [AuthenticationError])? = nil
  ) {
    self.provider = provider
    self.canSignOutEverywhere = canSignOutEverywhere
    self.deliver = deliver
    super.init(.unknown, in: flows)
    followSession()
  }

  override var currentStatus: FlowStatus {
    var status = page
    let left = summary?.expiresAt?.timeIntervalSince(flows.clock.now)
    status.secondsLeft = left.map { Duration.seconds(max(0, $0)).roundedUpSeconds }
    return status
  }

  private var page: FlowStatus {
    switch state {
    case .unknown: return FlowStatus("session.card.title", in: words)
    case .shown(let summary, let failure):
      let unsaved = summary.unsaved.map { FlowFailure($0, by: flows.clock) }
      return FlowStatus(
        "session.card.title", in: words, failure: failure ?? unsaved, explanations: explanations(of: summary))
    case .confirming(_, let loss, _):
      return FlowStatus(
        "session.loss.title", in: words, heading: words.question(about: loss), focus: .heading,
        explanations: [words.explanation(of: loss)])
    case .signingOut(let summary, _):
      return FlowStatus(
        "session.card.title", in: words, activity: "session.sign_out.working", explanations: explanations(of: summary))
    case .signedOut(let reason, _):
      var status = FlowStatus("session.signed_out.title", in: words)
      status.explanations = remoteSentence.map { [$0] } ?? []
      if let failure = flows.erasureFailure {
        status.announcement = Announcement(remoteSentence ?? status.title, .assertive, turn: failure.turn)
      } else if reason == .requested {
        status.announcement = Announcement(remoteSentence ?? status.title)
      }
      return status
    }
  }

  private func explanations(of summary: SessionSummary) -> [String] {
    let keys: [WordKey?] = [
      summary.freshness == .stale ? "session.card.stale" : nil,
      summary.unsaved == nil ? nil : "session.card.unsaved",
    ]
    return keys.compactMap { $0.map { words($0) } }
  }

  /// The known facts of the session; nil if no user is signed in.
  public var summary: SessionSummary? {
    switch state {
    case .shown(let summary, _), .confirming(let summary, _, _), .signingOut(let summary, _): summary
    case .unknown, .signedOut: nil
    }
  }

  /// Whether the store has not erased the session at the sign-out: it could be back after a restart.
  public var canRetrySignOut: Bool {
    if case .signedOut = state { flows.erasureFailure != nil } else { false }
  }

  /// The result of a sign-out at the provider and in the store, if the user should know; nil if there is nothing to
  /// show.
  package var remoteSentence: String? {
    if canRetrySignOut { return words("session.signed_out.not_erased") }
    guard case .signedOut(.requested, .failed(let error)) = state else { return nil }
    let isElsewhere = error == .otherSessionsRemain
    return isElsewhere ? words.sentence(for: error) : words("session.signed_out.remote_failed")
  }

  private var isSigningOut: Bool {
    if case .signingOut = state { true } else { false }
  }

  override func show(_ known: AuthenticationState) {
    if isSigningOut { return }
    switch known {
    case .unknown, .unavailable:
      // A sign-out that the store has just refused can be tried again.
      if case .shown(_, .some) = state { return }
      state = .unknown
    case .challenged: if case .signedOut = state { return } else { state = .signedOut(.absent, .inBackground) }
    case .signedOut(let reason):
      if case .signedOut = state { return } else { state = .signedOut(reason, .inBackground) }
    case .signedIn(let active):
      flows.endErasure()
      let new = SessionSummary(active)
      switch state {
      case .confirming(let former, _, _) where former.user.isSame(as: new.user): return
      case .shown(let former, let failure) where former.user.isSame(as: new.user): state = .shown(new, failure)
      default: state = .shown(new, nil)
      }
    }
  }

  private func show(_ result: Result<Void, AuthenticationError>, _ summary: SessionSummary, everywhere: Bool) {
    switch result {
    case .success: tellProvider()
    case .failure(let error) where error == .confirmationRequired:
      state = .confirming(summary, error.loss ?? .anonymousAccount, everywhere: everywhere)
    case .failure(let error) where error == .otherSessionsRemain: state = .signedOut(.requested, .failed(error))
    case .failure(let error):
      state = .shown(summary, nil)
      show(flows.control.state)
      switch state {
      case .shown(let summary, _): state = .shown(summary, flows.failure(error))
      case .signedOut(let reason, _):
        if !flows.noteRefusedErasure(error), !error.isSilent { state = .signedOut(reason, .failed(error)) }
      // The session is not known any more, and nothing was erased: the question stays on the screen.
      case .unknown: state = .shown(summary, flows.failure(error))
      case .confirming, .signingOut: break
      }
    }
  }

  /// No user is signed in here by now, with any response of the provider.
  private func tellProvider() {
    guard let deliver else { return state = .signedOut(.requested, .inBackground) }
    state = .signedOut(.requested, .pending)
    call.run { () async throws(AuthenticationError) in
      await deliver()
    } then: { [weak self] result in
      guard let self, case .signedOut(let reason, .pending) = state else { return }
      let failures = (try? result.get()) ?? []
      let worst = failures.first { $0 == .otherSessionsRemain } ?? failures.first
      state = .signedOut(reason, worst.map(RemoteEnd.failed) ?? .ended)
    }
  }
}

extension SessionModel {
  /// Erases the session here, which succeeds at once, then has the provider end it. Where no user is signed in, has the
  /// session erased again that the store has not erased. Does nothing if there is none, or while that is done.
  ///
  /// - Parameters:
  ///   - scope: whether the sessions on other devices end, too; this one does not wait for them. By default not.
  ///   - loss: the loss that the user has confirmed.
  public func signOut(scope: SignOutScope = .thisDevice, losing loss: SignOutLoss? = nil) {
    if canRetrySignOut { return eraseAgain() }
    guard !isSigningOut, let summary else { return }
    let everywhere = scope == .everywhere && canSignOutEverywhere
    state = .signingOut(summary, everywhere: everywhere)
    call.run { [control = flows.control] () async throws(AuthenticationError) in
      try await control.signOut(scope: everywhere ? .everywhere : .thisDevice, losing: loss)
    } then: { [weak self] in
      self?.show($0, summary, everywhere: everywhere)
    }
  }

  /// Signs out although something is lost for ever, which the user was told.
  public func confirm() {
    if case .confirming(_, let loss, let everywhere) = state {
      signOut(scope: everywhere ? .everywhere : .thisDevice, losing: loss)
    }
  }

  /// Keeps the session.
  public func keep() {
    if case .confirming(let summary, _, _) = state { state = .shown(summary, nil) }
  }

  private func eraseAgain() {
    guard !call.isRunning, case .signedOut(let reason, _) = state else { return }
    flows.eraseAgain(by: call) { [weak self] result in
      if case .success = result, reason == .requested {
        self?.tellProvider()
      } else {
        self?.state = .signedOut(reason, .inBackground)
      }
    }
    state = .signedOut(reason, .pending)
  }
}

/// The fate of a session at the provider after a sign-out, which succeeds here at once.
public enum RemoteEnd: Sendable, Equatable {
  /// It is ended in the background.
  case inBackground
  /// The provider is asked.
  case pending
  /// The provider has ended it.
  case ended
  /// It could not be ended now, and is tried again; or, with ``AuthenticationError/otherSessionsRemain``, the user
  /// may still be signed in on other devices.
  case failed(AuthenticationError)
}
