public import AuthenticationDomain
public import Foundation
public import Observation

/// Shows a session, and ends it: here, or on every device.
///
/// ```swift
/// let model = SessionModel(in: flows, provider: root.providerName, canSignOutEverywhere: true) {
///   await root.manager.deliverRevocations()
/// }
/// model.signOut(scope: .everywhere)
/// ```
@MainActor
@Observable
public final class SessionModel: FlowModel {
  /// Ends what is queued at the provider, and returns what failed.
  public typealias Delivery = @Sendable () async -> [AuthenticationError]

  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// It is not known whether anybody is signed in.
    case unknown
    /// Somebody is signed in; the failure says why the last sign-out did not do.
    case shown(SessionSummary, FlowFailure?)
    /// Something would be lost for ever: the user confirms it, or keeps the session.
    case confirming(SessionSummary, SignOutLoss, everywhere: Bool)
    /// The session is erased here.
    case signingOut(SessionSummary, everywhere: Bool, call: Int)
    /// Nobody is signed in.
    case signedOut(SignOutReason, RemoteEnd)
  }

  public package(set) var state = State.unknown
  public var words: Words { flows.words }
  /// The provider's name, as the app shows it.
  public let provider: String?

  @ObservationIgnored let flows: FlowEnvironment
  /// Whether sessions on other devices can be ended.
  public let canSignOutEverywhere: Bool
  @ObservationIgnored let deliver: Delivery?
  @ObservationIgnored let call = CurrentCall()
  @ObservationIgnored private let following = StateFollowing()

  /// Follows who is signed in.
  ///
  /// - Parameters:
  ///   - flows: what the models of one app share.
  ///   - provider: its name, as the user knows it; nil shows none.
  ///   - canSignOutEverywhere: whether the provider can end the sessions on other devices. By default false.
  ///   - deliver: waits for the provider's part of a sign-out; nil leaves it to the background.
  public init(
    in flows: FlowEnvironment, provider: String? = nil, canSignOutEverywhere: Bool = false,
    deliver: Delivery? = nil
  ) {
    self.flows = flows
    self.provider = provider
    self.canSignOutEverywhere = canSignOutEverywhere
    self.deliver = deliver
    show(flows.control.state)
    following.follow(flows.control) { [weak self] in self?.show($0) }
  }

  /// What is known of the session; nil if nobody is signed in.
  public var summary: SessionSummary? {
    switch state {
    case .shown(let summary, _), .confirming(let summary, _, _), .signingOut(let summary, _, _): summary
    case .unknown, .signedOut: nil
    }
  }
}

extension SessionModel {
  /// Erases the session here, which succeeds at once, then has the provider end it. Does nothing while that is done, or
  /// while nobody is signed in.
  ///
  /// - Parameters:
  ///   - scope: whether the sessions on other devices end, too; this one does not wait for them. By default not.
  ///   - loss: what is lost for ever, as the user has confirmed.
  public func signOut(scope: SignOutScope = .thisDevice, losing loss: SignOutLoss? = nil) {
    guard !isWorking, let summary else { return }
    let everywhere = scope == .everywhere && canSignOutEverywhere
    call.run(
      { [control = flows.control] () async throws(AuthenticationError) in
        try await control.signOut(scope: everywhere ? .everywhere : .thisDevice, losing: loss)
      }, then: { [weak self] in self?.show($0, summary, everywhere: everywhere) })
    state = .signingOut(summary, everywhere: everywhere, call: call.id)
  }

  /// Signs out although something is lost for ever, which the user was told.
  public func confirm() {
    if case .confirming(_, let loss, let everywhere) = state {
      signOut(scope: everywhere ? .everywhere : .thisDevice, losing: loss)
    }
  }

  /// Has the session erased again that the store refused to erase. Does nothing if there is none, or while that is done.
  public func retrySignOut() {
    guard canRetrySignOut, !call.isRunning, case .signedOut(let reason, _) = state else { return }
    flows.eraseAgain(by: call) { [weak self] result in
      if case .success = result, reason == .requested {
        self?.tellProvider()
      } else {
        self?.state = .signedOut(reason, .inBackground)
      }
    }
    state = .signedOut(reason, .pending)
  }

  /// Keeps the session.
  public func keep() {
    if case .confirming(let summary, _, _) = state { state = .shown(summary, nil) }
  }

  public func finished() async { await call.finished() }

  func show(_ known: AuthenticationState) {
    if isWorking { return }
    switch known {
    case .unknown, .unavailable: state = .unknown
    case .challenged: if case .signedOut = state { return } else { state = .signedOut(.absent, .inBackground) }
    case .signedOut(let reason):
      if case .signedOut = state { return }
      state = .signedOut(reason, .inBackground)
    case .signedIn(let active):
      flows.erasure.end()
      let new = SessionSummary(active)
      if case .confirming(let former, _, _) = state, former.user.id == new.user.id { return }
      if case .shown(let former, let failure) = state, former.user.id == new.user.id {
        state = .shown(new, failure)
      } else {
        state = .shown(new, nil)
      }
    }
  }

  private func show(
    _ result: Result<Void, AuthenticationError>, _ summary: SessionSummary, everywhere: Bool
  ) {
    switch result {
    case .success: tellProvider()
    case .failure(let error) where error == .confirmationRequired:
      state = .confirming(summary, error.loss ?? .anonymousAccount, everywhere: everywhere)
    case .failure(let error) where error == .otherSessionsRemain:
      state = .signedOut(.requested, .failed(error))
    case .failure(let error):
      state = .shown(summary, nil)
      show(flows.control.state)
      switch state {
      case .shown(let summary, _): state = .shown(summary, flows.failure(error))
      case .signedOut(let reason, _):
        if !flows.noteRefusedErasure(error), !error.isSilent { state = .signedOut(reason, .failed(error)) }
      // It is not known any more who is signed in, and nothing was erased: the question stays on the screen.
      case .unknown: state = .shown(summary, flows.failure(error))
      case .confirming, .signingOut: break
      }
    }
  }

  /// Nobody is signed in here by now, whatever the provider says.
  private func tellProvider() {
    guard let deliver else { return state = .signedOut(.requested, .inBackground) }
    state = .signedOut(.requested, .pending)
    call.run(
      { () async throws(AuthenticationError) in await deliver() },
      then: { [weak self] result in
        guard let self, case .signedOut(let reason, .pending) = state else { return }
        let failures = (try? result.get()) ?? []
        let worst = failures.first { $0 == .otherSessionsRemain } ?? failures.first
        state = .signedOut(reason, worst.map(RemoteEnd.failed) ?? .ended)
      })
  }
}

extension SessionModel {
  /// Whether a sign-out is in progress.
  public var isWorking: Bool {
    if case .signingOut = state { true } else { false }
  }

  public var title: String {
    switch state {
    case .confirming(_, let loss, _): words.question(about: loss)
    case .signedOut: words("session.signed_out.title")
    case .unknown, .shown, .signingOut: words("session.card.title")
    }
  }

  public var activity: String? { isWorking ? words("session.sign_out.working") : nil }

  /// For how long the access token is valid; nil if that is not known, or it is not.
  public var expirySentence: String? {
    guard let left = summary?.expiresAt?.timeIntervalSince(flows.clock.now), left > 0 else { return nil }
    return words("session.card.expires", .words(words.duration(.seconds(left))))
  }

  /// Whether the store has refused to erase the session at the sign-out: it could be back after a restart.
  public var canRetrySignOut: Bool {
    if case .signedOut = state { flows.erasure.failure != nil } else { false }
  }

  /// What became of a sign-out at the provider and in the store, if the user should know; nil if there is nothing to
  /// tell.
  public var remoteSentence: String? {
    if canRetrySignOut { return words("session.signed_out.not_erased") }
    guard case .signedOut(.requested, .failed(let error)) = state else { return nil }
    let isElsewhere = error == .otherSessionsRemain
    return isElsewhere ? words.sentence(for: error) : words("session.signed_out.remote_failed")
  }

  public var failure: FlowFailure? {
    guard case .shown(let summary, let failure) = state else { return nil }
    return failure ?? summary.unsaved.map { FlowFailure($0, by: flows.clock) }
  }

  public var focus: Focus? {
    if case .confirming = state { Focus(.heading, turn: 0) } else { failure?.focus }
  }

  public var announcement: Announcement? {
    switch state {
    case .signedOut where canRetrySignOut:
      Announcement(remoteSentence ?? title, .assertive, turn: flows.erasure.failure?.turn ?? 0)
    case .signedOut(.requested, _): Announcement(remoteSentence ?? title)
    default: activity.map { Announcement($0) }
    }
  }
}

/// What a user may know of their session. It holds no token.
public struct SessionSummary: Sendable, Equatable {
  /// Whose session it is.
  public let user: User
  /// When the access token expires (UTC); nil if that is not known.
  public let expiresAt: Date?
  /// Whether the access token can be used, refreshed, or neither.
  public let freshness: ActiveSession.Freshness
  /// Why the session is not saved yet; nil if it is.
  public let unsaved: AuthenticationError?

  /// What is known of a session.
  public init(_ active: ActiveSession) {
    user = active.session.user
    expiresAt = active.session.accessToken.expiresAt
    freshness = active.freshness
    unsaved = active.unsaved
  }

  /// Whether the access token waits for a refresh for which the provider has not been reached.
  public var isStale: Bool { freshness == .stale }
}

/// What became of a session at the provider after a sign-out, which succeeds here at once.
public enum RemoteEnd: Sendable, Equatable {
  /// Nobody asks for it: it is ended in the background.
  case inBackground
  /// The provider is asked.
  case pending
  /// The provider has ended it.
  case ended
  /// It could not be ended now, and is tried again; or, with ``AuthenticationError/otherSessionsRemain``, the user
  /// may still be signed in on other devices.
  case failed(AuthenticationError)
}
