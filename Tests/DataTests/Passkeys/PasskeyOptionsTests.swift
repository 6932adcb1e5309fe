import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData
@testable import AuthenticationPasskeys

@Suite struct PasskeyOptionsTests {
  private let full = #"""
    {"rp": {"id": "example.org", "name": "Example"},
     "user": {"id": "dXNlcg", "name": "ada@example.org", "displayName": "Ada"},
     "challenge": "AQEBAQEBAQEBAQEBAQEBAQ",
     "pubKeyCredParams": [{"type": "public-key", "alg": -8}, {"type": "public-key", "alg": -7}],
     "timeout": 60000,
     "excludeCredentials": [{"type": "public-key", "id": "b25l", "transports": ["internal", "smoke-signal"]}],
     "authenticatorSelection": {"authenticatorAttachment": "platform", "residentKey": "required",
       "requireResidentKey": true, "userVerification": "required"},
     "hints": ["client-device"], "attestation": "none", "attestationFormats": [], "extensions": {"credProps": true}}
    """#

  @Test func `creation options are read in full`() throws {
    let options = try creation(full)
    #expect(options.relyingPartyID == "example.org")
    #expect(options.userID == Data("user".utf8))
    #expect(options.userName == "ada@example.org")
    #expect(options.userDisplayName == "Ada")
    #expect(options.challenge == Data(repeating: 1, count: 16))
    #expect(options.algorithms == [-8, -7])
    #expect(options.timeout == .seconds(60))
    #expect(
      options.excludedCredentials
        == [PasskeyDescriptor(id: Data("one".utf8), transports: ["internal", "smoke-signal"])])
    #expect(options.attachment == "platform")
    #expect(options.residentKey == .required)
    #expect(options.userVerification == .required)
    #expect(options.hints == ["client-device"])
    #expect(options.asksForProperties)
  }

  @Test func `creation options that say little mean the standard's defaults`() throws {
    let options = try creation(#"{"rp":{"name":"E"},"user":{"id":"dXNlcg","name":"ada"},"challenge":"AQEB"}"#)
    #expect(options.relyingPartyID == nil)
    #expect(options.userDisplayName == "ada")
    #expect(options.algorithms == [-7, -257])
    #expect(options.timeout == nil)
    #expect(options.excludedCredentials.isEmpty)
    #expect(options.attachment == nil)
    #expect(options.residentKey == .discouraged)
    #expect(options.userVerification == .preferred)
    #expect(options.hints.isEmpty)
    #expect(!options.asksForProperties)
  }

  @Test func `request options are read in full`() throws {
    let options = try request(
      #"""
      {"challenge": "AQEB", "timeout": 1500.5, "rpId": "example.org", "userVerification": "discouraged",
       "allowCredentials": [{"type": "public-key", "id": "b25l"}, {"type": "public-key", "id": "dHdv"}],
       "hints": ["hybrid"], "extensions": {"appid": "https://example.org"}}
      """#)
    #expect(options.challenge == Data([1, 1, 1]))
    #expect(options.timeout == .milliseconds(1500.5))
    #expect(options.relyingPartyID == "example.org")
    #expect(options.userVerification == .discouraged)
    #expect(options.allowedCredentials.map(\.id) == [Data("one".utf8), Data("two".utf8)])
    #expect(options.hints == ["hybrid"])
  }

  @Test func `options in publicKey are read as those without`() throws {
    #expect(try creation(#"{"publicKey":\#(full)}"#) == creation(full))
    let bare = #"{"challenge":"AQEB","rpId":"example.org"}"#
    #expect(try request(#"{"mediation":"conditional","publicKey":\#(bare)}"#) == request(bare))
  }

  @Test func `members and values that are not known are ignored`() throws {
    let options = try creation(
      #"""
      {"rp": {"id": "example.org", "name": "E", "icon": 1}, "user": {"id": "dXNlcg", "name": "ada", "displayName": 7},
       "challenge": "AQEB", "timeout": "soon", "attestation": "telepathy", "extensions": {"credProps": "yes"},
       "authenticatorSelection": {"residentKey": "perhaps", "requireResidentKey": true, "userVerification": "twice"},
       "pubKeyCredParams": [{"type": "public-key", "alg": -7}, {"type": "private-key", "alg": -8}, {"alg": -257}, 1,
         {"type": "public-key", "alg": "ES256"}],
       "excludeCredentials": [{"type": "password", "id": "b25l"}, {"type": "public-key", "id": "dHdv"},
         {"type": "public-key", "id": "§"}],
       "hints": ["client-device", 1, null], "later": {"and": ["more"]}}
      """#)
    #expect(options.userDisplayName == "ada")
    #expect(options.timeout == nil)
    #expect(options.residentKey == .required)
    #expect(options.userVerification == .preferred)
    #expect(options.algorithms == [-7])
    #expect(options.excludedCredentials.map(\.id) == [Data("two".utf8)])
    #expect(options.hints == ["client-device"])
    #expect(!options.asksForProperties)
  }

  @Test func `a server that names only algorithms of unknown types asks for none`() throws {
    let options = try creation(
      #"{"user":{"id":"dXNlcg","name":"a"},"challenge":"AQEB","pubKeyCredParams":[{"type":"x","alg":-7}]}"#)
    #expect(options.algorithms.isEmpty)
  }

  @Test(arguments: [
    ("4294967296000", Duration.milliseconds(4_294_967_295)), ("1e300", .milliseconds(4_294_967_295)), ("-1", .zero),
    ("0", .zero),
  ])
  func `an absurd timeout is an unsigned 32-bit number`(timeout: String, expected: Duration) throws {
    #expect(try request(#"{"challenge":"AQEB","timeout":\#(timeout)}"#).timeout == expected)
  }

  @Test(arguments: [
    "", "null", "[]", "{}", "\"AQEB\"", #"{"challenge":1}"#, #"{"challenge":"A"}"#, #"{"challenge":"§"}"#,
    #"{"publicKey":null,"challenge":"AQEB"}"#, #"{"publicKey":[]}"#, #"{"challenge":"AQEB""#,
    String(repeating: #"{"publicKey":"#, count: 4_000), String(repeating: "[", count: 60_000),
  ])
  func `options without a challenge are refused, and not quoted`(json: String) {
    for read in [{ _ = try self.request($0) }, { _ = try self.creation($0) }] as [(String) throws -> Void] {
      let error = #expect(throws: AuthenticationError.self) { try read(json) }
      #expect(error == .unexpectedResponse)
      #expect(error.map { !"\($0)".contains("AQEB") } == true)
    }
  }

  @Test(arguments: [#"{"name":"a"}"#, #"{"id":"","name":"a"}"#, #"{"id":"dXNlcg"}"#, "1", "null"])
  func `creation options without a usable user are refused`(user: String) {
    #expect(throws: AuthenticationError.malformedPasskeyOptions) {
      try creation(#"{"user":\#(user),"challenge":"AQEB"}"#)
    }
  }

  @Test func `a user id has at most 64 bytes`() throws {
    func options(_ count: Int) throws -> PasskeyCreationOptions {
      let id = Data(repeating: 1, count: count).base64URL
      return try creation(#"{"user":{"id":"\#(id)","name":"a"},"challenge":"AQEB"}"#)
    }
    #expect(try options(64).userID.count == 64)
    #expect(throws: AuthenticationError.malformedPasskeyOptions) { try options(65) }
  }

  @Test func `options beyond 64 KiB are refused`() {
    let padding = String(repeating: " ", count: 65536)
    #expect(throws: AuthenticationError.malformedPasskeyOptions) { try request(#"{"challenge":"AQEB"}\#(padding)"#) }
  }

  @Test func `a provider decodes options inside its own response`() throws {
    struct Response: Decodable { let request_options: PasskeyRequestOptions }
    let json = #"{"request_options":{"publicKey":{"challenge":"AQEB"}}}"#
    let response = try JSONDecoder().decode(Response.self, from: Data(json.utf8))
    #expect(response.request_options.challenge == Data([1, 1, 1]))
  }

  private func creation(_ json: String) throws(AuthenticationError) -> PasskeyCreationOptions {
    try PasskeyCreationOptions(json: Data(json.utf8))
  }

  private func request(_ json: String) throws(AuthenticationError) -> PasskeyRequestOptions {
    try PasskeyRequestOptions(json: Data(json.utf8))
  }
}
