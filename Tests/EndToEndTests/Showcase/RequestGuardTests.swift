import Testing

@testable import showcase

@Suite struct RequestGuardTests {
  private let guarding = RequestGuard(port: 4711)

  private func form(_ changes: [String: String?] = [:], method: String = "POST") -> Received {
    var headers: [String: String] = [
      "Host": "localhost:4711", "Origin": "http://localhost:4711", "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "12",
    ]
    for (name, value) in changes { headers[name] = value }
    return Received(method: method, path: "/do", headers: headers)
  }

  @Test func `a form of a page of its own is taken`() {
    #expect(guarding.refusal(of: form()) == nil)
    #expect(guarding.refusal(of: form(["Sec-Fetch-Site": nil])) == nil)
  }

  @Test(arguments: [
    "localhost", "localhost:4712", "127.0.0.1:4711", "evil.example:4711", "localhost:4711.evil.example",
  ])
  func `a request for another host is refused, whatever its address resolves to`(host: String) {
    #expect(guarding.refusal(of: form(["Host": host])) == .otherHost)
    #expect(guarding.refusal(of: form(["Host": host], method: "GET")) == .otherHost)
  }

  @Test func `a request without a host is refused`() {
    #expect(guarding.refusal(of: form(["Host": nil], method: "GET")) == .otherHost)
  }

  @Test(arguments: [
    "http://localhost:4712", "https://localhost:4711", "http://127.0.0.1:4711", "null", "http://localhost",
  ])
  func `a form of another origin is refused, of another port as well`(origin: String) {
    #expect(guarding.refusal(of: form(["Origin": origin])) == .otherOrigin)
  }

  @Test func `a form without an origin is refused`() {
    #expect(guarding.refusal(of: form(["Origin": nil])) == .otherOrigin)
  }

  @Test(arguments: ["same-site", "cross-site", "none"])
  func `a form that the browser says comes from elsewhere is refused`(site: String) {
    #expect(guarding.refusal(of: form(["Sec-Fetch-Site": site])) == .otherOrigin)
  }

  @Test func `only the redirect of an issuer may come to the number of this machine`() {
    let host = ["Host": "127.0.0.1:4711"]
    #expect(guarding.refusal(of: Received(method: "GET", path: "/callback", headers: host)) == nil)
    #expect(guarding.refusal(of: Received(method: "POST", path: "/callback", headers: host)) == .otherHost)
    #expect(guarding.refusal(of: Received(method: "GET", path: "/", headers: host)) == .otherHost)
  }

  @Test(arguments: ["application/json", "text/plain", "multipart/form-data"])
  func `a body that is not a form is refused`(type: String) {
    #expect(guarding.refusal(of: form(["Content-Type": type])) == .notAForm)
  }

  @Test func `a form is refused before it is read if it is too long, or does not say how long`() {
    #expect(guarding.refusal(of: form(["Content-Length": "65536"])) == nil)
    #expect(guarding.refusal(of: form(["Content-Length": "65537"])) == .tooLong)
    #expect(guarding.refusal(of: form(["Content-Length": nil])) == .notAForm)
  }

  @Test(arguments: ["PUT", "DELETE", "OPTIONS", "HEAD"])
  func `other methods are refused`(method: String) {
    #expect(guarding.refusal(of: form(method: method)) == .unknownMethod)
  }
}
