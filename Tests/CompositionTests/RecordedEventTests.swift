import AuthenticationDomain
import AuthenticationDomainTesting
import Foundation
import Testing

@testable import AuthenticationDiagnostics

/// An event, or a field of the stored record, that a report forgets would make its replay untrue.
@Suite struct RecordedEventTests {
  private static let noon = Date(timeIntervalSince1970: 1_767_268_800)
  private static let session = AuthSession.sample(1, receivedAt: noon)
  private static let revocation = PendingRevocation(tokens: session.tokens, queuedAt: noon, userID: "ada")

  /// The event after this one; nil after the last. A new case does not compile without a sample.
  private static func event(after event: SessionMachine.Event?) -> SessionMachine.Event? {
    guard let event else { return .signInStarted }
    return switch event {
    case .signInStarted: .signInCompleted(attempt: 1, .success(.session(session)), at: noon)
    case .signInCompleted: .challengeDropped(Challenge(kind: .smsCode, handle: Secret("handle")))
    case .challengeDropped: .userChanged(session.user, tokens: session.tokens, at: noon)
    case .userChanged: .userProved(session, at: noon)
    case .userProved:
      .refreshRequested(
        resource: .resource("orders"), cause: .expiry, rejected: session.accessToken, remaining: .seconds(1),
        wanted: .seconds(2))
    case .refreshRequested: .accessTokenRefused(session.accessToken, resource: .resource("orders"))
    case .accessTokenRefused: .refreshOvertaken(generation: 1)
    case .refreshOvertaken: .refreshBegan(generation: 1, at: noon)
    case .refreshBegan: .refreshFailed(generation: 1, .unreachable, remaining: .seconds(1))
    case .refreshFailed:
      .refreshCompleted(
        generation: 1, RefreshResponse(of: session, signInID: RecordID(1, 2), .success(session.tokens)),
        remaining: .seconds(1), at: noon)
    case .refreshCompleted: .heldRejectionTaken
    case .heldRejectionTaken: .storeRead(.success(SessionRecord(session: session)), at: noon)
    case .storeRead: .storeBlocked(.storageUnavailable)
    case .storeBlocked: .saved
    case .saved: .saveRetried
    case .saveRetried: .saveFailed(.storageUnavailable, found: SessionRecord())
    case .saveFailed: .lifetimeCorrected(remaining: .seconds(1))
    case .lifetimeCorrected: .tokensOrphaned(session.tokens, userID: "ada", at: noon)
    case .tokensOrphaned: .signOutRequested(revoking: true, reason: .requested, at: noon)
    case .signOutRequested: .revocationStarted(revocation, at: noon)
    case .revocationStarted: .revocationCompleted(revocation, .unreachable)
    case .revocationCompleted: nil
    }
  }

  @Test func `each event of the state machine is read again as the same event with the same values`() throws {
    var event = Self.event(after: nil)
    while let current = event {
      let recorded = RecordedEvent.handled(current)
      let text = try JSONEncoder().encode(recorded)
      let read = try JSONDecoder().decode(RecordedEvent.self, from: text)
      #expect(read.name == recorded.name)
      let members = (try Self.members(JSONEncoder().encode(read)), try Self.members(text))
      #expect(members.0 == members.1, "\(recorded.name)")
      event = Self.event(after: current)
    }
  }

  private static func members(_ text: Data) throws -> [String] {
    let event = try #require(JSONSerialization.jsonObject(with: text) as? [String: [String: Any]])
    return event.flatMap { name, values in values.keys.map { "\(name).\($0)" } }.sorted()
  }

  @Test(arguments: SessionRecord.samples(at: noon)) func `a record in a report has each field of the stored one`(
    record: SessionRecord
  ) throws {
    let noted = try JSONDecoder().decode(
      Noted<SessionRecord>.self, from: JSONEncoder().encode(record.noted)
    ).value
    let empty = Mirror(reflecting: SessionRecord()).children.map { "\($0.value)" }
    let (stored, read) = (Mirror(reflecting: record).children, Mirror(reflecting: noted).children)
    for ((field, value), without) in zip(zip(stored, read), empty) where "\(field.value)" != without {
      #expect("\(value.value)" != without, "\(field.label ?? "")")
    }
  }
}
