public import AuthenticationDomain

extension AuthenticationViewModel {
  /// Whether an attempt, or a sign-out, is in progress.
  public var isWorking: Bool {
    if case .signedIn(let session, _) = state { return session.isWorking }
    return form?.isWorking ?? flows.attempts.current?.state.isWorking ?? false
  }

  public var title: String { shown?.title ?? "" }
  public var activity: String? { shown?.activity }
  public var failure: FlowFailure? { shown?.failure }
  public var problems: [AuthenticationError.Code] { shown?.problems ?? [] }
  public var focus: Focus? { shown?.focus }
  public var announcement: Announcement? {
    if let announcement = shown?.announcement { return announcement }
    // It is not said again after each try.
    return failure == nil && !isWorking ? noticeAnnouncement : nil
  }

  /// The model of what is on the screen; nil if it has none.
  private var shown: (any FlowModel)? {
    switch state {
    case .unknown: firstForm
    case .storeLocked(let store): store
    case .signedOut(_, let step), .expired(_, let step): step.model
    case .signedIn(let session, _): session
    }
  }

  /// A greeting for the person who has just signed in by an attempt of this model; nil after a restart.
  public var message: String? {
    // The session's own model may know of the next user first.
    guard case .signedIn(let session, let completion?) = state, session.summary?.user.id == completion.user.id else {
      return nil
    }
    if completion.user.isNew { return words("session.greeting.new") }
    return completion.user.name.map { words("session.greeting.named", .text($0)) } ?? words("session.greeting.back")
  }

  /// Why the user must sign in again, or what became of a sign-out, above the form; nil if there is nothing to tell.
  ///
  /// For a reason that the provider names (``SignOutReason/providerCode``) an app has a sentence of its own under the
  /// key `session.ended.provider.` and that name.
  public var notice: String? {
    switch state {
    case .signedOut(let reason, _) where reason.failure?.code == .userDisabled:
      reason.failure.map { words.sentence(for: $0) }
    case .signedOut(let reason, _) where reason.providerCode.map({ words.has(.ended(by: $0)) }) ?? false:
      reason.providerCode.map { words(.ended(by: $0)) }
    case .signedOut(.rejected, _), .signedOut(.ambiguousLoss, _), .signedOut(.credentialRevoked, _), .expired:
      words("session.ended.notice")
    case .signedOut(.elsewhere, _): words("session.ended.elsewhere")
    case .signedOut(.requested, _), .signedOut(.accountDeleted, _): session.remoteSentence
    default: nil
    }
  }

  /// The ``notice``, said again after each failure.
  package var noticeAnnouncement: Announcement? {
    notice.map { Announcement($0, turn: flows.erasure.failure?.turn ?? 0) }
  }

  /// Whether the store has refused to erase the session at the sign-out, as the ``notice`` says.
  public var canRetrySignOut: Bool {
    if case .signedOut = state { session.canRetrySignOut } else { false }
  }

  /// True while the access token waits for a refresh for which the provider has not been reached.
  public var isStale: Bool {
    if case .signedIn(let session, _) = state { session.summary?.isStale ?? false } else { false }
  }
}

extension WordKey {
  fileprivate static func ended(by providerCode: String) -> Self { Self("session.ended.provider.\(providerCode)") }
}

extension AuthenticationViewModel: CustomReflectable {
  /// Empty: a password is being typed in here.
  nonisolated public var customMirror: Mirror { Mirror(self, children: []) }
}
