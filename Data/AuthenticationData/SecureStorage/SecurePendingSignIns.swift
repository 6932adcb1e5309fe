public import AuthenticationDomain
import Foundation

extension SecureStorage {
  /// Keeps the one step that waits for the user here, for ``SignInAttempts`` that an app composes by hand.
  ///
  /// ```swift
  /// let attempts = SignInAttempts(
  ///   [.password], useCase: manager, manager: manager, pending: storage.pendingSignIns(of: "notes"))
  /// ```
  ///
  /// - Parameter realm: whose sign-in it is; a step of another realm counts as none.
  public func pendingSignIns(of realm: String) -> some PendingSignInStore { SecurePendingSignIns(self, realm: realm) }
}

/// Keeps the pending step of one realm in secure storage. A step that cannot be stored is lost with the process.
package actor SecurePendingSignIns: PendingSignInStore {
  private static let key = "sign-in"

  private let storage: any SecureStorage
  private let realm: String
  private let executor: any SerialExecutor
  /// A locked storage has kept the value that was to be removed.
  private var removalPending = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// - Parameter executor: where the storage is called, which may block.
  package init(_ storage: any SecureStorage, realm: String, executor: any SerialExecutor = BlockingExecutor()) {
    self.storage = storage
    self.realm = realm
    self.executor = executor
  }

  package func save(_ pending: PendingSignIn) {
    guard let data = StoredPendingSignIn.encode(pending, realm: realm) else { return removeAll() }
    if (try? storage.write(data, for: Self.key)) != nil { removalPending = false } else { removeAll() }
  }

  package func pending() -> PendingSignIn? {
    if removalPending { removeAll() }
    guard !removalPending, let data = try? storage.read(Self.key) else { return nil }
    return StoredPendingSignIn.decode(data, realm: realm)
  }

  package func remove(_ attempt: String) { if pending()?.attempt == attempt { removeAll() } }

  package func removeAll() {
    do {
      if try storage.read(Self.key) != nil { try storage.delete(Self.key) }
      removalPending = false
    } catch {
      removalPending = true
    }
  }
}

/// The stored form of a pending step, which holds no password and no code.
enum StoredPendingSignIn {
  private static let heading = "AuthenticationKit sign-in 1"

  /// Nil for a step that shows the secret of an authenticator, or asks for a passkey: neither is stored.
  static func encode(_ pending: PendingSignIn, realm: String) -> Data? {
    let challenge = pending.challenge
    guard challenge.enrolment == nil, challenge.passkeyRequest == nil else { return nil }
    var writer = StoredFields.Writer(heading: heading)
    writer.add("realm", realm)
    writer.add("attempt", pending.attempt)
    writer.add("method", pending.method)
    writer.add("received", String(pending.receivedAt.timeIntervalSince1970))
    writer.add("kind", challenge.kind.id)
    writer.add("handle", challenge.handle.reveal())
    writer.add("destination", challenge.destination)
    writer.add("format", challenge.format.map(text))
    writer.add("lifetime", challenge.lifetime?.components.seconds.description)
    writer.add("resend", challenge.resendDelay?.components.seconds.description)
    writer.add("poll", challenge.pollInterval?.components.seconds.description)
    writer.add("left", challenge.attemptsLeft.map { String($0) })
    for rule in challenge.passwordRules { writer.add("rule", rule) }
    for factor in challenge.choices {
      writer.add("factor", factor.id)
      writer.add("factor-kind", factor.kind.id)
      writer.add("factor-destination", factor.destination)
      writer.add("factor-label", factor.label)
    }
    return writer.finished()
  }

  /// Nil for data that is damaged, of a later version or of another realm.
  static func decode(_ data: Data, realm: String) -> PendingSignIn? {
    guard let read = StoredFields.read(data, heading: heading) else { return nil }
    var fields: [String: String] = [:]
    var rules: [String] = []
    var factors: [[String: String]] = []
    for (name, value) in read {
      switch name {
      case "rule": rules.append(value)
      case "factor": factors.append([name: value])
      case _ where name.hasPrefix("factor-"):
        if let last = factors.indices.last { factors[last][name] = value }
      default: fields[name] = value
      }
    }
    guard let owner = fields["realm"], owner.utf8.elementsEqual(realm.utf8),
      let attempt = fields["attempt"], let method = fields["method"], let kind = fields["kind"],
      let handle = fields["handle"], let received = fields["received"].flatMap({ Double($0) }),
      let receivedAt = Date(boundedSecondsSince1970: received)
    else { return nil }
    let choices = factors.map {
      Challenge.Factor(
        id: $0["factor"] ?? "", kind: .init(id: $0["factor-kind"] ?? ""), destination: $0["factor-destination"],
        label: $0["factor-label"])
    }
    let challenge = Challenge(
      kind: .init(id: kind), destination: fields["destination"], handle: Secret(handle),
      format: fields["format"].flatMap(format), lifetime: fields["lifetime"].flatMap(seconds),
      resendDelay: fields["resend"].flatMap(seconds), attemptsLeft: fields["left"].flatMap { Int($0) },
      choices: choices, passwordRules: rules, pollInterval: fields["poll"].flatMap(seconds))
    return PendingSignIn(attempt: attempt, method: method, challenge: challenge, receivedAt: receivedAt)
  }

  private static func seconds(_ text: String) -> Duration? { Int64(text).map { .seconds($0) } }

  private static func text(_ format: CodeFormat) -> String {
    "\(format.length.lowerBound) \(format.length.upperBound) \(format.alphabet == .digits ? "digits" : "letters")"
  }

  private static func format(_ text: String) -> CodeFormat? {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let lower = Int(parts[0]), let upper = Int(parts[1]), 0 <= lower, lower <= upper,
      upper <= 64
    else { return nil }
    return CodeFormat(length: lower...upper, alphabet: parts[2] == "digits" ? .digits : .lettersAndDigits)
  }
}
