import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData
@testable import AuthenticationPasskeys

@Suite struct CheckingPasskeyAuthenticatorTests {
  private let clock = ManualClock()
  private let spent = SpentChallenges()

  private func checking(_ passkey: MadeUpPasskey) -> CheckingPasskeyAuthenticator<ScriptedPasskeyAuthenticator> {
    checking(ScriptedPasskeyAuthenticator(passkey))
  }

  private func checking<Upstream>(_ upstream: Upstream) -> CheckingPasskeyAuthenticator<Upstream> {
    CheckingPasskeyAuthenticator(upstream, relyingPartyID: "example.org", clock: clock, spent: spent)
  }

  @Test func `a registration and an assertion that match their requests pass`() async throws {
    let authenticator = checking(MadeUpPasskey())
    #expect(try await authenticator.register(.sample()).credentialID == MadeUpPasskey().id)
    let assertion = try await authenticator.sign(.sample(challenge: .challenge(2)), presentation: .modal)
    #expect(assertion.credentialID == MadeUpPasskey().id)
  }

  @Test(arguments: [nil, "", "example.org"] as [String?])
  func `the authenticator is asked for the configured domain`(named: String?) async throws {
    let upstream = ScriptedPasskeyAuthenticator()
    let authenticator = checking(upstream)
    _ = try await authenticator.register(.sample(relyingPartyID: named))
    _ = try await authenticator.sign(
      .sample(challenge: .challenge(2), relyingPartyID: named), presentation: .modal)
    #expect(upstream.created.map(\.relyingPartyID) == ["example.org"])
    #expect(upstream.signed.map(\.relyingPartyID) == ["example.org"])
  }

  @Test(arguments: ["example.com", "org", "sub.example.org", "example.org.", "EXAMPLE.ORG", " "])
  func `options for another domain are refused before anybody is asked`(named: String) async throws {
    let upstream = ScriptedPasskeyAuthenticator()
    let authenticator = checking(upstream)
    let creation = try PasskeyCreationOptions.sample(relyingPartyID: named)
    let request = try PasskeyRequestOptions.sample(relyingPartyID: named)
    await refused(by: .relyingParty) { try await authenticator.register(creation) }
    await refused(by: .relyingParty) { try await authenticator.sign(request, presentation: .modal) }
    #expect(upstream.created.isEmpty && upstream.signed.isEmpty)
  }

  @Test func `a challenge has at least 16 bytes`() async throws {
    let upstream = ScriptedPasskeyAuthenticator()
    let authenticator = checking(upstream)
    let request = try PasskeyRequestOptions.sample(challenge: Data(1...15))
    await refused(by: .passkeyChallenge) { try await authenticator.sign(request, presentation: .autofill) }
    #expect(upstream.signed.isEmpty)
    _ = try await authenticator.sign(.sample(challenge: Data(1...16)), presentation: .autofill)
  }

  @Test func `a challenge is signed once in this process, for whatever it comes again`() async throws {
    _ = try await checking(MadeUpPasskey()).sign(.sample(), presentation: .modal)
    let upstream = ScriptedPasskeyAuthenticator()
    let another = checking(upstream)
    let (request, creation) = (try PasskeyRequestOptions.sample(), try PasskeyCreationOptions.sample())
    await refused(by: .passkeyChallenge) { try await another.sign(request, presentation: .modal) }
    await refused(by: .passkeyChallenge) { try await another.register(creation) }
    #expect(upstream.signed.isEmpty && upstream.created.isEmpty)
  }

  @Test func `two that sign one challenge at once do not both pass`() async throws {
    let (first, second) = (ScriptedPasskeyAuthenticator(), ScriptedPasskeyAuthenticator())
    first.gate.close()
    let late = checking(first)
    async let answer = late.sign(.sample(), presentation: .modal)
    await first.gate.waitForArrivals(1)
    _ = try await checking(second).sign(.sample(), presentation: .modal)
    first.gate.open()
    do {
      _ = try await answer
      Issue.record("The challenge was signed twice.")
    } catch let error as AuthenticationError {
      #expect(error.reason == .passkeyChallenge)
    }
  }

  @Test func `a user who declines may be asked again with the same options`() async throws {
    let options = try PasskeyRequestOptions.sample()
    let declining = checking(ScriptedPasskeyAuthenticator(failure: .cancelled))
    await #expect(throws: AuthenticationError.cancelled) { try await declining.sign(options, presentation: .modal) }
    _ = try await checking(MadeUpPasskey()).sign(options, presentation: .modal)
  }

  @Test(
    arguments: [
      (MadeUpPasskey(relyingPartyID: "example.com"), .relyingParty),
      (MadeUpPasskey(challenge: .challenge(9)), .passkeyChallenge),
      (MadeUpPasskey(challenge: Data()), .passkeyChallenge),
      (MadeUpPasskey(type: "webauthn.get"), .passkeyCeremony),
      (MadeUpPasskey(type: "payment.get"), .passkeyCeremony),
      (MadeUpPasskey(flags: .userPresent), .userVerification),
      (MadeUpPasskey(flags: .userVerified), .userPresence),
      (MadeUpPasskey(origin: "https://evil.example"), .passkeyOrigin),
    ] as [(MadeUpPasskey, FailureReason)])
  func `a forged registration is refused, and the attempt goes on`(
    forged: MadeUpPasskey, check: FailureReason
  ) async throws {
    let options = try PasskeyCreationOptions.sample(verification: .required)
    let forging = checking(forged)
    await refused(by: check) { try await forging.register(options) }
    #expect(try await checking(MadeUpPasskey()).register(options).credentialID == MadeUpPasskey().id)
  }

  @Test(
    arguments: [
      (MadeUpPasskey(relyingPartyID: "example.com"), .relyingParty),
      (MadeUpPasskey(challenge: .challenge(9)), .passkeyChallenge),
      (MadeUpPasskey(type: "webauthn.create"), .passkeyCeremony),
      (MadeUpPasskey(flags: .userPresent), .userVerification),
      (MadeUpPasskey(flags: .userVerified), .userPresence),
      (MadeUpPasskey(origin: "https://evil.example"), .passkeyOrigin),
      (MadeUpPasskey(id: Data("another".utf8)), .allowedCredentials),
    ] as [(MadeUpPasskey, FailureReason)])
  func `a forged assertion is refused, and the attempt goes on`(
    forged: MadeUpPasskey, check: FailureReason
  ) async throws {
    let options = try PasskeyRequestOptions.sample(
      allowing: [Data("first".utf8), MadeUpPasskey().id], verification: .required)
    let forging = checking(forged)
    await refused(by: check) { try await forging.sign(options, presentation: .modal) }
    #expect(try await checking(MadeUpPasskey()).sign(options, presentation: .modal).credentialID == MadeUpPasskey().id)
  }

  @Test(arguments: [
    "https://example.com", "https://example.org.evil.example", "https://notexample.org", "http://example.org", "",
    "https://example.org/", "https://example.org/path", "https://user@example.org", "https://EXAMPLE.org",
    "example.org",
    "android:apk-key-hash:AAAA", "https://org", "null",
  ]) func `a response that was made for another origin is refused`(origin: String) async throws {
    let (request, creation) = (try PasskeyRequestOptions.sample(), try PasskeyCreationOptions.sample())
    let forging = checking(MadeUpPasskey(origin: origin))
    await refused(by: .passkeyOrigin) { try await forging.sign(request, presentation: .modal) }
    await refused(by: .passkeyOrigin) { try await forging.register(creation) }
  }

  @Test(arguments: [
    #","crossOrigin":true"#, #","crossOrigin":true,"topOrigin":"https://evil.example""#,
    #","topOrigin":"https://evil.example""#,
  ])
  func `a response from within a page of another origin is refused`(members: String) async throws {
    let options = try PasskeyRequestOptions.sample()
    let forging = checking(MadeUpPasskey(members: members))
    await refused(by: .passkeyOrigin) { try await forging.sign(options, presentation: .modal) }
  }

  @Test(arguments: ["https://example.org", "https://login.example.org", "https://example.org:8443"])
  func `the domain, its subdomains and its ports are accepted as origins`(origin: String) async throws {
    let own = checking(MadeUpPasskey(origin: origin, members: #","crossOrigin":false"#))
    _ = try await own.sign(.sample(), presentation: .modal)
  }

  @Test func `this machine needs no https`() async throws {
    let passkey = MadeUpPasskey(relyingPartyID: "localhost", origin: "http://localhost:8080")
    let local = CheckingPasskeyAuthenticator(
      ScriptedPasskeyAuthenticator(passkey), relyingPartyID: "localhost", clock: clock, spent: spent)
    _ = try await local.sign(.sample(relyingPartyID: "localhost"), presentation: .modal)
  }

  @Test func `a new passkey of an algorithm that was not asked for is refused`() async throws {
    let options = try PasskeyCreationOptions(
      json: Data(
        #"{"user":{"id":"dXNlcg","name":"a"},"challenge":"\#(Data.challenge(1).base64URL)","pubKeyCredParams":[{"type":"public-key","alg":-8}]}"#
          .utf8))
    let authenticator = checking(MadeUpPasskey())
    await refused(by: .passkeyAlgorithm) { try await authenticator.register(options) }
  }

  @Test func `any passkey may sign where none is named, without verification where that is not required`() async throws
  {
    let authenticator = checking(MadeUpPasskey(flags: .userPresent))
    _ = try await authenticator.sign(.sample(verification: .preferred), presentation: .modal)
    _ = try await authenticator.register(.sample(challenge: .challenge(2), verification: .discouraged))
  }

  @Test(arguments: [(nil, 300), (0, 5), (4_999, 5), (60_000, 60), (600_001, 600), (86_400_000, 600)] as [(Int?, Int)])
  func `the user has the server's time, within 5 seconds and 10 minutes`(timeout: Int?, seconds: Int) async throws {
    let upstream = ScriptedPasskeyAuthenticator()
    upstream.gate.close()
    let authenticator = checking(upstream)
    async let answer = Result { try await authenticator.sign(.sample(timeout: timeout), presentation: .modal) }
    await upstream.gate.waitForArrivals(1)
    try #require(upstream.signed.map(\.timeout) == [.seconds(seconds)])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(seconds) - .milliseconds(1))
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(1))
    #expect(await answer.refusal == .timedOut)
  }

  @Test func `a registration ends in time, too`() async throws {
    let upstream = ScriptedPasskeyAuthenticator()
    upstream.gate.close()
    let authenticator = checking(upstream)
    async let answer = Result { try await authenticator.register(.sample(timeout: 1)) }
    await upstream.gate.waitForArrivals(1)
    try #require(upstream.created.map(\.timeout) == [.seconds(5)])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    #expect(await answer.refusal == .timedOut)
  }

  @Test func `suggestions have no timeout, and end when something else is asked`() async throws {
    let upstream = ScriptedPasskeyAuthenticator()
    upstream.suggestions.close()
    let authenticator = checking(upstream)
    async let suggested = Result { try await authenticator.sign(.sample(timeout: 5_000), presentation: .autofill) }
    await upstream.suggestions.waitForArrivals(1)
    #expect(upstream.signed.map(\.timeout) == [nil])
    _ = try await authenticator.sign(.sample(challenge: .challenge(2)), presentation: .modal)
    upstream.suggestions.open()
    #expect(await suggested.refusal == .superseded)
  }

  @Test func `a request that is refused ends no suggestions`() async throws {
    let upstream = ScriptedPasskeyAuthenticator()
    upstream.suggestions.close()
    let authenticator = checking(upstream)
    async let suggested = Result { try await authenticator.sign(.sample(), presentation: .autofill) }
    await upstream.suggestions.waitForArrivals(1)
    let elsewhere = try PasskeyRequestOptions.sample(challenge: .challenge(2), relyingPartyID: "example.com")
    await refused(by: .relyingParty) { try await authenticator.sign(elsewhere, presentation: .modal) }
    upstream.suggestions.open()
    #expect(await suggested.refusal == nil)
  }

  @Test func `a caller that leaves is told at once`() async throws {
    let upstream = ScriptedPasskeyAuthenticator()
    upstream.suggestions.close()
    let authenticator = checking(upstream)
    let caller = Task { await Result { try await authenticator.sign(.sample(), presentation: .autofill) } }
    await upstream.suggestions.waitForArrivals(1)
    caller.cancel()
    #expect(await caller.value.refusal == .cancelled)
  }

  @Test func `only a passkey that was asked for conditionally may lack a present user`() async throws {
    let authenticator = checking(MadeUpPasskey(flags: []))
    let options = try PasskeyCreationOptions.sample(verification: .required)
    await refused(by: .userPresence) { try await checking(MadeUpPasskey(flags: .userVerified)).register(options) }
    #expect(try await authenticator.registerConditionally(options).credentialID == MadeUpPasskey().id)
    for (forged, check) in [
      (MadeUpPasskey(relyingPartyID: "example.com", flags: []), FailureReason.relyingParty),
      (MadeUpPasskey(flags: [], challenge: .challenge(9)), .passkeyChallenge),
      (MadeUpPasskey(flags: [], origin: "https://evil.example"), .passkeyOrigin),
    ] {
      let options = try PasskeyCreationOptions.sample(challenge: .challenge(2))
      await refused(by: check) { try await checking(forged).registerConditionally(options) }
    }
  }

  @Test func `the passkey of a new account is checked as any other`() async throws {
    let account = try await checking(MadeUpPasskey())
      .createAccount(.sample(), contacts: [.emailAddress], asksForName: false)
    #expect(account.address == .email("ada@example.org") && account.registration.credentialID == MadeUpPasskey().id)
    let options = try PasskeyCreationOptions.sample(challenge: .challenge(2))
    await refused(by: .userPresence) {
      try await checking(MadeUpPasskey(flags: [])).createAccount(options, contacts: [.phoneNumber], asksForName: true)
    }
    let plain = PlainAuthenticator()
    await #expect(throws: AuthenticationError.unsupportedMethod) {
      try await checking(plain).createAccount(options, contacts: [], asksForName: false)
    }
    await #expect(throws: AuthenticationError.unsupportedMethod) {
      try await checking(plain).registerConditionally(options)
    }
  }

  @Test func `a device is told of the configured domain alone`() async throws {
    let upstream = ScriptedPasskeyAuthenticator()
    let signal = PasskeySignal.unknown(credentialID: MadeUpPasskey().id)
    try await checking(upstream).signal(signal, relyingPartyID: "example.org")
    await refused(by: .relyingParty) {
      try await checking(upstream).signal(signal, relyingPartyID: "example.com")
    }
    #expect(upstream.signals == [signal])
  }

  @Test func `of the challenges that were signed, the latest thousand are kept`() {
    func challenge(_ number: Int) -> Data { Data("challenge \(number)".utf8) }
    for number in 0...1_000 { #expect(spent.spend(challenge(number))) }
    #expect(!spent.contains(challenge(0)) && spent.contains(challenge(1)) && spent.contains(challenge(1_000)))
    #expect(!spent.spend(challenge(1_000)))
  }

  /// Nothing of the options or the response is quoted.
  private func refused(by check: FailureReason, _ work: () async throws -> some Sendable) async {
    let error = await #expect(throws: AuthenticationError.self) { try await work() }
    #expect(error == .security && error?.reason == check)
    let text = error.map { "\($0) \($0.suggestion ?? "")" } ?? ""
    #expect(!text.contains("example") && !text.contains(Data.challenge(1).base64URL))
  }
}

extension Result where Failure == any Error, Success: Sendable {
  fileprivate init(_ work: () async throws -> Success) async {
    do { self = .success(try await work()) } catch { self = .failure(error) }
  }

  /// Nil for a success.
  fileprivate var refusal: AuthenticationError? {
    if case .failure(let error) = self { error as? AuthenticationError } else { nil }
  }
}

/// A custom authenticator, which does everything right.
private struct PlainAuthenticator: PasskeyAuthenticator {
  func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    throw .cancelled
  }

  func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion { throw .cancelled }
}
