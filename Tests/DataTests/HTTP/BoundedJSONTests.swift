import AuthenticationDomain
import AuthenticationDomainTesting
import Foundation
import Testing

@testable import AuthenticationAccount
@testable import AuthenticationData

/// On a stack of 512 KiB, as the threads of Apple's dispatch have it.
@Suite(.timeLimit(.minutes(10))) struct BoundedJSONTests {
  private static func nested(_ count: Int, _ open: String, _ close: String, _ core: String) -> String {
    String(repeating: open, count: count) + core + String(repeating: close, count: count)
  }

  private static let deep = nested(200, #"{"a":"#, "}", "1")
  private static let endless = nested(100_000, "[", "]", "")

  private static let hostile = [
    "objects": deep, "arrays": endless, "both": nested(200, #"{"a":["#, "]}", "1"),
    "cut arrays": String(repeating: "[", count: 200_000),
    "a token response": #"{"accessToken":"a","more":"# + deep + "}",
    "a refusal": #"{"error":"invalid_grant","more":"# + endless + "}",
    "a challenge": #"{"challenge":{"id":"1","kind":"passkey","passkey":"# + deep + "}}",
    "after a text that ends in an escaped quotation mark": #"{"a":"\\\"","b":"# + deep + "}",
  ]

  @Test(arguments: hostile.keys.sorted())
  func `of a deep response the other members are read, and no stack overflows`(name: String) async throws {
    let text = try #require(Self.hostile[name])
    await onSmallStack {
      let body = Data(text.utf8)
      #expect(throws: DecodingError.self) { try BoundedJSON.decode(JSONValue.self, from: body) }
      let response = json(400, text)
      let tokens = try? APITokenResponseMapper.map(response, receivedAt: Date())
      #expect((tokens != nil) == (name == "a token response"))
      #expect(APIChallengeResponseMapper.map(response) == nil)
      #expect(APIErrorResponseMapper.saysInvalidGrant(response) == (name == "a refusal"))
      #expect(throws: AuthenticationError.self) { try APIUserResponseMapper.map(response) }
      #expect(throws: AuthenticationError.self) { try APIAccountResponseMapper.sessions(response) }
    }
  }

  @Test func `the claims of a token are bounded, too`() async {
    let claims = Data(#"{"sub":"ada","more":"#.utf8) + Data(Self.deep.utf8) + Data("}".utf8)
    let text = claims.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    await onSmallStack {
      let user = JSONMembers(unverified: Secret("e30.\(text)."))?.user
      #expect(user?.id == "ada" && user?.claims == [:] && user?.omittedClaims == ["more"])
    }
  }

  @Test func `32 levels are read, and 33 are not`() async throws {
    let (most, tooMany) = (Self.nested(32, #"{"a":"#, "}", "1"), Self.nested(33, "[", "]", ""))
    await onSmallStack {
      #expect(throws: Never.self) { try BoundedJSON.decode(JSONValue.self, from: Data(most.utf8)) }
      #expect(throws: DecodingError.self) { try BoundedJSON.decode(JSONValue.self, from: Data(tooMany.utf8)) }
    }
  }

  @Test func `a claim that nests too deep is left out by name, wherever it is, and the rest is read`() async throws {
    let claims =
      #"{"sub":"b","de\u0065p":"# + Self.deep + #","c":[1],"also":"# + Self.endless + #","[":"after"}"#
    await onSmallStack {
      let body = Data(claims.utf8)
      let user = JSONMembers(json: body)?.user
      #expect(user?.claims == ["c": [1], "[": "after"])
      #expect(user?.omittedClaims == ["also", "deep"])
      #expect(json(200, claims).value(at: "c.0") == 1)
      let nested = Data(#"{"user":{"of":"#.utf8) + body + Data("}}".utf8)
      #expect(JSONMembers(json: nested)?.members("user")?.members("of")?.user == user)
      #expect(JSONMembers(json: body.dropLast() + Data(Self.endless.utf8)) == nil)
      #expect(JSONMembers(json: Data(Self.endless.utf8)) == nil)
      #expect(JSONMembers(json: Data(Self.endless.utf8.dropLast())) == nil)
    }
  }

  @Test(arguments: [31, 32, 39, 40, 41, 60])
  func `a claim is kept up to 31 levels, and named beyond`(levels: Int) throws {
    for (open, close) in [(#"{"a":"#, "}"), ("[", "]")] {
      let text = #"{"sub":"b","x":"# + Self.nested(levels, open, close, "1") + "}"
      let user = try #require(JSONMembers(json: Data(text.utf8))?.user)
      #expect((user.claims["x"] != nil) == (levels <= 31))
      #expect(user.omittedClaims == (levels <= 31 ? [] : ["x"]))
    }
  }

  @Test func `siblings and the brackets of texts are no levels`() throws {
    let wide = "[" + Array(repeating: #"{"a":["[[{\"{\\"]}"#, count: 1_000).joined(separator: ",") + "]"
    let value = try BoundedJSON.decode([JSONValue].self, from: Data(wide.utf8))
    #expect(value.count == 1_000 && value[0] == ["a": [#"[[{"{\"#]])
  }

  /// U+2200 holds the byte of a quotation mark, after which a scan of bytes takes brackets for text.
  @Test(arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian])
  func `JSON is UTF-8`(encoding: String.Encoding) async throws {
    // Of every length: the last bytes are read one by one, and those before them eight at a time.
    let texts = (0..<8).flatMap { count in
      [#"["∀","# + Self.deep + "]", #"{"a":1}"#].map { $0 + String(repeating: " ", count: count) }
    }
    let bodies = try texts.map { try #require($0.data(using: encoding)) }
    await onSmallStack {
      for body in bodies {
        #expect(throws: DecodingError.self) { try BoundedJSON.decode(JSONValue.self, from: body) }
      }
    }
  }

  @Test(arguments: [[0xC1, 0x61], [0xFF], [0xE2, 0x88], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func `a text that is no UTF-8 makes a body no JSON, also one that is not read`(bytes: [UInt8]) {
    struct Refusal: Decodable { let error: String }
    let body = Data(#"{"error":"invalid_grant","error_description":""#.utf8) + bytes + Data(#""}"#.utf8)
    #expect(throws: DecodingError.self) { try BoundedJSON.decode(Refusal.self, from: body) }
    #expect(throws: DecodingError.self) { try BoundedJSON.decode(JSONValue.self, from: body) }
    #expect(throws: Never.self) { try BoundedJSON.decode(JSONValue.self, from: Data(#"{"a":"Zoë ∀"}"#.utf8)) }
  }

  @Test func `claims that are stored nest as deep as they may on a small stack`() async throws {
    let claims: [String: JSONValue] = [
      "a": (0..<200).reduce(1) { value, _ in ["a": value] }, "b": "after it",
    ]
    let data = SessionCoder().encode(
      SessionRecord(session: AuthSession(user: User(id: "ada", claims: claims), tokens: .sample(receivedAt: Date()))))
    await onSmallStack {
      #expect((try? SessionCoder().decode(data))?.session?.user.claims["b"] == "after it")
    }
  }

  @Test func `nothing else decodes JSON in the library and its tools`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
    // The sentences of the further languages are files of this package.
    let exempt = ["/BoundedJSON.swift", "AuthenticationLanguages/Languages.swift"]
    for folder in ["Domain", "Data", "Presentation", "Composition"] {
      let files = try #require(FileManager.default.enumerator(atPath: root.appending(path: folder).path))
      for case let file as String in files where file.hasSuffix(".swift") && !exempt.contains(where: file.hasSuffix) {
        let text = try String(contentsOf: root.appending(path: "\(folder)/\(file)"), encoding: .utf8)
        #expect(!text.contains("JSONDecoder()") && !text.contains("JSONSerialization"), "\(folder)/\(file)")
      }
    }
  }
}

private func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    let thread = Thread {
      body()
      continuation.resume()
    }
    thread.stackSize = 512 << 10
    thread.start()
  }
}
