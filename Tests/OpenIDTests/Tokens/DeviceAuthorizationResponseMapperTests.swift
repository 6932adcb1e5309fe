import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// RFC 8628 §3.2. // rule 36
@Suite struct DeviceAuthorizationResponseMapperTests {
  private static let good = [
    "device_code": #""d""#, "user_code": #""WDJB-MJHT""#, "verification_uri": #""https://id.example.com/device""#,
    "expires_in": "600",
  ]

  private static func body(_ changes: [String: String?] = [:]) -> String {
    var members: [String: String?] = good.mapValues { $0 }
    members.merge(changes) { $1 }
    let text = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",")
    return "{\(text)}"
  }

  private func map(_ changes: [String: String?]) throws(AuthenticationError) -> DeviceAuthorization {
    try DeviceAuthorizationResponseMapper.map(json(200, Self.body(changes)))
  }

  @Test func `everything that came is kept`() throws {
    let authorization = try map(["interval": "7", "verification_uri_complete": #""https://id.example.com/device?c=1""#])
    #expect(authorization.code == Secret("d"))
    #expect(authorization.interval == .seconds(7))
    #expect(
      authorization.prompt
        == ExternalInteraction(
          .anotherDevice, address: "https://id.example.com/device",
          completeAddress: "https://id.example.com/device?c=1", userCode: "WDJB-MJHT", lifetime: .seconds(600)))
    #expect(authorization.lifetime == .seconds(600))
  }

  @Test(arguments: [nil, "null", "0", "-1", "\"0\"", "1e308"])
  func `without a usable interval it is five seconds, rule 36`(interval: String?) throws {
    #expect(try map(["interval": interval]).interval == .seconds(5))
  }

  @Test func `numbers may be strings, and Google names the address in its own way`() throws {
    let authorization = try map([
      "interval": #""1""#, "expires_in": #""60""#, "verification_uri": nil,
      "verification_url": #""https://www.google.com/device""#,
    ])
    #expect(authorization.interval == .seconds(1))
    #expect(authorization.prompt.lifetime == .seconds(60))
    #expect(authorization.prompt.address == "https://www.google.com/device")
  }

  @Test(arguments: [
    "https://id.example.com/device", "http://127.0.0.1:8600/o/device", "http://localhost//api/device", "http://[::1]/d",
  ])
  func `an address is https, or on this machine`(address: String) throws {
    #expect(try map(["verification_uri": "\"\(address)\""]).prompt.address == address)
  }

  @Test(arguments: [
    "http://id.example.com/device", "javascript:alert(1)", "ftp://id.example.com/", "/device", "",
    "id.example.com/device",
    "https://user@id.example.com/", "https://id.example.com/a b", "https://id.example.com/\\u001b[2J",
    "https://id.example.com/\\\"", "https://id.example.com/`id`", "https://id.example.com/\\n",
    "http://127.0.0.1.evil.example/",
  ])
  func `an address that must not be shown refuses the answer`(address: String) async {
    for name in ["verification_uri", "verification_uri_complete"] {
      #expect(await failure { try map([name: "\"\(address)\""]) } == .unexpectedResponse)
    }
  }

  @Test(arguments: [
    "", "  ", "a\\\"b", "a\\\\b", "a\\u001b[2Jb", "a\\nb", "\\u202eab", String(repeating: "x", count: 65),
  ])
  func `a code that no terminal prints as it is refuses the answer`(code: String) async {
    #expect(await failure { try map(["user_code": "\"\(code)\""]) } == .unexpectedResponse)
  }

  @Test(arguments: ["device_code", "user_code", "verification_uri", "expires_in"])
  func `nothing that is required may be missing`(name: String) async {
    #expect(await failure { try map([name: nil]) } == .unexpectedResponse)
    #expect(await failure { try map([name: #""""#]) } == .unexpectedResponse)
  }

  @Test(arguments: [
    json(200, ""), json(200, "<html>", type: "text/html"),
    json(200, String(body().dropLast())), json(200, "[]"),
  ])
  func `anything else is no code`(response: HTTPResponse) async {
    #expect(await failure { try DeviceAuthorizationResponseMapper.map(response) } == .unexpectedResponse)
  }
}
