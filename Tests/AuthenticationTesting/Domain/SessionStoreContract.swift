public import AuthenticationDomain
import Foundation

/// The rules of every ``SessionStore``, as named facts that any test framework can run.
///
/// ```swift
/// for fact in SessionStoreContract.facts { try SessionStoreContract { VaultStore() }.verify(fact) }
/// ```
public struct SessionStoreContract: Sendable {
  /// One statement, to run as an argument of a test.
  public typealias Fact = ContractFact<Self>

  let make: @Sendable () throws -> any SessionStore
  let damage: (@Sendable (any SessionStore) throws -> Void)?

  /// Makes the store that is checked.
  ///
  /// - Parameters:
  ///   - make: a new store in which nothing is kept.
  ///   - damage: makes reading it fail, for ``failureFacts``.
  public init(
    make: @escaping @Sendable () throws -> any SessionStore,
    damage: (@Sendable (any SessionStore) throws -> Void)? = nil
  ) {
    self.make = make
    self.damage = damage
  }

  /// Checks one fact on a subject made for it; throws its violation.
  public func verify(_ fact: Fact) throws(ContractViolation) { try fact.verify(self) }
}

// MARK: - The facts

extension SessionStoreContract {
  /// For every store.
  public static let facts: [Fact] = [
    Fact("a store to which nothing was saved is absent") { contract in
      try expect(nil, in: contract.make())
    },
    Fact("each part of a record is read back") { contract in
      for record in [try full(), try minimal(), try revocationsOnly(), SessionRecord()] {
        let store = try contract.make()
        try store.save(record)
        try expect(record, in: store)
      }
    },
    Fact("a save replaces the whole record") { contract in
      let store = try contract.make()
      for record in [try full(), try minimal(), try revocationsOnly()] {
        try store.save(record)
        try expect(record, in: store)
      }
    },
    Fact("what was deleted is absent") { contract in
      let store = try contract.make()
      try store.save(full())
      try store.delete()
      try expect(nil, in: store)
    },
    Fact("deleting what is not there succeeds") { contract in
      let store = try contract.make()
      for _ in 1...2 { try store.delete() }
    },
  ]

  /// For a store whose reads can fail.
  public static let failureFacts: [Fact] = [
    Fact("a failed read is an error, and a later save is read again") { contract in
      let store = try contract.make()
      try store.save(full())
      guard let damage = contract.damage else { throw Finding(text: "pass `damage` to check this fact") }
      try damage(store)
      try Finding.expectFailure(Result { () throws(AuthenticationError) in try store.read() })
      let record = try minimal()
      try store.save(record)
      try expect(record, in: store)
    }
  ]
}

// MARK: - Saving

extension SessionStoreContract {
  private static func expect(_ record: SessionRecord?, in store: any SessionStore) throws {
    let found = try store.read()
    try Finding.expect(found == record, found == nil ? "nothing was read" : "another record was read")
  }

  private static let date = Date(timeIntervalSinceReferenceDate: 788_918_400.25)

  private static func full() throws -> SessionRecord {
    let tokens = SessionTokens(
      access: try AccessToken(
        Secret("access"), type: "DPoP", receivedAt: date, lifetime: .seconds(3_600), scopes: ["openid", "mail"]),
      refresh: Secret("refresh \"\\/\u{1}"), identity: Secret("identity"))
    return SessionRecord(
      session: AuthSession(user: .grace, tokens: tokens), signedInAt: date,
      pendingRevocations: try revocationsOnly().pendingRevocations)
  }

  private static func minimal() throws -> SessionRecord {
    let tokens = SessionTokens(access: try AccessToken(Secret("access"), receivedAt: date))
    return SessionRecord(session: AuthSession(user: User(id: "ä"), tokens: tokens))
  }

  private static func revocationsOnly() throws -> SessionRecord {
    SessionRecord(
      pendingRevocations: try [1, 2].map { number in
        let access = try AccessToken(Secret("old-\(number)"), receivedAt: date, lifetime: .seconds(number))
        let refresh = number == 1 ? nil : Secret("old refresh")
        return PendingRevocation(
          tokens: SessionTokens(access: access, refresh: refresh), queuedAt: date.addingTimeInterval(Double(number)))
      })
  }
}
