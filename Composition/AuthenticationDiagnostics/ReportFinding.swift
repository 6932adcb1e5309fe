import AuthenticationDomain
package import Foundation

/// Something in the recorded events that a user may have noticed.
package struct ReportFinding: Sendable, CustomStringConvertible {
  /// The kind of a finding: stable names.
  package enum Kind: String, Sendable {
    case requested, rejected, expired, elsewhere
    case ambiguousLoss = "ambiguous_loss"
    case tokenReused = "token_reused"
    case refreshRefused = "refresh_refused"
    case credentialRevoked = "credential_revoked"
    case accountDeleted = "account_deleted"
    case storeErased = "store_erased"
    case anotherUser = "another_user"
    case otherEnd = "other"

    case launched
    case signedIn = "signed_in"
    case signedInElsewhere = "signed_in_elsewhere"
    case signInFailed = "sign_in_failed"
    case signInOvertaken = "sign_in_overtaken"
    case challenged
    case refreshed
    case refreshedElsewhere = "refreshed_elsewhere"
    case responseLost = "response_lost"
    case refreshFailed = "refresh_failed"
    case accessTokenRefused = "access_token_refused"
    case storeUnreadable = "store_unreadable"
    case storeRead = "store_read"
    case notSaved = "not_saved"
    case lateTokens = "late_tokens"
    case revocationFailed = "revocation_failed"
    case clockWrong = "clock_wrong"

    package var endsSession: Bool { Self.ends[self] != nil }

    /// The end of a session, and the next step.
    fileprivate static let ends: [Self: (what: String, advice: String)] = [
      .requested: ("the user or the app signed out", "look for the call of signOut in the app"),
      .rejected: (
        "the provider refused the refresh token", "look in the provider's log for what ended the session there"
      ),
      .expired: (
        "the access token expired, and no other token could refresh it",
        "ask for a refresh token at the sign-in, and check the device's clock"
      ),
      .elsewhere: (
        "another process that shares the store signed out", "look for the call in the app's other processes"
      ),
      .ambiguousLoss: (
        "the response to a refresh was lost, and the provider then refused the token that it had replaced",
        "give refresh tokens a grace period of some seconds at the provider"
      ),
      .tokenReused: (
        "a refresh token that had been replaced was sent again, and the provider refused it",
        "let each copy of the session use the same storage, with locks that all its processes share"
      ),
      .refreshRefused: (
        "the provider called the refresh request faulty, twice, although it had worked before",
        "sign in again; if it concerns all users, check the client at the provider"
      ),
      .credentialRevoked: ("the vendor that the user signed in with has ended the consent", "sign in again"),
      .accountDeleted: ("the user deleted the account", "nothing"),
      .storeErased: ("the stored session was erased, and not by a sign-out", "look for what deletes the app's storage"),
      .anotherUser: ("another user signed in", "nothing"),
      .otherEnd: ("the app ended it", "look for that reason in the app"),
    ]

    fileprivate static let others: [Self: String] = [
      .launched: "the app was launched", .signedIn: "a user signed in",
      .signedInElsewhere: "a user signed in, in another process", .signInFailed: "a sign-in failed",
      .signInOvertaken: "a sign-in was given up, or replaced by a later one or by a sign-out",
      .challenged: "the provider asked for another step", .refreshed: "the session was refreshed",
      .refreshedElsewhere: "another process refreshed the session",
      .responseLost: "the response to a refresh was lost, and the token sent again",
      .refreshFailed: "a refresh failed", .accessTokenRefused: "an API refused the access token",
      .storeUnreadable: "the store could not be read", .storeRead: "the store was read",
      .notSaved: "the session could not be stored",
      .lateTokens: "tokens came for a session that had ended, and were revoked",
      .revocationFailed: "the provider could not be told of a sign-out",
      .clockWrong: "the clock of the device was wrong",
    ]

    fileprivate var what: String { Self.ends[self]?.what ?? Self.others[self] ?? rawValue }

    /// The trouble that is over with it.
    fileprivate var resolves: Set<Self> {
      switch self {
      case .refreshed, .refreshedElsewhere, .signedIn, .signedInElsewhere: [.refreshFailed, .storeUnreadable]
      case .storeRead: [.storeUnreadable]
      default: []
      }
    }
  }

  package let kind: Kind
  package let time: Date
  /// Of errors, and the provider's own.
  let codes: [String]
  /// A sentence part that only this finding has.
  var addition: String?
  /// The sign-in that it concerns.
  var signIn: RecordID?

  private var words: String {
    kind.what + (codes.isEmpty ? "" : " (\(codes.joined(separator: ", ")))") + (addition.map { ", \($0)" } ?? "")
  }

  package var description: String { "\(time.formatted(.iso8601)) \(kind.rawValue): \(words)." }

  /// Of an end.
  var sentence: String {
    let advice = Kind.ends[kind].map { "; what to do: \($0.advice)" } ?? ""
    return "The last session ended at \(time.formatted(.iso8601)): \(words)\(advice)."
  }

  static let noEnd = "No session has ended."

  static func noEnd(_ trouble: ReportFinding?) -> String {
    guard let trouble else { return noEnd }
    return "No session has ended, but at \(trouble.time.formatted(.iso8601)) \(trouble.words): the session is kept."
  }

  /// The latest trouble that is not over.
  static func unresolved(in findings: [ReportFinding]) -> ReportFinding? {
    var open: [Kind: ReportFinding] = [:]
    for finding in findings {
      for kind in finding.kind.resolves { open[kind] = nil }
      if [.refreshFailed, .storeUnreadable].contains(finding.kind) { open[finding.kind] = finding }
    }
    return open.values.max { $0.time < $1.time }
  }
}

/// How findings are read out of replayed events.
extension ReportFinding {
  /// In the order of the events: a clock may have been set back in between.
  static func all(in replay: [ReplayedChange]) -> [ReportFinding] {
    var reader = FindingReader()
    for step in replay { reader.read(step) }
    return reader.findings
  }
}

private struct FindingReader {
  var findings: [ReportFinding] = []
  /// The last step of each launch.
  private var latest: [String: RecordedChange] = [:]
  /// Of the session in use after the last step of all.
  private var latestSignIn: RecordID?
  /// The launches in which an attempt to sign in has not ended.
  private var openAttempts: Set<String> = []
  /// How many refreshes of which sign-in are known.
  private var refreshes: [RecordID: Int] = [:]

  mutating func read(_ replayed: ReplayedChange) {
    let step = replayed.step
    defer { latest[step.run] = step }
    if let before = latest[step.run]?.time, step.time < before.addingTimeInterval(-1) {
      add(.clockWrong, step, addition: "it was set back by \(Int(before.timeIntervalSince(step.time))) seconds")
    }
    guard let (before, after) = replayed.machines else { return }
    let new = after.record
    let isLaunch = if case .unread = before.store.reading { true } else { false }
    switch step.event {
    case .began(_, _, nil): add(.launched, step)
    case .began: break
    case .handled(let event): read(event, step, before, after, isLaunch: isLaunch)
    }
    if case .signedIn(let active) = after.state { checkExpiry(active.freshness, step, new) }
    if let signIn = new.signInID { refreshes[signIn] = max(refreshes[signIn] ?? 0, new.refreshes) }
    if after.store.isRead { latestSignIn = new.signInID }
  }

  private mutating func read(
    _ event: SessionMachine.Event, _ step: RecordedChange, _ before: SessionMachine, _ after: SessionMachine,
    isLaunch: Bool
  ) {
    let (old, new) = (before.record, after.record)
    switch event {
    case .signInStarted:
      if openAttempts.contains(step.run) { add(.signInOvertaken, step) }
      openAttempts.insert(step.run)
    case .signInCompleted(let attempt, let result, _):
      if attempt == before.attempt { openAttempts.remove(step.run) }
      switch result {
      case .failure(let error): add(.signInFailed, step, error)
      case .success where attempt != before.attempt: add(.signInOvertaken, step)
      case .success(.session(let session)): signedIn(session, old, step)
      case .success(.challenge): if after.challenge != nil { add(.challenged, step) }
      }
    case .userProved(let session, _) where old.session != nil: signedIn(session, old, step)
    case .refreshCompleted(_, let response, _, _): completed(response, step, before, after)
    case .refreshFailed(_, let failure, _): add(.refreshFailed, step, failure)
    case .accessTokenRefused: add(.accessTokenRefused, step)
    case .refreshRequested(let resource, .refused, _, _, _)
    where resource != nil || !before.isRejected() && after.isRejected():
      add(.accessTokenRefused, step)
    case .storeRead(.failure(let error), _): add(.storeUnreadable, step, error)
    case .storeRead: stored(isLaunch: isLaunch, step, old, new)
    case .saveFailed(let failure, _): add(.notSaved, step, failure)
    case .tokensOrphaned: add(.lateTokens, step)
    case .signOutRequested where old.session != nil:
      end(.init(reason: new.endReason ?? .requested), step, new.endReason, of: old.signInID)
    case .revocationCompleted(_, let failure?): add(.revocationFailed, step, failure)
    default: break
    }
  }

  /// A session that only looked expired, by a wrong clock, has not ended.
  private mutating func checkExpiry(
    _ freshness: ActiveSession.Freshness, _ step: RecordedChange, _ record: SessionRecord
  ) {
    let kind: ReportFinding.Kind = record.refusedRefresh?.isConfirmed == true ? .refreshRefused : .expired
    let known = findings.lastIndex { $0.signIn == record.signInID && [.expired, .refreshRefused].contains($0.kind) }
    if freshness == .expired, known == nil {
      findings.append(ReportFinding(kind: kind, time: step.time, codes: [], signIn: record.signInID))
    } else if freshness == .fresh, let known, findings[known].kind == .expired {
      findings[known] = ReportFinding(
        kind: .clockWrong, time: findings[known].time, codes: [], addition: "by which the access token looked expired")
    }
  }

  private mutating func add(
    _ kind: ReportFinding.Kind, _ step: RecordedChange, _ error: AuthenticationError? = nil, addition: String? = nil
  ) {
    let codes = [error?.code, error?.providerCode].compactMap(\.self)
    findings.append(ReportFinding(kind: kind, time: step.time, codes: codes, addition: addition))
  }

  private mutating func end(
    _ kind: ReportFinding.Kind, _ step: RecordedChange, _ reason: SignOutReason?, of signIn: RecordID?
  ) {
    let own = kind == .otherEnd ? reason?.description : reason?.failure?.code
    let codes = [own, reason?.providerCode].compactMap(\.self)
    let finding = ReportFinding(kind: kind, time: step.time, codes: codes, signIn: signIn)
    // Of an end that several processes have told, the first that knows why counts.
    if let known = findings.firstIndex(where: { $0.signIn == signIn && $0.kind.endsSession }) {
      if [.elsewhere, .expired].contains(findings[known].kind) { findings[known] = finding }
      return
    }
    findings.append(finding)
  }

  private mutating func signedIn(_ session: AuthSession, _ old: SessionRecord, _ step: RecordedChange) {
    if let replaced = old.session, !replaced.user.isSame(as: session.user) {
      end(.anotherUser, step, nil, of: old.signInID)
    }
    add(.signedIn, step)
    checkClock(session.tokens.access, step)
  }

  private mutating func checkClock(_ token: AccessToken, _ step: RecordedChange) {
    guard let offset = token.clockOffset?.components.seconds, offset.magnitude >= 60 else { return }
    let direction = offset > 0 ? "behind" : "ahead of"
    add(.clockWrong, step, addition: "it was \(offset.magnitude) seconds \(direction) the provider's")
  }

  private mutating func completed(
    _ response: RefreshResponse, _ step: RecordedChange, _ before: SessionMachine, _ after: SessionMachine
  ) {
    let old = before.record
    switch response.result {
    case .success(let tokens):
      guard step.after.generation == before.generation, step.after.refreshes > old.refreshes else {
        return add(.lateTokens, step)
      }
      if let refusal = response.refusal { add(.refreshFailed, step, refusal) } else { add(.refreshed, step) }
      checkClock(tokens.access, step)
    case .failure(let error):
      if old.session != nil, after.record.session == nil {
        let (reason, known) = (after.record.endReason, old.signInID.flatMap { refreshes[$0] } ?? 0)
        let isReused = known > old.refreshes || error.providerCode.map(Self.tellsReuse) == true
        let kind: ReportFinding.Kind =
          reason == .ambiguousLoss ? .ambiguousLoss : isReused ? .tokenReused : .rejected
        end(kind, step, reason, of: old.signInID)
      } else if step.after.effects.contains("report retry") {
        add(.responseLost, step, error)
      } else {
        add(.refreshFailed, step, error)
      }
    }
  }

  /// Whether a provider's code says that a refresh token was used before.
  private static func tellsReuse(_ code: String) -> Bool {
    let code = code.lowercased()
    return code.contains("already_used") || code.contains("reuse")
  }

  private mutating func stored(isLaunch: Bool, _ step: RecordedChange, _ old: SessionRecord, _ new: SessionRecord) {
    if isLaunch { add(.storeRead, step) }
    // At a launch, the session that another one had last; without one, the end that the store tells is news if there
    // is no other.
    let signIn = isLaunch ? latestSignIn : old.signInID
    guard let session = new.session else {
      let isTold = new.endReason != nil && !findings.contains { $0.kind.endsSession }
      guard isLaunch ? signIn != nil || isTold : old.session != nil else { return }
      guard let reason = new.endReason ?? (new.formerUser != nil ? .ambiguousLoss : nil) else {
        return end(.storeErased, step, nil, of: signIn)
      }
      return end(isLaunch || reason != .requested ? .init(reason: reason) : .elsewhere, step, reason, of: signIn)
    }
    if isLaunch {
      if let known = new.signInID.flatMap({ refreshes[$0] }), known < new.refreshes { add(.refreshedElsewhere, step) }
      return
    }
    guard let replaced = old.session else { return add(.signedInElsewhere, step) }
    if !replaced.user.isSame(as: session.user) {
      end(.anotherUser, step, nil, of: old.signInID)
      add(.signedInElsewhere, step)
    } else if replaced.tokens != session.tokens {
      add(.refreshedElsewhere, step)
    }
  }
}

extension ReportFinding.Kind {
  fileprivate init(reason: SignOutReason) {
    let named = Self(rawValue: reason.description)
    self = named.map { $0.endsSession ? $0 : .otherEnd } ?? .otherEnd
  }
}
