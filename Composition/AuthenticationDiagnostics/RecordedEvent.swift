package import AuthenticationDomain
import Foundation

/// An event of the state machine as it is kept: in JSON it holds no secret and nothing about the user.
enum RecordedEvent: Sendable {
  /// A machine begins: with nothing, or where another one is while nothing is in progress.
  case began(leeway: Duration, resends: Int, from: SessionMachine.Checkpoint?)
  case handled(SessionMachine.Event)

  /// The event with which a machine in this state begins; nil while something is in progress.
  ///
  /// - Parameter isNew: whether no event has come yet.
  init?(beginningWith machine: SessionMachine, isNew: Bool) {
    let checkpoint = isNew ? nil : machine.checkpoint
    guard isNew || checkpoint != nil else { return nil }
    self = .began(leeway: machine.policy.leeway, resends: machine.policy.resends, from: checkpoint)
  }

  var name: String { note.name }

  /// The name of the event, and its values that may be recorded.
  private var note: (name: String, values: [String: any Encodable]) {
    switch self {
    case .began(let leeway, let resends, let from):
      ("began", values(["leeway": Noted(leeway), "resends": resends, "from": from.noted]))
    case .handled(let event): event.note
    }
  }
}

private func values(_ all: [String: (any Encodable)?]) -> [String: any Encodable] { all.compactMapValues(\.self) }

extension SessionMachine.Event {
  fileprivate var note: (name: String, values: [String: any Encodable]) {
    switch self {
    case .signInStarted: ("signInStarted", [:])
    case .signInCompleted(let attempt, let result, let now):
      (
        "signInCompleted",
        values([
          "attempt": attempt, "outcome": (try? result.get()).noted, "failure": result.failure.noted, "at": now,
        ])
      )
    case .challengeDropped(let challenge): ("challengeDropped", ["challenge": Noted(challenge)])
    case .userChanged(let user, let tokens, let now):
      ("userChanged", values(["user": Noted(user), "tokens": tokens.noted, "at": now]))
    case .userProved(let session, let now): ("userProved", ["session": Noted(session), "at": now])
    case .refreshRequested(let resource, let cause, let rejected, let remaining, let wanted):
      (
        "refreshRequested",
        values([
          "resource": resource.noted, "cause": cause, "rejected": rejected.noted, "remaining": remaining.noted,
          "wanted": wanted.noted,
        ])
      )
    case .accessTokenRefused(let token, let resource):
      ("accessTokenRefused", values(["token": Noted(token), "resource": resource.noted]))
    case .refreshOvertaken(let generation): ("refreshOvertaken", ["generation": generation])
    case .refreshBegan(let generation, let now): ("refreshBegan", ["generation": generation, "at": now])
    case .refreshFailed(let generation, let failure, let remaining):
      (
        "refreshFailed",
        values(["generation": generation, "failure": Noted(failure), "remaining": remaining.noted])
      )
    case .refreshCompleted(let generation, let response, let remaining, let now):
      (
        "refreshCompleted",
        values([
          "generation": generation, "response": Noted(response), "remaining": remaining.noted, "at": now,
        ])
      )
    case .heldRejectionTaken: ("heldRejectionTaken", [:])
    case .storeRead(let result, let now):
      (
        "storeRead",
        values(["record": (try? result.get() ?? nil).noted, "failure": result.failure.noted, "at": now])
      )
    case .storeBlocked(let failure): ("storeBlocked", values(["failure": failure.noted]))
    case .saved: ("saved", [:])
    case .saveRetried: ("saveRetried", [:])
    case .saveFailed(let failure, let found):
      ("saveFailed", values(["failure": Noted(failure), "found": found.noted]))
    case .lifetimeCorrected(let remaining): ("lifetimeCorrected", values(["remaining": remaining.noted]))
    case .tokensOrphaned(let tokens, let userID, let now):
      (
        "tokensOrphaned", values(["tokens": Noted(tokens), "user": userID.map { Noted(User(id: $0)) }, "at": now])
      )
    case .signOutRequested(let revoking, let reason, let now):
      ("signOutRequested", ["revoking": revoking, "reason": Noted(reason), "at": now])
    case .revocationStarted(let revocation, let now):
      ("revocationStarted", ["revocation": Noted(revocation), "at": now])
    case .revocationCompleted(let revocation, let failure):
      ("revocationCompleted", values(["revocation": Noted(revocation), "failure": failure.noted]))
    }
  }

  /// How each is read.
  fileprivate static let readers: [String: @Sendable (RecordedFields) throws -> Self] = [
    "signInStarted": { _ in .signInStarted },
    "signInCompleted": { try .signInCompleted(attempt: $0("attempt"), $0.result("outcome"), at: $0("at")) },
    "challengeDropped": { try .challengeDropped($0.noted("challenge")) },
    "userChanged": { try .userChanged($0.noted("user"), tokens: $0.optional("tokens"), at: $0("at")) },
    "userProved": { try .userProved($0.noted("session"), at: $0("at")) },
    "refreshRequested": {
      try .refreshRequested(
        resource: $0.optional("resource"), cause: $0("cause"), rejected: $0.optional("rejected"),
        remaining: $0.optional("remaining"), wanted: $0.optional("wanted"))
    },
    "accessTokenRefused": { try .accessTokenRefused($0.noted("token"), resource: $0.optional("resource")) },
    "refreshOvertaken": { try .refreshOvertaken(generation: $0("generation")) },
    "refreshBegan": { try .refreshBegan(generation: $0("generation"), at: $0("at")) },
    "refreshFailed": {
      try .refreshFailed(generation: $0("generation"), $0.noted("failure"), remaining: $0.optional("remaining"))
    },
    "refreshCompleted": {
      try .refreshCompleted(
        generation: $0("generation"), $0.noted("response"), remaining: $0.optional("remaining"), at: $0("at"))
    },
    "heldRejectionTaken": { _ in .heldRejectionTaken },
    "storeRead": { fields in
      let failure: AuthenticationError? = try fields.optional("failure")
      let record: SessionRecord? = try fields.optional("record")
      return .storeRead(failure.map { .failure($0) } ?? .success(record), at: try fields("at"))
    },
    "storeBlocked": { try .storeBlocked($0.optional("failure")) },
    "saved": { _ in .saved },
    "saveRetried": { _ in .saveRetried },
    "saveFailed": { try .saveFailed($0.noted("failure"), found: $0.optional("found")) },
    "lifetimeCorrected": { try .lifetimeCorrected(remaining: $0.optional("remaining")) },
    "tokensOrphaned": { fields in
      let user: User? = try fields.optional("user")
      return try .tokensOrphaned(fields.noted("tokens"), userID: user?.id, at: fields("at"))
    },
    "signOutRequested": {
      try .signOutRequested(revoking: $0("revoking"), reason: $0.noted("reason"), at: $0("at"))
    },
    "revocationStarted": { try .revocationStarted($0.noted("revocation"), at: $0("at")) },
    "revocationCompleted": { try .revocationCompleted($0.noted("revocation"), $0.optional("failure")) },
  ]
}

/// The values of one recorded event.
private struct RecordedFields {
  let container: KeyedDecodingContainer<RecordedEvent.Key>

  func callAsFunction<Value: Decodable>(_ name: String) throws -> Value {
    try container.decode(Value.self, forKey: .init(name))
  }

  func noted<Value: Notable>(_ name: String) throws -> Value {
    try container.decode(Noted<Value>.self, forKey: .init(name)).value
  }

  func optional<Value: Notable>(_ name: String) throws -> Value? {
    try container.decodeIfPresent(Noted<Value>.self, forKey: .init(name))?.value
  }

  /// - Parameter name: of the success; a failure has its own.
  func result<Value: Notable>(_ name: String) throws -> Result<Value, AuthenticationError> {
    let success: Value? = try optional(name)
    return try success.map { .success($0) } ?? .failure(optional("failure") ?? .unexpectedResponse)
  }
}

extension RecordedEvent: Codable {
  fileprivate struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let key = container.allKeys.first else { throw AuthenticationError.unexpectedResponse }
    let fields = RecordedFields(container: try container.nestedContainer(keyedBy: Key.self, forKey: key))
    if key.stringValue == "began" {
      self = .began(
        leeway: try fields.noted("leeway"), resends: try fields("resends"), from: try fields.optional("from"))
    } else {
      guard let read = SessionMachine.Event.readers[key.stringValue] else {
        throw AuthenticationError.unexpectedResponse
      }
      self = .handled(try read(fields))
    }
  }

  func encode(to encoder: any Encoder) throws {
    let (name, values) = note
    var container = encoder.container(keyedBy: Key.self)
    var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key(name))
    for (name, value) in values { try nested.encode(value, forKey: Key(name)) }
  }
}

extension RefreshResponse: Notable {
  struct Note: Codable {
    let session: AuthSession.Note
    let signIn: RecordID?
    let resource: Int?
    let tokens: SessionTokens.Note?
    /// Of the user, if the response has changed it.
    let details: Int?
    let failure: AuthenticationError.Note?
    let refusal: AuthenticationError.Note?
  }

  func note(_ names: NoteNames) -> Note {
    let tokens = try? result.get()
    let changed = tokens.flatMap { $0.claims.isEmpty ? nil : session.user.adding($0.claims).note(names).details }
    return Note(
      session: session.note(names), signIn: signInID, resource: resource?.note(names), tokens: tokens?.note(names),
      details: changed, failure: result.failure?.note(names), refusal: refusal?.note(names))
  }

  init(note: Note) throws {
    let claims = note.details.map { ["details": JSONValue.number(Double($0))] } ?? [:]
    self.init(
      of: try AuthSession(note: note.session), signInID: note.signIn,
      for: note.resource.map { ProtectedResource(note: $0) },
      try note.tokens.map { .success(try SessionTokens(note: $0).with(claims)) }
        ?? .failure(note.failure.map { AuthenticationError(note: $0) } ?? .unexpectedResponse),
      refusal: note.refusal.map { AuthenticationError(note: $0) })
  }
}
