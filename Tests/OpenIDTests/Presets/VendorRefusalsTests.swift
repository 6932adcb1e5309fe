import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct VendorRefusalsTests {
  private let now = Date(timeIntervalSince1970: 1_767_225_600)
  private let table = VendorRefusals([
    ("invalid_grant", "Account disabled", .userDisabled), ("invalid_grant", nil, .sessionRejected),
    ("too_many", nil, .rateLimited),
  ])

  private func meaning(_ response: HTTPResponse) -> AuthenticationError? { table.meaning(of: response, now: now) }

  @Test func `the first row that fits counts, and only the code is kept`() throws {
    let disabled = json(400, #"{"error":"invalid_grant","error_description":"Account disabled: canary"}"#)
    let error = try #require(meaning(disabled))
    #expect(error == .userDisabled)
    #expect(error.providerCode == "invalid_grant")
    #expect(!texts(of: error).contains("canary"))
    let other = json(400, #"{"error":"invalid_grant","error_description":"Not: Account disabled"}"#)
    #expect(meaning(other) == .sessionRejected)
  }

  @Test(arguments: [
    #"{"error":"too_many","error_description":"x"}"#, #"{"code":"too_many","description":"x"}"#,
    #"{"code":"too_many","description":{"rules":[]}}"#, #"{"error":"too_many","message":7}"#,
  ])
  func `the code and the words have several names`(body: String) {
    #expect(meaning(json(403, body, ["Retry-After": "7"]))?.retryAfter == .seconds(7))
  }

  @Test(arguments: [
    json(429, #"{"error":"invalid_grant"}"#), json(500, #"{"error":"invalid_grant"}"#),
    json(200, #"{"error":"invalid_grant","access_token":"a"}"#), json(400, #"{"error":"never_heard_of"}"#),
    json(400, "invalid_grant"), json(400, "[]"), json(400, ""),
  ])
  func `an answer that is overloaded, failed, no JSON or unknown ends nothing`(answer: HTTPResponse) {
    #expect(meaning(answer) == nil)
  }

  @Test func `a code that looks like something else is not repeated`() throws {
    let odd = VendorRefusals([("a secret", nil, .wrongCode)])
    #expect(try #require(odd.meaning(of: "a secret")).providerCode == nil)
  }
}
