import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignInLinkTests {
  let bench = AttemptBench()
  let link = Secret("https://app.example.com/sign-in?code=314159")
  let waiting = Challenge(kind: .link, handle: Secret("link"), lifetime: .seconds(900))

  func waitingForLink() async throws -> SignInAttempt {
    bench.provider.answerSignIn(.success(.challenge(waiting)))
    let attempt = try bench.attempts.begin(.emailLink)
    attempt.submit(SignInInput([.emailAddress: "ada@example.com"]))
    #expect(await attempt.finished() == .challenged(waiting, nil))
    return attempt
  }

  @Test func `a link continues the attempt that waits for it, once`() async throws {
    let attempt = try await waitingForLink()
    bench.provider.answerSignIn(.success(.session(bench.bench.session())))
    #expect(try await bench.attempts.open(link) === attempt)
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(bench.sent == [link.reveal()])
    await #expect(throws: AuthenticationError.invalidLink) { try await bench.attempts.open(link) }
  }

  @Test func `a link that could not be sent can be opened again`() async throws {
    let attempt = try await waitingForLink()
    bench.provider.answerSignIn(.failure(.unreachable), .success(.session(bench.bench.session())))
    try await bench.attempts.open(link)
    #expect(await attempt.finished() == .challenged(waiting, .unreachable))
    try await bench.attempts.open(link)
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
  }

  @Test func `a link that no attempt waits for asks for the address, and never takes it from the link`() async throws {
    let mailed = Secret("https://app.example.com/sign-in?code=314159&email=mallory@example.com")
    let attempt = try await bench.attempts.open(mailed)
    #expect(attempt.state == .collecting)
    attempt.submit()
    #expect(await attempt.finished() == .failed(.invalidEmailAddress))
    #expect(bench.provider.messages == [])
    bench.provider.answerSignIn(.success(.session(bench.bench.session())))
    attempt.submit(SignInInput([.emailAddress: "ada@example.com"]))
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
  }

  @Test(arguments: [
    "http://app.example.com/sign-in?code=1", "https://app.example.com.evil.example/sign-in",
    "https://app.example.com/sign-in/../other", "https://app.example.com:8443/sign-in",
    "https://a@app.example.com/sign-in",
    "https://app.example.com/Sign-In", "https://app.example.com/sign-in/", "app://app.example.com/sign-in", "", "::",
    "https://evil.example/?https://app.example.com/sign-in", "//app.example.com/sign-in",
  ])
  func `a link that leads elsewhere changes nothing`(_ text: String) async throws {
    let attempt = try await waitingForLink()
    await #expect(throws: AuthenticationError.invalidLink) { try await bench.attempts.open(Secret(text)) }
    #expect(attempt.state == .challenged(waiting, nil))
    #expect(bench.sent == [])
  }

  @Test func `a link that no attempt asked for does not end the attempt in progress`() async throws {
    let attempt = try await bench.challenged()
    await #expect(throws: AuthenticationError.invalidLink) { try await bench.attempts.open(link) }
    #expect(bench.attempts.current === attempt)
    #expect(attempt.state == .challenged(.sms, nil))
    bench.provider.hold(.signIn)
    bench.provider.answerSignIn(.failure(.wrongCode))
    attempt.answer(code: Secret("123456"))
    await #expect(throws: AuthenticationError.invalidLink) { try await bench.attempts.open(link) }
    bench.provider.release(.signIn)
    #expect(await attempt.finished() == .challenged(.sms, .wrongCode))
  }
}
