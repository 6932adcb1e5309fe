package import AuthenticationDomain
package import Foundation
import Synchronization

/// A value of an event that is recorded: in JSON it holds no secret and nothing about the user.
///
/// Tokens, users, challenges and resources are numbered in the order in which one launch has seen them; a decoded value
/// has these numbers in place of the numbered values, and otherwise all that the rules of a session depend on.
struct Noted<Value: Notable>: Sendable {
  /// The value itself, or the value that was made from its note.
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// A value that can be noted: its note lists the facts that may be recorded, so that no other fact is.
protocol Notable: Sendable {
  associatedtype Note: Codable

  func note(_ names: NoteNames) -> Note
  init(note: Note) throws
}

extension Notable {
  var noted: Noted<Self> { Noted(self) }
}

extension Optional where Wrapped: Notable {
  var noted: Noted<Wrapped>? { map { Noted($0) } }
}

extension Noted: Codable {
  init(from decoder: any Decoder) throws { value = try Value(note: Value.Note(from: decoder)) }

  func encode(to encoder: any Encoder) throws {
    let names = encoder.userInfo[NoteNames.key] as? NoteNames
    try value.note(names ?? NoteNames()).encode(to: encoder)
  }
}

/// The numbers of one launch. It keeps hashes, which mean nothing in another launch, and no value.
package final class NoteNames: Sendable {
  static let key = CodingUserInfoKey(rawValue: "AuthenticationKit.names")!
  private let numbers = Mutex<[String: [Int: Int]]>([:])

  package init() {}

  func number(of value: some Hashable, as kind: String) -> Int {
    var hasher = Hasher()
    hasher.combine(value)
    let hash = hasher.finalize()
    return numbers.withLock { numbers in
      let number = numbers[kind]?[hash] ?? (numbers[kind]?.count ?? 0) + 1
      numbers[kind, default: [:]][hash] = number
      return number
    }
  }
}

extension Secret: Notable {
  func note(_ names: NoteNames) -> Int { names.number(of: reveal(), as: "token") }
  init(note: Int) { self.init("token-\(note)") }
}

extension Duration: Notable {
  func note(_ names: NoteNames) -> Double { self / .seconds(1) }
  init(note: Double) { self = .seconds(min(max(note, -1e9), 1e9)) }
}

/// A time to be read by a user, in whole seconds (UTC). A clock may show any time, and the calendar has its bounds.
extension Date: Notable {
  func note(_ names: NoteNames) -> String {
    Date(timeIntervalSince1970: min(max(timeIntervalSince1970, 0), Date.latestSeconds)).formatted(.iso8601)
  }
  init(note: String) throws { self = try Date(note, strategy: .iso8601) }
}

extension AccessToken: Notable {
  struct Note: Codable {
    let token: Int
    let receivedAt: Date
    let lifetime: Int64?
    let clockOffset: Int64?
  }

  func note(_ names: NoteNames) -> Note {
    Note(
      token: value.note(names), receivedAt: receivedAt, lifetime: lifetime?.components.seconds,
      clockOffset: clockOffset?.components.seconds)
  }

  init(note: Note) throws {
    try self.init(
      Secret(note: note.token), receivedAt: note.receivedAt, lifetime: note.lifetime.map { .seconds($0) },
      clockOffset: note.clockOffset.map { .seconds($0) })
  }
}

extension SessionTokens: Notable {
  struct Note: Codable {
    let access: AccessToken.Note
    let refresh: Int?
    let identity: Int?
    let proofKey: Int?
  }

  func note(_ names: NoteNames) -> Note {
    Note(
      access: access.note(names), refresh: refresh?.note(names), identity: identity?.note(names),
      proofKey: proofKey?.note(names))
  }

  init(note: Note) throws {
    self.init(
      access: try AccessToken(note: note.access), refresh: note.refresh.map { Secret(note: $0) },
      identity: note.identity.map { Secret(note: $0) }, proofKey: note.proofKey.map { Secret(note: $0) })
  }
}

extension User: Notable {
  /// The number of the user, and the number of this description among the descriptions of users that were seen.
  struct Note: Codable {
    let user: Int
    let details: Int
  }

  func note(_ names: NoteNames) -> Note {
    Note(user: names.number(of: id, as: "user"), details: names.number(of: self, as: "details"))
  }

  init(note: Note) {
    self.init(id: "user \(note.user)", claims: ["details": .number(Double(note.details))])
  }
}

extension AuthSession: Notable {
  struct Note: Codable {
    let user: User.Note
    let tokens: SessionTokens.Note
  }

  func note(_ names: NoteNames) -> Note { Note(user: user.note(names), tokens: tokens.note(names)) }

  init(note: Note) throws {
    self.init(user: User(note: note.user), tokens: try SessionTokens(note: note.tokens))
  }
}

extension AuthenticationError: Notable {
  struct Note: Codable {
    let code: String
    let providerCode: String?
    let endsSession: Bool?
    let retryAfter: Double?
    let response: ResponseOutcome?
  }

  func note(_ names: NoteNames) -> Note {
    Note(
      code: code.isPlainToken ? code : "other", providerCode: self.providerCode.flatMap { $0.isPlainToken ? $0 : nil },
      endsSession: disposition == .endsSession ? true : nil, retryAfter: self.retryAfter?.note(names),
      response: self.response)
  }

  /// Equal to the error that was noted, since errors are compared by code.
  init(note: Note) {
    self.init(code: note.code, "", disposition: note.endsSession == true ? .endsSession : .other)
    self.providerCode = note.providerCode
    self.retryAfter = note.retryAfter.map { Duration(note: $0) }
    self.response = note.response
  }
}

extension SignOutReason: Notable {
  struct Note: Codable {
    let reason: String
    let code: String?
    let providerCode: String?
  }

  func note(_ names: NoteNames) -> Note {
    Note(reason: description.isPlainToken ? description : "other", code: failure?.code, providerCode: providerCode)
  }

  init(note: Note) {
    self = Self(note.reason, code: note.code, providerCode: note.providerCode) ?? Self("other")
  }
}

extension Challenge: Notable {
  struct Note: Codable {
    let kind: String
    let step: Int
  }

  func note(_ names: NoteNames) -> Note {
    Note(kind: kind.id.isPlainToken ? kind.id : "other", step: names.number(of: self, as: "step"))
  }

  init(note: Note) { self.init(kind: .init(id: note.kind), handle: Secret("step \(note.step)")) }
}

extension SignInOutcome: Notable {
  struct Note: Codable {
    var session: AuthSession.Note?
    var challenge: Challenge.Note?
  }

  func note(_ names: NoteNames) -> Note {
    switch self {
    case .session(let session): Note(session: session.note(names))
    case .challenge(let challenge): Note(challenge: challenge.note(names))
    }
  }

  init(note: Note) throws {
    if let session = note.session {
      self = .session(try AuthSession(note: session))
    } else {
      guard let challenge = note.challenge else { throw AuthenticationError.unexpectedResponse }
      self = .challenge(Challenge(note: challenge))
    }
  }
}

extension ProtectedResource: Notable {
  func note(_ names: NoteNames) -> Int { names.number(of: key, as: "resource") }
  init(note: Int) { self = .resource("resource \(note)") }
}

extension PendingRevocation: Notable {
  struct Note: Codable {
    let tokens: SessionTokens.Note
    let queuedAt: Date
    let user: Int?
  }

  func note(_ names: NoteNames) -> Note {
    Note(tokens: tokens.note(names), queuedAt: queuedAt, user: userID.map { names.number(of: $0, as: "user") })
  }

  init(note: Note) throws {
    self.init(
      tokens: try SessionTokens(note: note.tokens), queuedAt: note.queuedAt, userID: note.user.map { "user \($0)" })
  }
}

extension SessionMachine.Checkpoint: Notable {
  struct Note: Codable {
    let record: SessionRecord.Note
    let freshness: String
    let reason: SignOutReason.Note
    let isCapped: Bool?
    let generation: Int
    let attempt: Int
  }

  func note(_ names: NoteNames) -> Note {
    Note(
      record: record.note(names), freshness: "\(freshness)", reason: reason.note(names),
      isCapped: isCapped ? true : nil, generation: generation, attempt: attempt)
  }

  init(note: Note) throws {
    self.init(
      record: try SessionRecord(note: note.record),
      freshness: note.freshness == "stale" ? .stale : note.freshness == "expired" ? .expired : .fresh,
      reason: SignOutReason(note: note.reason), isCapped: note.isCapped == true,
      generation: min(max(note.generation, 0), 1_000_000_000), attempt: min(max(note.attempt, 0), 1_000_000_000))
  }
}

extension RecordID: Codable {
  package init(from decoder: any Decoder) throws {
    guard let id = RecordID(try decoder.singleValueContainer().decode(String.self)) else {
      throw AuthenticationError.unexpectedResponse
    }
    self = id
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension SessionRecord: Notable {
  struct Note: Codable {
    struct Ended: Codable {
      let id: RecordID
      let refreshes: Int?
    }

    struct Resource: Codable {
      let resource: Int
      let token: AccessToken.Note
    }

    let write: RecordID?
    let session: AuthSession.Note?
    let signIn: RecordID?
    let refreshes: Int
    let signedInAt: Date?
    let ended: [Ended]?
    let begunAt: Date?
    let sends: Int?
    let isAnswered: Bool?
    let refusedAt: Date?
    let refusals: Int?
    let isRefusalConfirmed: Bool?
    let retryAt: Date?
    let needsInteraction: Bool?
    let resources: [Resource]?
    let formerUser: User.Note?
    let endReason: SignOutReason.Note?
    let revocations: [PendingRevocation.Note]?
  }

  func note(_ names: NoteNames) -> Note {
    let resources = resourceTokens.sorted { $0.key < $1.key }.map {
      Note.Resource(resource: names.number(of: $0.key, as: "resource"), token: $0.value.note(names))
    }
    let revocations = pendingRevocations.map { $0.note(names) }
    return Note(
      write: writeID, session: session?.note(names), signIn: signInID, refreshes: refreshes, signedInAt: signedInAt,
      ended: endedSignIns.isEmpty ? nil : endedSignIns.map { .init(id: $0.id, refreshes: $0.refreshes) },
      begunAt: refreshJournal?.begunAt, sends: refreshJournal?.sends,
      isAnswered: refreshJournal?.isAnswered == true ? true : nil, refusedAt: refusedRefresh?.latestAt,
      refusals: refusedRefresh?.count, isRefusalConfirmed: refusedRefresh?.isConfirmed,
      retryAt: retryAt, needsInteraction: needsInteraction ? true : nil,
      resources: resources.isEmpty ? nil : resources, formerUser: formerUser?.note(names),
      endReason: endReason?.note(names), revocations: revocations.isEmpty ? nil : revocations)
  }

  init(note: Note) throws {
    self.init(session: try note.session.map { try AuthSession(note: $0) }, signedInAt: note.signedInAt)
    (writeID, signInID, refreshes) = (note.write, note.signIn, min(max(note.refreshes, 0), 1_000_000_000))
    let ended = (note.ended ?? []).suffix(Self.maximumEndedSignIns)
    endedSignIns = ended.map { EndedSignIn(id: $0.id, refreshes: $0.refreshes) }
    refreshJournal = note.begunAt.map {
      RefreshJournalEntry(begunAt: $0, sends: note.sends ?? 1, isAnswered: note.isAnswered == true)
    }
    refusedRefresh = note.refusedAt.map {
      RefusedRefresh(latestAt: $0, count: note.refusals ?? 1, isConfirmed: note.isRefusalConfirmed == true)
    }
    (retryAt, needsInteraction) = (note.retryAt, note.needsInteraction == true)
    for item in note.resources ?? [] {
      keep(try AccessToken(note: item.token), for: ProtectedResource(note: item.resource).key)
    }
    formerUser = note.formerUser.map { User(note: $0) }
    endReason = note.endReason.map { SignOutReason(note: $0) }
    pendingRevocations = try (note.revocations ?? []).map { try PendingRevocation(note: $0) }
  }
}
