import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionModel {
  /// Whether sessions on other devices can be ended.
  public var canSignOutEverywhere: Bool { sessions != nil }

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
    let isElsewhere = error.code == .otherSessionsRemain
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
