import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

// failure row 34
@Suite struct RetryingHTTPClientTests {
  typealias Answer = Result<HTTPResponse, AuthenticationError>

  let clock = RecordingClock()
  let get = HTTPRequest(.get, URL(string: "https://api.example.com/a")!)
  let post = HTTPRequest(.post, URL(string: "https://api.example.com/a")!, body: Data("{}".utf8))

  static func answer(_ status: Int, retryAfter: String? = nil) -> Answer {
    .success(HTTPResponse(status: status, headers: retryAfter.map { ["Retry-After": $0] } ?? [:]))
  }

  static func failure(_ code: AuthenticationError) -> Answer { .failure(AuthenticationError(code, "Scripted.")) }

  func send(
    _ request: HTTPRequest, to client: ScriptedHTTPClient, retries: Int = 2, random: Double = 1
  ) async -> Answer {
    let backoff = Backoff(base: .milliseconds(500), cap: .seconds(3), random: { random })
    let retrying = client.retrying(retries, backoff: backoff, clock: clock)
    return await retrying.result(of: request)
  }

  @Test(
    arguments: [
      (0.0, [0, 0, 0, 0, 0]), (0.5, [250, 500, 1_000, 1_500, 1_500]), (0.999, [499.5, 999, 1_998, 2_997, 2_997]),
    ] as [(Double, [Double])])
  func `waits double up to the cap, and are spread from nothing to all of it`(random: Double, waits: [Double]) async {
    let client = ScriptedHTTPClient { _ in Self.answer(503) }
    #expect(await send(get, to: client, retries: 5, random: random) == Self.answer(503))
    #expect(client.requests.count == 6)
    for (slept, wait) in zip(clock.sleeps, waits) { #expect(abs(slept / .milliseconds(1) - wait) < 0.001) }
    #expect(clock.sleeps.count == 5)
  }

  @Test(arguments: [429, 502, 503, 504]) func `an answer that may be better later is asked for again`(status: Int) async
  {
    let client = ScriptedHTTPClient(Self.answer(status), Self.answer(200))
    #expect(await send(get, to: client) == Self.answer(200))
    #expect(client.requests == [get, get])
  }

  @Test(arguments: [200, 201, 204, 301, 400, 401, 403, 404, 408, 409, 428, 430, 500, 501, 505])
  func `any other answer is final`(status: Int) async {
    let client = ScriptedHTTPClient(Self.answer(status))
    #expect(await send(get, to: client) == Self.answer(status))
    #expect(clock.sleeps == [])
  }

  @Test(arguments: [0, 1, 2, 5]) func `there are no more tries than were asked for`(retries: Int) async {
    let client = ScriptedHTTPClient { _ in Self.failure(.unreachable) }
    #expect(await send(get, to: client, retries: retries) == Self.failure(.unreachable))
    #expect(client.requests.count == retries + 1)
    #expect(clock.sleeps.count == retries)
  }

  @Test(arguments: [-1, .min]) func `fewer retries than none are none`(retries: Int) async {
    let client = ScriptedHTTPClient { _ in Self.failure(.unreachable) }
    #expect(await send(get, to: client, retries: retries) == Self.failure(.unreachable))
    #expect(client.requests.count == 1)
  }

  @Test(arguments: [429, 502, 503, 504]) func `a POST that was answered is not sent again`(status: Int) async {
    let client = ScriptedHTTPClient(Self.answer(status, retryAfter: "1"))
    #expect(await send(post, to: client) == Self.answer(status, retryAfter: "1"))
    #expect(client.requests == [post])
  }

  @Test func `a method says whether a repeated request does the same`() {
    let methods = [HTTPMethod.get, .head, .options, .put, .delete, .post, .patch].map { HTTPRequest($0, post.url) }
    #expect(methods.map(\.isIdempotent) == [true, true, true, true, true, false, false])
  }

  @Test(arguments: [AuthenticationError.connectionLost, .timedOut])
  func `a POST that the server may have seen is not sent again`(code: AuthenticationError) async {
    let client = ScriptedHTTPClient(Self.failure(code))
    #expect(await send(post, to: client) == Self.failure(code))
    #expect(client.requests == [post])
  }

  @Test func `a POST that the server has not seen is sent again`() async {
    let client = ScriptedHTTPClient(Self.failure(.unreachable), Self.answer(200))
    #expect(await send(post, to: client) == Self.answer(200))
    #expect(client.requests == [post, post])
  }

  @Test(arguments: [AuthenticationError.connectionLost, .timedOut, .unreachable])
  func `a request that may be sent twice is sent again after any failure in transit`(code: AuthenticationError)
    async
  {
    var marked = post
    marked.isIdempotent = true
    let changes = [HTTPMethod.put, .delete].map { HTTPRequest($0, post.url, body: post.body) }
    for request in [get, marked] + changes {
      let client = ScriptedHTTPClient(Self.failure(code), Self.answer(200))
      #expect(await send(request, to: client) == Self.answer(200))
      #expect(client.requests.count == 2 && client.requests[0] == request)
      #expect(client.requests[1].body == request.body && client.requests[1].method == request.method)
    }
  }

  // RFC 9110 §9.2.2: a repeat that fails is not repeated.
  @Test(
    arguments: [AuthenticationError.connectionLost, .timedOut], [AuthenticationError.connectionLost, .timedOut])
  func `a request that was lost is repeated once`(first: AuthenticationError, second: AuthenticationError) async {
    let client = ScriptedHTTPClient(Self.failure(first), Self.failure(second), Self.answer(200))
    #expect(await send(get, to: client, retries: 5) == Self.failure(second))
    #expect(client.requests.map(\.url) == [get.url, get.url])
    // A request that may be repeated uses a kept connection, on which the transport repeats it by itself.
    #expect(client.requests.map(\.isIdempotent) == [true, false])
  }

  @Test func `a request that the transport has repeated is not repeated again`() async {
    let error = AuthenticationError(.connectionLost, "Scripted.").with(\.isOfRepeat, true)
    let client = ScriptedHTTPClient(.failure(error), Self.answer(200))
    #expect(await send(get, to: client) == .failure(error))
    #expect(client.requests.count == 1)
  }

  @Test func `a repeat that never reached the server is sent again`() async {
    let client = ScriptedHTTPClient(Self.failure(.connectionLost), Self.failure(.unreachable), Self.answer(200))
    #expect(await send(get, to: client) == Self.answer(200))
    #expect(client.requests.count == 3)
  }

  @Test(arguments: [
    AuthenticationError.cancelled, .insecureConnection, .responseTooLarge, .notSignedIn, .originNotAllowed,
  ])
  func `an error that a retry cannot change is thrown at once`(code: AuthenticationError) async {
    let client = ScriptedHTTPClient(Self.failure(code))
    #expect(await send(get, to: client) == Self.failure(code))
    #expect(clock.sleeps == [])
  }

  @Test(arguments: [
    ("0", Duration.zero), ("7", .seconds(7)), ("30", .seconds(30)), ("Thu, 01 Jan 2026 00:00:09 GMT", .seconds(9)),
    ("Wed, 31 Dec 2025 23:59:59 GMT", .zero),
    // Nothing readable: the client's own wait.
    ("", .milliseconds(500)), ("soon", .milliseconds(500)), ("-1", .milliseconds(500)), ("1.5", .milliseconds(500)),
    ("+7", .milliseconds(500)),
  ])
  func `a wait that the server asks for is kept`(text: String, wait: Duration) async {
    let client = ScriptedHTTPClient(Self.answer(503, retryAfter: text), Self.answer(200))
    #expect(await send(get, to: client) == Self.answer(200))
    #expect(clock.sleeps == [wait])
  }

  @Test(arguments: [
    "31", "86400", "99999999999999999999999999", "Thu, 01 Jan 2026 00:00:31 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
  ])
  func `a server that asks for too long a wait is answered as it is`(text: String) async {
    let client = ScriptedHTTPClient(Self.answer(503, retryAfter: text))
    #expect(await send(get, to: client) == Self.answer(503, retryAfter: text))
    #expect(clock.sleeps == [])
  }

  @Test func `the client's own wait may be longer than the longest wait that a server may ask for`() async {
    let client = ScriptedHTTPClient(Self.answer(503), Self.answer(200))
    let backoff = Backoff(base: .seconds(60), random: { 1 })
    let retrying = client.retrying(longestWait: .seconds(30), backoff: backoff, clock: clock)
    #expect(await retrying.result(of: get) == Self.answer(200))
    #expect(clock.sleeps == [.seconds(60)])
  }

  @Test(.timeLimit(.minutes(10))) func `a call cancelled while it waits ends at once and sends no more`() async {
    let clock = ManualClock()
    let client = ScriptedHTTPClient(Self.answer(503))
    let retrying = client.retrying(backoff: Backoff(random: { 1 }), clock: clock)
    let call = Task { await retrying.result(of: get) }
    await clock.waitForSleepers()
    call.cancel()
    #expect(await call.value == Self.failure(.cancelled))
    #expect(client.requests.count == 1)
  }
}
