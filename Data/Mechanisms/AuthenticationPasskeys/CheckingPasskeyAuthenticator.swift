import AuthenticationData
public import AuthenticationDomain
import Foundation
import Synchronization

/// Asks for passkeys of one domain only, with challenges that were not signed before, and refuses a response to
/// something else. It asks the user one thing at a time: a later request replaces the one that is shown.
final class CheckingPasskeyAuthenticator<Upstream: PasskeyAuthenticator>: PasskeyAuthenticator {
  private let upstream: Upstream
  private let relyingPartyID: String
  private let clock: any AuthenticationClock
  private let spent: SpentChallenges
  private let replaceCurrent = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ upstream: Upstream, relyingPartyID: String, clock: any AuthenticationClock, spent: SpentChallenges) {
    self.upstream = upstream
    self.relyingPartyID = relyingPartyID
    self.clock = clock
    self.spent = spent
  }

  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    try await create(options, PasskeyExpectations(options, of: relyingPartyID), checking: \.self) {
      [upstream] options async throws(AuthenticationError) in try await upstream.register(options)
    }
  }

  func registerConditionally(
    _ options: PasskeyCreationOptions
  ) async throws(AuthenticationError) -> PasskeyRegistration {
    try await create(options, PasskeyExpectations(options, of: relyingPartyID, isConditional: true), checking: \.self) {
      [upstream] options async throws(AuthenticationError) in try await upstream.registerConditionally(options)
    }
  }

  func createAccount(
    _ options: PasskeyCreationOptions, contacts: [SignInMethod.Need], asksForName: Bool
  ) async throws(AuthenticationError) -> NewPasskeyAccount {
    try await create(options, PasskeyExpectations(options, of: relyingPartyID), checking: \.registration) {
      [upstream] options async throws(AuthenticationError) in
      try await upstream.createAccount(options, contacts: contacts, asksForName: asksForName)
    }
  }

  /// Creates a passkey within the server's timeout.
  private func create<Response: Sendable>(
    _ options: PasskeyCreationOptions, _ expectations: PasskeyExpectations,
    checking registration: (Response) -> PasskeyRegistration,
    by create: @escaping @Sendable (PasskeyCreationOptions) async throws(AuthenticationError) -> Response
  ) async throws(AuthenticationError) -> Response {
    var options = options
    options.relyingPartyID = relyingPartyID
    options.timeout = Self.limit(options.timeout)
    return try await ask(
      expectations, within: options.timeout,
      check: { response throws(AuthenticationError) in try expectations.check(registration(response)) },
      { [options] () async throws(AuthenticationError) in try await create(options) })
  }

  func signal(_ signal: PasskeySignal, relyingPartyID: String) async throws(AuthenticationError) {
    guard relyingPartyID == self.relyingPartyID else {
      throw .refused(by: .relyingParty, "The signal is about another domain than the configured one.")
    }
    try await upstream.signal(signal, relyingPartyID: relyingPartyID)
  }

  func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    let expectations = try PasskeyExpectations(options, of: relyingPartyID)
    var options = options
    options.relyingPartyID = relyingPartyID
    options.timeout = presentation == .autofill ? nil : Self.limit(options.timeout)
    return try await ask(expectations, within: options.timeout, check: expectations.check) {
      [upstream, options] () async throws(AuthenticationError) in
      try await upstream.sign(options, presentation: presentation)
    }
  }

  private func ask<Response: Sendable>(
    _ expectations: PasskeyExpectations, within limit: Duration?,
    check: (Response) throws(AuthenticationError) -> Void,
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Response
  ) async throws(AuthenticationError) -> Response {
    guard !spent.contains(expectations.challenge) else { throw .spentChallenge }
    let call = AbandonableCall<Response>()
    let replace = replaceCurrent.withLock { current in
      defer { current = { [weak call] in call?.leave(.superseded) } }
      return current
    }
    replace?()
    let response = try await call.run(within: limit, by: clock) { _ throws(AuthenticationError) in try await work() }
    try check(response)
    guard spent.spend(expectations.challenge) else { throw .spentChallenge }
    return response
  }

  private static func limit(_ timeout: Duration?) -> Duration {
    min(max(timeout ?? .seconds(300), .seconds(5)), .seconds(600))
  }
}

extension PasskeyAuthenticator {
  /// This authenticator for one domain, with the checks that keep a client from being fooled (WebAuthn Level 3 §7).
  ///
  /// It asks within the server's timeout, which counts as 5 seconds to 10 minutes, and as 5 minutes if there is none;
  /// suggestions for a text field stay for as long as the caller waits. It asks the user one thing at a time: a later
  /// request replaces the one that is shown. It throws ``AuthenticationError/security`` if the options or the response
  /// fail a check, ``AuthenticationError/timedOut``, and ``AuthenticationError/superseded`` if a later request came.
  ///
  /// - Parameters:
  ///   - relyingPartyID: the domain of the app's passkeys, such as `example.org`; a server that names another one is
  ///     refused.
  ///   - clock: measures how long the user takes.
  public func checking(
    relyingPartyID: String, clock: any AuthenticationClock = SystemClock()
  ) -> some PasskeyAuthenticator {
    CheckingPasskeyAuthenticator(self, relyingPartyID: relyingPartyID, clock: clock, spent: .ofProcess)
  }
}

extension AuthenticationError {
  fileprivate static let spentChallenge = refused(
    by: .passkeyChallenge, "The server sent a challenge that a passkey has signed already.")
}

/// A client's expectation of the response before it asks for one. The server verifies it (WebAuthn Level 3 §7); a
/// client that checks as well cannot be made to send a response that was meant for another server.
struct PasskeyExpectations: Sendable {
  static let shortestChallenge = 16

  let ceremony: CollectedClientData.Ceremony
  let relyingPartyID: String
  let challenge: Data
  let requiresVerification: Bool
  /// Whether a user must have been present; otherwise the server decides, when it asked for that.
  private let requiresPresence: Bool
  let allowedCredentials: [PasskeyDescriptor]
  let algorithms: [Int]

  /// - Throws: ``AuthenticationError/security`` if the options are for another domain, or their challenge can be
  ///   guessed.
  init(
    _ options: PasskeyCreationOptions, of relyingPartyID: String, isConditional: Bool = false
  ) throws(AuthenticationError) {
    try self.init(
      .registration, options.relyingPartyID, relyingPartyID, options.challenge,
      isConditional ? .preferred : options.userVerification, presence: !isConditional, algorithms: options.algorithms)
  }

  /// - Throws: ``AuthenticationError/security`` if the options are for another domain, or their challenge can be
  ///   guessed.
  init(_ options: PasskeyRequestOptions, of relyingPartyID: String) throws(AuthenticationError) {
    try self.init(
      .assertion, options.relyingPartyID, relyingPartyID, options.challenge, options.userVerification,
      allowed: options.allowedCredentials)
  }

  private init(
    _ ceremony: CollectedClientData.Ceremony, _ named: String?, _ configured: String, _ challenge: Data,
    _ verification: PasskeyRequirement, presence: Bool = true, allowed: [PasskeyDescriptor] = [],
    algorithms: [Int] = []
  ) throws(AuthenticationError) {
    guard named == nil || named == "" || named == configured else {
      throw .refused(by: .relyingParty, "The passkey options are for another domain than the configured one.")
    }
    guard challenge.count >= Self.shortestChallenge else {
      throw .refused(by: .passkeyChallenge, "The challenge has less than \(Self.shortestChallenge) bytes.")
    }
    self.ceremony = ceremony
    self.challenge = challenge
    relyingPartyID = configured
    requiresVerification = verification == .required
    requiresPresence = presence
    allowedCredentials = allowed
    self.algorithms = algorithms
  }

  func check(_ registration: PasskeyRegistration) throws(AuthenticationError) {
    try check(registration.clientData, registration.attestation.authenticatorData)
    guard algorithms.contains(registration.attestation.credential.publicKey.algorithm) else {
      throw .refused(by: .passkeyAlgorithm, "The new passkey has an algorithm that the server does not accept.")
    }
  }

  func check(_ assertion: PasskeyAssertion) throws(AuthenticationError) {
    try check(assertion.clientData, assertion.authenticatorData)
    guard allowedCredentials.isEmpty || allowedCredentials.contains(where: { $0.id == assertion.credentialID }) else {
      throw .refused(by: .allowedCredentials, "A passkey signed that the server did not allow.")
    }
  }

  private func check(_ client: CollectedClientData, _ data: AuthenticatorData) throws(AuthenticationError) {
    guard client.ceremony == ceremony else {
      throw .refused(by: .passkeyCeremony, "The response is of another kind than the one asked for.")
    }
    guard client.challenge == challenge.base64URL else {
      throw .refused(by: .passkeyChallenge, "The response is for another challenge.")
    }
    guard isOwn(client.origin), !client.isCrossOrigin else {
      throw .refused(by: .passkeyOrigin, "The response was made for a page of another origin, or within one.")
    }
    guard data.relyingPartyIDHash == PublicSHA256.hash(relyingPartyID.utf8) else {
      throw .refused(by: .relyingParty, "The response is for another domain than the configured one.")
    }
    guard !requiresPresence || data.flags.contains(.userPresent) else {
      throw .refused(by: .userPresence, "The authenticator did not check that a user is present.")
    }
    guard !requiresVerification || data.flags.contains(.userVerified) else {
      throw .refused(by: .userVerification, "The authenticator did not check who the user is.")
    }
  }

  /// Whether this is an origin of the relying party: https, or http to this machine, at its domain or below it, on any
  /// port (WebAuthn Level 3 §5.1.3, §13.4.9).
  private func isOwn(_ text: String) -> Bool {
    guard let origin = URL(string: text).flatMap(Origin.init), origin.description == text, origin.isSecure else {
      return false
    }
    return origin.host == relyingPartyID || origin.host.hasSuffix(".\(relyingPartyID)")
  }
}

/// The challenges that passkeys have signed: a server, or an attacker, that sends one again gets no second
/// signature. The latest 1,000 are kept.
final class SpentChallenges: Sendable {
  static let ofProcess = SpentChallenges()
  private static let capacity = 1_000

  private let latest = Mutex<[[UInt8]]>([])

  func contains(_ challenge: Data) -> Bool {
    let hash = PublicSHA256.hash(challenge)
    return latest.withLock { $0.contains(hash) }
  }

  /// Returns false if it was spent before.
  func spend(_ challenge: Data) -> Bool {
    let hash = PublicSHA256.hash(challenge)
    return latest.withLock { latest in
      guard !latest.contains(hash) else { return false }
      latest.append(hash)
      if latest.count > Self.capacity { latest.removeFirst() }
      return true
    }
  }
}
