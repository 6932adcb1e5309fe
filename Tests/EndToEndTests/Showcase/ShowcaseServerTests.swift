import AuthenticationData
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation
import Testing

@testable import showcase

/// Over HTTP, as a browser without script sees it.
@Suite(.timeLimit(.minutes(10))) struct ShowcaseServerTests {
  private let ada = ["user_name": "ada", "password": "correct horse"]

  private func opened() async throws -> ShowcaseBrowser {
    var browser = try ShowcaseBrowser(await ShowcaseServer(port: 0))
    // These pages bring no events: a result that is late on a busy machine would not be seen.
    await MainActor.run { [server = browser.server] in server.showcase.product.longestWait = .seconds(600) }
    try await browser.open()
    return browser
  }

  /// How many sign-ins the identity server has seen.
  private func signIns(_ browser: ShowcaseBrowser) async -> Int {
    let requests = await browser.server.showcase.world.snapshot.requests.entries
    return requests.filter { $0.path == "/auth" }.reduce(0) { $0 + $1.count }
  }

  @Test func `a user signs in and out with forms alone`() async throws {
    var browser = try await opened()
    try await browser.press("method.password")
    try await browser.press("submit", ada)
    #expect(browser.page.contains("Ada"))
    try await browser.press("session.sign_out.button")
    for _ in 0..<100 where !browser.page.contains(#"value="method.password""#) { try await browser.open() }
    #expect(browser.page.contains(#"value="method.password""#))
    await browser.server.stop()
  }

  @Test func `it answers at both addresses of localhost, or not at all`() async throws {
    let server = try await ShowcaseServer(port: 0)
    let port = try #require(URL(string: server.address)?.port)
    let client = try SystemHTTPClient()
    for address in ["127.0.0.1", "[::1]"] {
      let url = try #require(URL(string: "http://\(address):\(port)/"))
      #expect(
        try await client.send(HTTPRequest(.get, url)).status == 421, "it is there, and wants to be called localhost")
    }
    await server.stop()

    let (other, taken) = try await listenerOnIPv6Alone()
    await #expect(throws: AuthenticationError.self) { try await ShowcaseServer(port: taken) }
    await other.stop()
  }

  /// At a port that was free on 127.0.0.1, too. Any other program may take a port that is free.
  private func listenerOnIPv6Alone() async throws -> (LoopbackListener, UInt16) {
    let (four, six) = (LoopbackListener(), LoopbackListener())
    let port = try await four.start(port: 0, handler: Door())
    let isThere = try? await six.startOnIPv6(port: port, handler: Door())
    await four.stop()
    guard let isThere else { return try await listenerOnIPv6Alone() }
    #expect(isThere, "this machine has both addresses")
    return (six, port)
  }

  @Test func `a failure is in the title and in a message, and no password comes back`() async throws {
    var browser = try await opened()
    try await browser.press("method.password")
    try await browser.press("submit", ["user_name": "ada", "password": "a wrong one"])
    #expect(browser.page.contains("<title>Error: "))
    #expect(browser.page.contains(#"id="message" role="alert""#))
    #expect(browser.page.contains(#"value="ada""#))
    #expect(!browser.page.contains("a wrong one"))
    await browser.server.stop()
  }

  @Test func `a form that is sent twice is one sign-in`() async throws {
    var browser = try await opened()
    try await browser.press("method.password")
    let form = try browser.form(of: "submit").merging(["user_name": "ada", "password": "a wrong one"]) { $1 }
    for _ in 0..<3 { #expect(try await browser.send(form.merging(["intent": "submit"]) { $1 }).status == 303) }
    #expect(await signIns(browser) == 1)
    await browser.server.stop()
  }

  @Test func `a form of another page, port or session changes nothing`() async throws {
    var browser = try await opened()
    var other = try ShowcaseBrowser(browser.server)
    try await other.open()
    try await browser.press("method.password")
    try await other.open()
    let form = try browser.form(of: "submit").merging(ada) { $1 }.merging(["intent": "submit"]) { $1 }
    #expect(try await browser.send(form, ["Origin": "http://localhost:1"]).status == 403)
    #expect(try await browser.send(form, ["Origin": "null"]).status == 403)
    #expect(try await browser.send(form, ["Sec-Fetch-Site": "same-site"]).status == 403)
    #expect(try await browser.send(form, ["Cookie": ""]).status == 403)
    #expect(try await other.send(form).status == 403)
    #expect(try await browser.send(form.merging(["token": ""]) { $1 }).status == 403)
    #expect(await signIns(browser) == 0)
    #expect(try await browser.send(form).status == 303)
    #expect(await signIns(browser) == 1)
    await browser.server.stop()
  }

  @Test func `a name that resolves to this machine is no address of the showcase`() async throws {
    var browser = try await opened()
    let address = browser.server.address.replacing("localhost", with: "127.0.0.1")
    let response = try await SystemHTTPClient().send(HTTPRequest(.get, try #require(URL(string: address))))
    #expect(response.status == 421)
    #expect(response.headers["Set-Cookie"] == nil)
    try await browser.open()
    await browser.server.stop()
  }

  @Test(arguments: [
    "<script>alert(1)</script>", #""><img src=x onerror=alert(1)>"#, "\u{202E}gnihton", "a\u{200B}\u{FEFF}b",
    "\u{0}\u{1B}[2J\u{7}", "🤷🏽‍♀️👩‍👩‍👧", "' OR 1=1 --", "%3Cscript%3E", String(repeating: "x", count: 20_000),
  ])
  func `whatever is typed into a field is inert`(text: String) async throws {
    var browser = try await opened()
    try await browser.press("method.password")
    try await browser.press("submit", ["user_name": text, "password": text])
    #expect(browser.page.contains(#"id="field-user_name""#))
    #expect(!browser.page.contains("<script>alert") && !browser.page.contains("<img"))
    #expect(!browser.page.unicodeScalars.contains { $0.value < 9 || $0 == "\u{1B}" })
    try await browser.press("form.forgot.button")
    try await browser.press("submit", ["user_name": text])
    #expect(browser.page.contains("</html>"))
    #expect(!browser.page.contains("<script>alert") && !browser.page.contains("<img"))
    await browser.server.stop()
  }

  @Test func `more than a form may hold is refused in words, and nothing of it is read`() async throws {
    var browser = try await opened()
    try await browser.press("method.password")
    let form = try browser.form(of: "submit").merging(ada) { $1 }
    let response = try await browser.send(form.merging(["password": String(repeating: "x", count: 100_000)]) { $1 })
    #expect(response.status == 413)
    #expect(String(decoding: response.body, as: UTF8.self).contains("Go back and shorten it."))
    #expect(await signIns(browser) == 0)
    await browser.server.stop()
  }

  @Test func `a page says where its forms may lead, and that nothing of it is kept`() async throws {
    var browser = try await opened()
    let response = try await browser.get("/")
    let policy = response.headers["Content-Security-Policy"] ?? ""
    for issuer in await browser.server.showcase.world.issuerOrigins {
      #expect(policy.contains("form-action 'self' \(issuer)"))
    }
    #expect(policy.contains("default-src 'none'") && policy.contains("require-trusted-types-for 'script'"))
    #expect(response.headers["Cache-Control"] == "no-store")
    await browser.server.stop()
  }

  @Test func `a page that does not exist is said so`() async throws {
    var browser = try await opened()
    #expect(try await browser.get("/../etc/passwd").status == 404)
    #expect(try await browser.get("/nothing").status == 404)
    await browser.server.stop()
  }
}
