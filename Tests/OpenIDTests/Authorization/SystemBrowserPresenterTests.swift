#if os(macOS) || os(Linux)
import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationBrowser
@testable import AuthenticationOpenID

@Suite struct SystemBrowserPresenterTests {
  private static let page = URL(string: "https://id.example.com/authorize")!
  private static let state = "the-state"
  private static let yes = "/callback?code=yes&state=\(state)"
  private let clock = ManualClock()

  /// Signs in with a test's action in the browser, on a separate thread; it is given the port.
  private func present(
    _ redirect: RedirectURI = .loopback(), onIgnored: @escaping @Sendable (AuthenticationError) -> Void = { _ in },
    in browser: @escaping @Sendable (UInt16) -> Void
  ) async -> Result<URL, AuthenticationError> {
    let port = Mutex<UInt16>(0)
    let presenter = SystemBrowserPresenter(clock: clock) { _ in
      let port = port.withLock { $0 }
      Thread.detachNewThread { browser(port) }
    } onIgnored: {
      onIgnored($0)
    }
    do throws(AuthenticationError) {
      return .success(
        try await presenter.present(redirectingTo: redirect, answering: Self.state) { redirectURI in
          port.withLock { $0 = UInt16(URL(string: redirectURI)!.port!) }
          return Self.page
        })
    } catch {
      return .failure(error)
    }
  }

  @Test func `rule 12: the first callback is answered with a page, and the port is closed`() async throws {
    let answers = Mutex<[String?]>([])
    let read = Gate()
    let port = Mutex<UInt16>(0)
    let url = await present { number in
      port.withLock { $0 = number }
      let answer = Browser.ask(number, Browser.get("/callback?code=canary-code&state=the-state", number))
      answers.withLock { $0.append(answer) }
      Task { await read.pass() }
    }
    let number = port.withLock { $0 }
    #expect(
      try url.get().absoluteString == "http://127.0.0.1:\(number)/callback?code=canary-code&state=the-state")
    #expect(!Browser.isAwaited(on: number), "A second callback finds no listener.")
    await read.waitForArrivals(1)
    let answer = try #require(answers.withLock { $0 }.first ?? nil)
    #expect(
      answer == """
        HTTP/1.1 200 OK\r
        Content-Type: text/html; charset=utf-8\r
        Content-Length: 299\r
        Connection: close\r
        Cache-Control: no-store\r
        Referrer-Policy: no-referrer\r
        Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r
        X-Content-Type-Options: nosniff\r
        \r
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Return to the app</title></head>
        <body><h1>Return to the app</h1><p>The app goes on from here, and says whether the sign-in succeeds. You can close this window.</p></body>
        </html>

        """)
    #expect(!answer.contains("canary"), "Nothing of the request is reflected.")
  }

  @Test func `each page has a title, and none says that a user is signed in before the code is exchanged`() {
    let pages: [CallbackPage] = [
      .received, .declined, .expired, .refused, .otherAttempt, .errorWithoutState, .embedded, .notFound, .otherMethod,
      .otherHost, .malformed, .tooLong,
    ]
    for page in pages {
      let text = String(decoding: page.bytes, as: UTF8.self)
      #expect(text.contains("<title>\(page.title)</title>") && !page.title.isEmpty)
      #expect(!(page.title + page.words).contains { "<>&\"".contains($0) }, "nothing that HTML escapes")
      for claim in ["You are signed in", "Signed in", "done", "complete"] { #expect(!text.contains(claim)) }
    }
  }

  @Test(
    arguments: [
      ("/callback", "400", "another took its place"), ("/callback?", "400", "another took its place"),
      ("/callback?code=no", "400", "another took its place"),
      ("/callback?code=no&state=", "400", "another took its place"),
      ("/callback?code=no&state=another", "400", "another took its place"),
      ("/callback?code=no&state=the-state%00", "400", "another took its place"),
      ("/callback?code=no&State=the-state", "400", "another took its place"),
      ("/callback?error=access_denied&state=another", "400", "another took its place"),
      ("/callback?error=access_denied", "400", "provider's fault"),
      ("/callback?error=access_denied&state=", "400", "provider's fault"),
    ])
  func `rule 10: a request without this attempt's state is shown a page, and ends nothing`(
    target: String, status: String, words: String
  ) async throws {
    let url = await present { port in
      let answer = Browser.ask(port, Browser.get(target, port))
      #expect(answer?.hasPrefix("HTTP/1.1 \(status) ") == true && answer?.contains(words) == true, "\(answer ?? "")")
      _ = Browser.ask(port, Browser.get(Self.yes, port))
    }
    #expect(try url.get().query() == "code=yes&state=the-state")
  }

  // Fetch Metadata Request Headers §2
  @Test(arguments: [
    "Sec-Fetch-Dest: image", "Sec-Fetch-Dest: iframe", "Sec-Fetch-Dest: script", "Sec-Fetch-Dest: empty",
    "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: document",
    "sec-fetch-site: cross-site\r\nsec-fetch-mode: no-cors\r\nsec-fetch-dest: image",
  ])
  func `a request that a web page makes by itself is refused, even with the state`(fields: String) async throws {
    let url = await present { port in
      let embedded = Browser.get("/callback?code=no&state=the-state", port)
        .replacing("\r\n\r\n", with: "\r\n\(fields)\r\n\r\n")
      #expect(Browser.ask(port, embedded)?.hasPrefix("HTTP/1.1 403 ") == true)
      _ = Browser.ask(port, Browser.get(Self.yes, port))
    }
    #expect(try url.get().query() == "code=yes&state=the-state")
  }

  @Test func `a redirect that a browser follows from the provider's page is answered`() async throws {
    let url = await present { port in
      let fields = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document"
      let request = Browser.get(Self.yes, port).replacing("\r\n\r\n", with: "\r\n\(fields)\r\n\r\n")
      #expect(Browser.ask(port, request)?.hasPrefix("HTTP/1.1 200 ") == true)
    }
    #expect(try url.get().query() == "code=yes&state=the-state")
  }

  @Test(arguments: [
    ("access_denied", "was declined"), ("expired_token", "has expired"), ("invalid_scope", "refused the sign-in"),
    ("temporarily_unavailable", "refused the sign-in"), ("unheard_of", "refused the sign-in"),
  ])
  func `the page states the outcome of the sign-in`(error: String, words: String) async throws {
    let shown = Mutex("")
    let read = Gate()
    let url = await present { port in
      let answer = Browser.ask(port, Browser.get("/callback?error=\(error)&state=the-state", port))
      shown.withLock { $0 = answer ?? "" }
      Task { await read.pass() }
    }
    #expect(try url.get().query()?.contains("error=\(error)") == true)
    await read.waitForArrivals(1)
    #expect(shown.withLock { $0 }.contains(words))
    #expect(!shown.withLock { $0 }.contains(error), "Nothing of the request is reflected.")
  }

  @Test func `an error without a state is told as the provider's fault when time is up`() async {
    let result = await present { [clock] port in
      _ = Browser.ask(port, Browser.get("/callback?error=access_denied", port))
      Task {
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(300))
      }
    }
    guard case .failure(let error) = result else { return #expect(Bool(false), "It was taken for an answer.") }
    #expect(error == .security && error.reason == .errorWithoutState)
    #expect(error.suggestion?.contains("fault of the provider") == true)
  }

  @Test func `why a redirect is ignored is reported at once, each reason once, without anything it carries`()
    async throws
  {
    let reasons = Mutex<[AuthenticationError]>([])
    let url = await present(onIgnored: { reason in reasons.withLock { $0.append(reason) } }) { port in
      let seen: [(target: String, count: Int)] = [
        ("/favicon.ico", 0), ("/callback?code=canary", 1), ("/callback?code=canary", 1),
        ("/callback?code=canary&state=old-canary", 2), ("/callback?error=invalid_scope", 3),
        ("/callback?error=access_denied", 4), ("/callback?error=access_denied&error_description=canary", 4),
        ("/callback?error=canary%20%3Cp%3E", 5),
      ]
      for (target, count) in seen {
        _ = Browser.ask(port, Browser.get(target, port))
        #expect(reasons.withLock { $0.count } == count, "\(target)")
      }
      let embedded = Browser.get("/callback?code=x&state=y", port)
        .replacing("\r\n\r\n", with: "\r\nSec-Fetch-Dest: image\r\n\r\n")
      _ = Browser.ask(port, embedded)
      _ = Browser.ask(port, Browser.get(Self.yes, port))
    }
    #expect(try url.get().query() == "code=yes&state=the-state")
    let told = reasons.withLock { $0 }
    #expect(told.map(\.providerCode) == [nil, nil, "invalid_scope", "access_denied", nil])
    let words = ["without the 'state'", "another sign-in", "without the 'state'", "without the 'state'"]
    for (reason, words) in zip(told, words) { #expect(reason.message.contains(words)) }
    let last = [FailureReason](repeating: .errorWithoutState, count: 3)
    #expect(told.map(\.reason) == [.stateMissing, .state] + last)
    for reason in told {
      #expect(reason == .security && reason.suggestion != nil)
      #expect(!"\(reason)".contains("canary"))
    }
  }

  @Test func `rule 12: of two callbacks at once one counts`() async throws {
    let url = await present { port in
      let first = Browser(port: port)
      let second = Browser(port: port)
      first?.send(Browser.get("/callback?code=1&state=the-state", port))
      second?.send(Browser.get("/callback?code=2&state=the-state", port))
      let answers = [first?.receive(), second?.receive()]
      #expect(answers.filter { $0?.hasPrefix("HTTP/1.1 200") == true }.count == 1)
    }
    #expect(try ["code=1&state=the-state", "code=2&state=the-state"].contains(url.get().query()))
  }

  @Test(arguments: [
    ("GET /favicon.ico HTTP/1.1\r\nHost: H\r\n\r\n", "404"), ("GET / HTTP/1.1\r\nHost: H\r\n\r\n", "404"),
    ("GET /callback/?code=no HTTP/1.1\r\nHost: H\r\n\r\n", "404"),
    ("GET /Callback?code=no HTTP/1.1\r\nHost: H\r\n\r\n", "404"),
    ("GET /call%62ack?code=no HTTP/1.1\r\nHost: H\r\n\r\n", "404"),
    ("GET //callback?code=no HTTP/1.1\r\nHost: H\r\n\r\n", "404"),
    ("POST /callback?code=no HTTP/1.1\r\nHost: H\r\nContent-Length: 1\r\n\r\n", "405"),
    ("HEAD /callback?code=no HTTP/1.1\r\nHost: H\r\n\r\n", "405"),
    ("get /callback?code=no HTTP/1.1\r\nHost: H\r\n\r\n", "405"),
    ("GET /callback?code=no HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"),
    ("GET /callback?code=no HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", "421"),
    ("GET /callback?code=no HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "421"),
    ("GET /callback?code=no HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", "421"),
    ("GET /callback?code=no HTTP/1.1\r\nHost: H\r\nhost: evil.example\r\n\r\n", "421"),
    ("GET /callback?code=no HTTP/1.1\r\nHost:\r\n\r\n", "421"),
    ("GET /callback?code=no HTTP/1.1\r\nAccept: */*\r\n\r\n", "421"),
    ("GET http://H/callback?code=no HTTP/1.1\r\nHost: H\r\n\r\n", "400"),
    ("GET /callback?code=no\r\nHost: H\r\n\r\n", "400"), ("GET /callback?code=n o HTTP/1.1\r\nHost: H\r\n\r\n", "400"),
    ("GET /callback?code=no HTTP/2\r\nHost: H\r\n\r\n", "400"),
    ("GET /callback?code=\u{E9} HTTP/1.1\r\nHost: H\r\n\r\n", "400"),
    ("GET /callback#?code=no HTTP/1.1\r\nHost: H\r\n\r\n", "400"), ("\r\n\r\n", "400"),
  ])
  func `rule 12: a request that is no callback is refused, and ends nothing`(request: String, status: String)
    async throws
  {
    let url = await present { port in
      let refused = request.replacing("Host: H", with: "Host: 127.0.0.1:\(port)").replacing("//H", with: "//127.0.0.1")
        .replacing("PORT", with: "\(port)")
      let answer = Browser.ask(port, refused)
      #expect(answer?.hasPrefix("HTTP/1.1 \(status) ") == true, "\(answer ?? "nothing")")
      #expect(answer?.contains("code=") == false && answer?.contains("Location") == false)
      _ = Browser.ask(port, Browser.get(Self.yes, port))
    }
    #expect(try url.get().query() == "code=yes&state=the-state")
  }

  @Test(
    .serialized, arguments: [1 << 20, CallbackExpectation.longestHead + 1],
    ["PAD HTTP/1.1\r\nHost: H\r\n\r\n", "PAD", "a HTTP/1.1\r\nHost: H\r\nCookie: PAD\r\n\r\n"])
  func `a redirect of more than 64 KiB ends the sign-in with an error of its own`(size: Int, rest: String) async {
    let url = await present { port in
      let request = "GET /callback?state=the-state&code=" + rest.replacing("Host: H", with: "Host: 127.0.0.1:\(port)")
      _ = Browser.ask(port, request.replacing("PAD", with: String(repeating: "a", count: size)))
    }
    guard case .failure(let error) = url else { return #expect(Bool(false), "It was taken for an answer.") }
    #expect(error == .security && error.reason == .redirect && error.message.contains("too long"))
  }

  @Test(
    .serialized, arguments: [1 << 20, CallbackExpectation.longestHead + 1],
    [
      "GET /favicon.ico?PAD HTTP/1.1\r\nHost: H\r\n\r\n", "GET /callbackPAD", "GET /PAD", "PAD", "HEAD /callback?PAD",
      "POST /callback?PAD HTTP/1.1\r\nHost: H\r\n\r\n",
      "GET /callback?state=the-state&a HTTP/1.1\r\nHost: evil.example\r\nCookie: PAD", "GET /callback?code=PAD",
      "GET /callback?state=other&code=PAD", "GET /callback?code=a&state=the-statePAD",
      "GET / HTTP/1.1\r\nHost: H\r\nCookie: PAD",
    ])
  func `any other request of more than 64 KiB is refused, and ends nothing`(size: Int, request: String) async throws {
    let url = await present { port in
      let request = request.replacing("Host: H", with: "Host: 127.0.0.1:\(port)")
      let answer = Browser.ask(port, request.replacing("PAD", with: String(repeating: "a", count: size)))
      #expect(answer?.hasPrefix("HTTP/1.1 431 ") == true)
      _ = Browser.ask(port, Browser.get(Self.yes, port))
    }
    #expect(try url.get().query() == "code=yes&state=the-state")
  }

  @Test(arguments: [
    ("GET /callback?state=s&a", false, true), ("GET /callback?state=s", false, false),
    ("GET /callback?state=s&a HTTP/1.1\r\nHost: evil", false, true),
    ("GET /callback?state=s&a HTTP/1.1\r\nHost: evil.example\r\nCookie: ", false, false),
    ("GET /callback?state=s&a HTTP/1.1\r\nHost: 127.0.0.1:5000\r\nCookie: ", false, true),
    ("GET /callback?state=s&a HTTP/1.1\r\nHost: 127.0.0.1:5000", true, true),
    ("GET /callback?state=s&a HTTP/1.1\r\nHost: evil.example", true, false),
    ("GET /callback?state=s&a HTTP/1.1", true, false),
    ("GET /callback?state=s&a HTTP/1.1\r\nHost: 127.0.0.1:5000\r\nHost: evil.example", true, false),
  ])
  func `in a head that is too long, the host counts as far as it was read`(head: String, isWhole: Bool, isOurs: Bool) {
    let expectation = CallbackExpectation(port: 5_000, path: "/callback", state: "s")
    #expect(expectation.verdict(onTooLong: head, isWhole: isWhole) == (isOurs ? .overlong : .refused(.tooLong)))
  }

  @Test(arguments: [("", true), ("the-state", false)])
  func `where a page returns no state, any redirect to the address ends it`(state: String, isCallback: Bool) throws {
    let expectation = CallbackExpectation(port: 5_000, path: "/callback", state: state)
    let verdict = expectation.verdict(on: "GET /callback HTTP/1.1\r\nHost: 127.0.0.1:5000\r\n\r\n")
    if case .callback(let url, _) = verdict {
      #expect(isCallback && url.absoluteString == "http://127.0.0.1:5000/callback")
    } else {
      #expect(!isCallback)
    }
  }

  @Test func `a request of nearly 64 KiB is read, however it is cut`() async throws {
    let url = await present { port in
      let browser = Browser(port: port)
      let code = String(repeating: "a", count: CallbackExpectation.longestHead - 200)
      browser?.send("GET /callback?state=the-state&code=" + code)
      browser?.send("b HTTP/1.1\r\nhOST: \t127.0.0.1:\(port) \r\nAccept: */*\r")
      browser?.send("\n\r")
      browser?.send("\n")
      #expect(browser?.receive()?.hasPrefix("HTTP/1.1 200 ") == true)
    }
    #expect(try url.get().query()?.hasSuffix("aab") == true)
  }

  @Test func `connections without a request hold up no other`() async throws {
    let url = await present { port in
      let idle = (0..<(CallbackServer.mostConnections + 8)).map { _ in Browser(port: port) }
      let slow = Browser(port: port)
      slow?.send("GET /callback?code=slow HTTP/1.1\r\nHost: 127")
      _ = Browser.ask(port, Browser.get(Self.yes, port))
      #expect(idle.count == 40 && slow != nil)
    }
    #expect(try url.get().query() == "code=yes&state=the-state")
  }

  @Test func `a connection has 10 seconds for its request`() async throws {
    let url = await present { [clock] port in
      let slow = Browser(port: port)
      slow?.send("GET /callback?code=slow HTTP/1.1\r\n")
      // Served only after the slow one was accepted.
      _ = Browser.ask(port, Browser.get("/favicon.ico", port))
      Task {
        for _ in 0..<2 {
          await clock.waitForSleepers(2)
          clock.advance(by: CallbackListener.round)
        }
      }
      #expect(slow?.receive() == "", "It was ended.")
      _ = Browser.ask(port, Browser.get(Self.yes, port))
    }
    #expect(try url.get().query() == "code=yes&state=the-state")
  }

  @Test func `a port that is taken is named, and nothing is shown`() async throws {
    let holder = try ListeningSocket(port: nil)
    let opened = Log()
    let presenter = SystemBrowserPresenter(clock: clock) { _ in opened.append("opened") }
    do throws(AuthenticationError) {
      _ = try await presenter.present(redirectingTo: .loopback(port: holder.port), answering: Self.state) { _ in
        Self.page
      }
      Issue.record("It listened on a port that is taken.")
    } catch {
      #expect(error == .redirectPortBusy && error.message.contains("\(holder.port)"))
    }
    #expect(opened.lines.isEmpty)
  }

  @Test func `a port can be used again at once`() async throws {
    let number = try ListeningSocket(port: nil).port
    for _ in 0..<3 {
      let url = await present(.loopback(port: number, path: "/cb")) { port in
        _ = Browser.ask(port, Browser.get("/cb?code=yes&state=the-state", port))
      }
      #expect(try url.get().absoluteString == "http://127.0.0.1:\(number)/cb?code=yes&state=the-state")
    }
  }

  @Test func `a cancelled sign-in closes the port at once`() async throws {
    let opened = Gate()
    let port = Mutex<UInt16>(0)
    let task = Task { [clock] in
      let presenter = SystemBrowserPresenter(clock: clock) { _ in await opened.pass() }
      return try await presenter.present(redirectingTo: .loopback(), answering: Self.state) { redirectURI in
        port.withLock { $0 = UInt16(URL(string: redirectURI)!.port!) }
        return Self.page
      }
    }
    await opened.waitForArrivals(1)
    let number = port.withLock { $0 }
    let waiting = try #require(Browser(port: number))
    task.cancel()
    await #expect(throws: AuthenticationError.cancelled) { try await task.value }
    #expect(!Browser.isAwaited(on: number))
    #expect(waiting.receive() == "")
  }

  @Test func `a browser that never comes back is waited for until the deadline`() async throws {
    let port = Mutex<UInt16>(0)
    let result = await present { [clock] number in
      port.withLock { $0 = number }
      Task {
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(300))
      }
    }
    #expect(throws: AuthenticationError(.signInExpired, "")) { try result.get() }
    #expect(!Browser.isAwaited(on: port.withLock { $0 }))
  }

  @Test func `a browser that cannot be opened ends the sign-in`() async {
    let presenter = SystemBrowserPresenter(clock: clock) { _ throws(AuthenticationError) in
      throw AuthenticationError(.browserUnavailable, "")
    }
    await #expect(throws: AuthenticationError(.browserUnavailable, "")) {
      try await presenter.present(redirectingTo: .loopback(), answering: Self.state) { _ in Self.page }
    }
  }

  @Test func `a page that cannot be made frees the port`() async throws {
    let port = Mutex<UInt16>(0)
    let presenter = SystemBrowserPresenter(clock: clock) { _ in Issue.record("Nothing is to be opened.") }
    await #expect(throws: AuthenticationError.timedOut) {
      try await presenter.present(redirectingTo: .loopback(), answering: Self.state) {
        redirectURI throws(AuthenticationError) in
        port.withLock { $0 = UInt16(URL(string: redirectURI)!.port!) }
        throw AuthenticationError.timedOut
      }
    }
    #expect(!Browser.isAwaited(on: port.withLock { $0 }))
  }

  @Test func `another redirect is not received here`() async {
    await #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try await SystemBrowserPresenter(clock: clock) { _ in }
        .present(redirectingTo: .address(FlowBench.redirect), answering: Self.state) { _ in Self.page }
    }
  }

  @Test func `rules 7, 9 and 12: a whole sign-in over a real port`() async throws {
    var bench = FlowBench()
    bench.client.redirect = .loopback(path: "/back")
    bench.client.presenter = SystemBrowserPresenter(clock: bench.clock) { page in
      let fields = FormBody(decoding: Array((page.query(percentEncoded: true) ?? "").utf8))?.fields ?? []
      let values = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
      let port = UInt16(URL(string: values["redirect_uri"] ?? "")?.port ?? 0)
      let answer = ScriptedPresenter.answer(to: values["state"] ?? "")
      Thread.detachNewThread { _ = Browser.ask(port, Browser.get("/back?\(answer)", port)) }
    }
    let grant = try await bench.flow.authorize(BrowserSignIn())
    #expect(grant.code.reveal() == "the-code")
    #expect(
      grant.transaction.redirectURI.hasPrefix("http://127.0.0.1:") && grant.transaction.redirectURI.hasSuffix("/back"))
  }
}
#endif
