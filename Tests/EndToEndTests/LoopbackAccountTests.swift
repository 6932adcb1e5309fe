#if Tools
import AuthenticationData
import AuthenticationDomain
import AuthenticationPasskeys
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// The ledger's side of the account services.
@Suite struct IdentityLedgerAccountTests {
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `a code is good until its end, and once`() throws {
    var ledger = IdentityLedger(options: .init(users: [.init(username: "mary", password: "p", hasSecondFactor: true)]))
    let sent = try #require(try ledger.begin(username: "mary", password: "p", at: start))
    #expect(throws: IdentityRefusal.codeExpired) {
      try ledger.answer(sent.id, code: sent.code, at: start.addingTimeInterval(300))
    }
    _ = try ledger.answer(sent.id, code: sent.code, at: start.addingTimeInterval(299))
    #expect(throws: IdentityRefusal.unknownChallenge) { try ledger.answer(sent.id, code: sent.code, at: start) }
  }

  @Test func `another code takes the place of the one before`() throws {
    var ledger = IdentityLedger(options: .init(users: [.init(username: "mary", password: "p", hasSecondFactor: true)]))
    let first = try #require(try ledger.begin(username: "mary", password: "p", at: start))
    let second = try ledger.resend(first.id, at: start)
    #expect(second.code != first.code)
    #expect(throws: IdentityRefusal.unknownChallenge) { try ledger.answer(first.id, code: first.code, at: start) }
    _ = try ledger.answer(second.id, code: second.code, at: start)
  }

  @Test func `an account without a password is not signed in to with an empty one`() throws {
    var ledger = IdentityLedger(options: .init(users: [.init(username: "mary", password: "")]))
    #expect(throws: IdentityRefusal.invalidCredentials) {
      try ledger.signIn(username: "mary", password: "", at: start)
    }
    #expect(throws: IdentityRefusal.invalidCredentials) { try ledger.begin(username: "mary", password: "", at: start) }
  }
}

/// The relying party of the loopback server, against the software authenticator.
@Suite struct RelyingPartyTests {
  private let authenticator = SoftwareAuthenticator(origin: "http://localhost")

  private func registered() async throws -> IdentityParty {
    var party = IdentityParty()
    try await party.register(authenticator)
    return party
  }

  @Test func `a registered passkey says whose it is`() async throws {
    var party = try await registered()
    #expect(try await party.signIn(authenticator) == "ada")
    #expect(try await party.signIn(authenticator) == "ada")
  }

  @Test func `a passkey of another origin is refused`() async throws {
    var party = IdentityParty()
    await #expect(throws: IdentityRefusal.invalidCredentials) {
      try await party.register(SoftwareAuthenticator(origin: "https://elsewhere.example"))
    }
  }

  @Test func `a passkey that was not registered is refused`() async throws {
    var party = try await registered()
    let unknown = SoftwareAuthenticator(origin: "http://localhost")
    var other = IdentityParty()
    try await other.register(unknown)
    await #expect(throws: IdentityRefusal.unknownPasskey) { try await party.signIn(unknown) }
  }

  @Test(arguments: ["signature", "authenticatorData", "clientDataJSON", "userHandle"])
  func `one changed byte is refused`(member: String) async throws {
    var party = try await registered()
    await #expect(throws: IdentityRefusal.invalidCredentials) {
      try await party.signIn(authenticator) { response in
        var contents = response["response"] as? [String: Any] ?? [:]
        let text = contents[member] as? String ?? ""
        let middle = text.index(text.startIndex, offsetBy: text.count / 2)
        contents[member] = text.replacingCharacters(in: middle...middle, with: text[middle] == "A" ? "B" : "A")
        response["response"] = contents
      }
    }
    #expect(try await party.signIn(authenticator) == "ada")
  }

  @Test func `an answer is taken once, and a signature that was seen is not taken again`() async throws {
    var party = try await registered()
    let (id, response) = try await party.assertion(authenticator)
    #expect(try party.party.verifyAssertion(response, to: id) == "ada")
    #expect(throws: IdentityRefusal.unknownChallenge) { try party.party.verifyAssertion(response, to: id) }
    let another = party.party.askForAssertion()
    #expect(throws: IdentityRefusal.invalidCredentials) { try party.party.verifyAssertion(response, to: another.id) }
  }

  @Test func `a passkey of one account cannot be added to another`() async throws {
    var party = try await registered()
    let request = party.party.askForRegistration(of: .ada)
    let response = try await IdentityParty.registration(request, SoftwareAuthenticator(origin: "http://localhost"))
    #expect(throws: IdentityRefusal.unknownChallenge) {
      try party.party.verifyRegistration(response, of: "grace", to: request.id)
    }
  }
}

/// A relying party with its messages to and from an authenticator, as JSON.
private struct IdentityParty {
  var party = RelyingParty()

  mutating func register(_ authenticator: SoftwareAuthenticator) async throws {
    let request = party.askForRegistration(of: .ada)
    let response = try await Self.registration(request, authenticator)
    try party.verifyRegistration(response, of: "ada", to: request.id)
  }

  static func registration(
    _ request: RelyingParty.Request, _ authenticator: SoftwareAuthenticator
  ) async throws -> RelyingParty.Response {
    let options = try PasskeyCreationOptions(json: try JSONEncoder().encode(request.options))
    return try JSONDecoder().decode(RelyingParty.Response.self, from: try await authenticator.register(options).json)
  }

  mutating func assertion(
    _ authenticator: SoftwareAuthenticator, change: (inout [String: Any]) -> Void = { _ in }
  ) async throws -> (id: String, response: RelyingParty.Response) {
    let request = party.askForAssertion()
    let options = try PasskeyRequestOptions(json: try JSONEncoder().encode(request.options))
    let json = try await authenticator.sign(options, presentation: .modal).json
    var object = try JSONSerialization.jsonObject(with: json) as? [String: Any] ?? [:]
    change(&object)
    let data = try JSONSerialization.data(withJSONObject: object)
    return (request.id, try JSONDecoder().decode(RelyingParty.Response.self, from: data))
  }

  mutating func signIn(
    _ authenticator: SoftwareAuthenticator, change: (inout [String: Any]) -> Void = { _ in }
  ) async throws -> String {
    let (id, response) = try await assertion(authenticator, change: change)
    return try party.verifyAssertion(response, to: id)
  }
}
#endif
