import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

// origin A3
@Suite struct APIUserResponseMapperTests {
  static let fields = [
    "email": #""canary@example.com""#, "username": #""canary""#, "name": #"{"firstName":"canary","lastName":"L"}"#,
    "lastAuthenticated": #""2026-01-01""#,
  ]

  static func body(_ changes: [String: String?] = [:]) -> String {
    let fields = changes.reduce(into: Self.fields) { $0[$1.key] = $1.value }
    return "{\(fields.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ","))}"
  }

  func expectRefused(_ body: String, type: String? = "application/json") {
    let error = #expect(throws: AuthenticationError.self) { try APIUserResponseMapper.map(json(200, body, type: type)) }
    #expect(error == .unexpectedResponse)
    for text in error.map(texts) ?? [] { #expect(!text.contains("canary")) }
  }

  @Test func `every field is mapped`() throws {
    let body = Self.body([
      "username": #""ada""#, "email": #""ada@example.com""#, "name": #"{"firstName":"Ada","lastName":"L"}"#,
    ])
    #expect(
      try APIUserResponseMapper.map(json(200, body))
        == User(id: "ada", name: "Ada L", email: "ada@example.com", isNew: false))
  }

  @Test(arguments: [("Ada", "", "Ada"), ("", "L", "L"), ("", "", nil)] as [(String, String, String?)])
  func `a name of one word has no space, and one of none is none`(first: String, last: String, name: String?) throws {
    let body = Self.body(["name": #"{"firstName":"\#(first)","lastName":"\#(last)"}"#])
    #expect(try APIUserResponseMapper.map(json(200, body)).name == name)
  }

  @Test(arguments: ["null", nil] as [String?]) func `a user who never authenticated is new`(last: String?) throws {
    #expect(try APIUserResponseMapper.map(json(200, Self.body(["lastAuthenticated": last]))).isNew)
  }

  @Test(arguments: ["email", "username", "name"]) func `a missing or mistyped field is refused`(field: String) {
    for value in [nil, "null", "7", "true", "[]", "[\"canary\"]", "{\"canary\":1}"] as [String?] {
      expectRefused(Self.body([field: value]))
    }
  }

  @Test(arguments: [
    #""canary""#, "{}", #"{"firstName":"canary"}"#, #"{"lastName":"canary"}"#, #"{"firstName":7,"lastName":"canary"}"#,
    #"{"firstName":"canary","lastName":null}"#,
  ])
  func `a name in another shape is refused`(name: String) {
    expectRefused(Self.body(["name": name]))
  }

  @Test func `a huge answer is refused, and none of it is quoted`() {
    expectRefused(String(repeating: "canary ", count: 1_500_000))
    expectRefused(Self.body(["email": "[\"\(String(repeating: "canary", count: 1_500_000))\"]"]))
  }

  @Test func `a user without an id is refused`() {
    expectRefused(Self.body(["username": #""""#]))
  }

  @Test func `a date of last authentication that is no text is refused`() {
    for value in ["7", "true", "[]", "{}"] { expectRefused(Self.body(["lastAuthenticated": value])) }
  }

  @Test func `an answer cut off anywhere is refused`() {
    let whole = Array(Self.body().utf8)
    for count in 0..<whole.count { expectRefused(String(decoding: whole.prefix(count), as: UTF8.self)) }
  }

  @Test(arguments: ["", "null", "[]", "<html>canary</html>", #""canary""#, String(repeating: "[", count: 10_000)])
  func `anything but an object is refused`(body: String) {
    expectRefused(body)
  }

  @Test(arguments: [nil, "text/html", "text/plain"]) func `a good body of another type is refused`(type: String?) {
    expectRefused(Self.body(), type: type)
  }
}
