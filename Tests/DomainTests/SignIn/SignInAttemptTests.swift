import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignInAttemptTests {
  let bench = AttemptBench()
  var provider: ScriptedAuthProvider { bench.provider }
  var session: AuthSession { bench.bench.session() }

  // origin C1
  @Test func `an app draws its buttons from the list, and picks a method by value`() throws {
    #expect(bench.attempts.methods == [.password, .phoneCode, .emailLink])
    #expect(bench.attempts.methods.map(\.displayName).allSatisfy { !$0.isEmpty })
    #expect(try bench.attempts.begin(.phoneCode).method == .phoneCode)
    #expect(throws: AuthenticationError.unsupportedMethod(.passkey)) { try bench.attempts.begin(.passkey) }
  }

  // origin C2
  @Test func `an app sees a start and a user who is signed in, whatever the method does between`() async throws {
    provider.answerSignIn(.success(.session(session)))
    let attempt = try bench.attempts.begin(.password)
    #expect(attempt.state == .collecting)
    provider.hold(.signIn)
    attempt.submit(.password)
    #expect(attempt.state == .submitting)
    provider.release(.signIn)
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(bench.bench.manager.state == .using(session))
    #expect(bench.signedIn.lines == [User.ada.id])
  }

  @Test func `an account is created by an attempt, and the code that confirms it signs in`() async throws {
    provider.answerSignIn(.success(.challenge(.sms)), .success(.session(session)))
    let attempt = try bench.attempts.begin(.password)
    attempt.submit(.password, createsAccount: true)
    #expect(await attempt.finished() == .challenged(.sms, nil))
    #expect(await bench.pending.pending()?.attempt == attempt.id)
    attempt.answer(code: Secret("123456"))
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(provider.messages == [.signUp(.password), .signIn(.challengeAnswer)])
  }

  @Test func `an organization is asked for on a page, and an attempt without one refuses it`() async throws {
    let asked = SignInHints(organization: "org_1")
    for method in bench.attempts.methods {
      let attempt = try bench.attempts.begin(method)
      attempt.submit(SignInInput([.userName: "ada", .password: "p"], hints: asked))
      #expect(await attempt.finished().failure == .invalidRequest)
    }
    #expect(provider.messages.isEmpty)
    let page = AttemptBench([
      SignInProcess(.browser, presenting: .password) { context throws(AuthenticationError) in
        PasswordCredentials(userName: context.input.hints.organization ?? "", password: Secret("p"))
      }
    ])
    page.provider.answerSignIn(.success(.session(session)))
    let attempt = try page.attempts.begin(.browser)
    attempt.submit(SignInInput(hints: asked))
    #expect(await attempt.finished().isEnded)
  }

  @Test func `an account is not created where nothing can`() async throws {
    let manager = AuthManager(provider: SignInOnly(), store: ScriptedSessionStore())
    let attempts = SignInAttempts([.password], useCase: manager)
    let attempt = try attempts.begin(.password)
    attempt.submit(.password, createsAccount: true)
    #expect(await attempt.finished().failure == .unsupportedMethod)
  }

  // origin C3
  @Test(arguments: [false, true])
  func `another attempt replaces the first, which stores nothing, whatever comes late`(
    providerIgnoresCancellation: Bool
  ) async throws {
    let sheet = Gate()
    let bench = AttemptBench([
      SignInProcess(.password) { _ throws(AuthenticationError) in
        await sheet.pass()
        if Task.isCancelled { throw .cancelled }
        return .sample
      }, .phoneCode,
    ])
    let (provider, session) = (bench.provider, bench.bench.session())
    provider.answerSignIn(.success(.session(session)))
    let first = try bench.attempts.begin(.password)
    if providerIgnoresCancellation { provider.hold(.signIn) } else { sheet.close() }
    first.submit(.password)
    if providerIgnoresCancellation {
      await provider.waitForArrival(of: .signIn)
    } else {
      await sheet.waitForArrivals(1)
    }
    let second = try bench.attempts.begin(.phoneCode)
    #expect(bench.attempts.current === second)
    provider.release(.signIn)
    try #require(await first.finished() == .ended(.replaced))
    if providerIgnoresCancellation { await provider.waitForArrival(of: .revoke) }
    #expect(bench.bench.store.record?.session == nil)
    #expect(provider.revocations == (providerIgnoresCancellation ? [session.tokens] : []))
    #expect(bench.signedIn.lines == [])
    #expect(second.state == .collecting)
  }

  // origin C3
  @Test func `cancelling an attempt leaves the user who was signed in`() async throws {
    try await bench.bench.signIn(as: session)
    let before = bench.bench.manager.state
    let attempt = try bench.attempts.begin(.password)
    provider.hold(.signIn)
    attempt.submit(.password)
    await provider.waitForArrival(of: .signIn, count: 2)
    attempt.cancel()
    provider.release(.signIn)
    #expect(await attempt.finished() == .ended(.cancelled))
    #expect(bench.bench.manager.state == before)
  }

  // origin C4
  @Test func `a refused form can be corrected in the same attempt`() async throws {
    provider.answerSignIn(.failure(.invalidCredentials), .success(.session(session)))
    let attempt = try bench.attempts.begin(.password)
    attempt.submit(.password)
    #expect(await attempt.finished() == .failed(.invalidCredentials))
    #expect(bench.bench.manager.state == .signedOut(.absent))
    #expect(bench.signedIn.lines == [])
    attempt.submit(.password)
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(bench.attempts.current === attempt)
    #expect(bench.signedIn.lines == [User.ada.id])
  }

  @Test func `a blank form is refused before anything is sent`() async throws {
    let attempt = try bench.attempts.begin(.password)
    attempt.submit()
    #expect(await attempt.finished() == .failed(.blankUserName))
    #expect(provider.messages == [])
  }

  @Test func `a double tap sends once`() async throws {
    provider.answerSignIn(.success(.session(session)))
    let attempt = try bench.attempts.begin(.password)
    attempt.submit(.password)
    attempt.submit(.password)
    await attempt.finished()
    attempt.submit(.password)
    #expect(provider.messages == [.signIn(.password)])
  }

  // origin C6
  @Test func `an attempt goes on when the screen that began it is gone`() async throws {
    provider.answerSignIn(.success(.session(session)))
    provider.hold(.signIn)
    let screen = Task { [bench] in
      let attempt = try bench.attempts.begin(.password)
      attempt.submit(.password)
      await attempt.finished()
    }
    await provider.waitForArrival(of: .signIn)
    screen.cancel()
    provider.release(.signIn)
    #expect(await bench.attempts.current?.finished() == .ended(.signedIn(.ada)))
    #expect(bench.signedIn.lines == [User.ada.id])
    #expect(bench.bench.manager.state == .using(session))
  }

  // origin C5, D6
  @Test func `a method is added in one place, without a change to the library`() async throws {
    let gitHub = SignInMethod(id: "github", displayName: "GitHub", needs: [.browser])
    let bench = AttemptBench([
      .password,
      SignInProcess(gitHub) { context throws(AuthenticationError) in
        context.onExternalInteraction(ExternalInteraction(.browser))
        return PasswordCredentials(userName: "octocat", password: Secret("handed over"))
      },
    ])
    bench.provider.answerSignIn(.success(.session(session)))
    #expect(bench.attempts.methods.map(\.id) == ["password", "github"])
    let attempt = try bench.attempts.begin(gitHub)
    attempt.submit()
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
  }

  @Test func `an app sees that the user is busy elsewhere`() async throws {
    let gate = Gate()
    gate.close()
    let waiting = ExternalInteraction(.anotherDevice, address: "https://example.com/device", userCode: "WDJB-MJHT")
    let bench = AttemptBench([
      SignInProcess(.device) { context throws(AuthenticationError) in
        context.onExternalInteraction(waiting)
        await gate.pass()
        return PasswordCredentials(userName: "ada", password: Secret("handed over"))
      }
    ])
    bench.provider.answerSignIn(.success(.session(session)))
    let attempt = try bench.attempts.begin(.device)
    var states = attempt.states().makeAsyncIterator()
    attempt.submit()
    await gate.waitForArrivals(1)
    while let state = await states.next(), state != .externalInteraction(waiting) {}
    #expect(attempt.state.isWorking)
    gate.open()
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
  }

  // origin D4
  @Test func `the host's window reaches the process that shows a sheet`() async throws {
    final class Window: Sendable {}
    let window = Window()
    let shown = Log()
    let bench = AttemptBench([
      SignInProcess(.apple) { context throws(AuthenticationError) in
        if context.input.anchor?.window === window { shown.append("in the window") }
        throw .cancelled
      }
    ])
    let attempt = try bench.attempts.begin(.apple)
    attempt.submit(SignInInput(anchor: PresentationAnchor(window)))
    #expect(await attempt.finished() == .ended(.cancelled))
    #expect(shown.lines == ["in the window"])
  }

  // origin D2
  @Test func `a method signs in, and forgets the remembered user after a sign-out`() async throws {
    let forgotten = Log()
    let bench = AttemptBench([
      .password,
      SignInProcess(
        .apple,
        forget: { user throws(AuthenticationError) in
          forgotten.append(user.id)
          if user.id != User.ada.id { throw .userDisabled }
        },
        credentials: { _ throws(AuthenticationError) in
          PasswordCredentials(userName: "ada", password: Secret("handed over"))
        }),
    ])
    bench.provider.answerSignIn(.success(.session(session)))
    let attempt = try bench.attempts.begin(.apple)
    attempt.submit()
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    try await bench.bench.manager.signOut()
    try await bench.attempts.forget(.ada, of: .password)
    #expect(forgotten.lines == [User.ada.id])
    #expect(bench.bench.manager.state == .signedOut(.requested))
    await #expect(throws: AuthenticationError.userDisabled) { try await bench.attempts.forget(.grace, of: .apple) }
    await #expect(throws: AuthenticationError.unsupportedMethod(.google)) {
      try await bench.attempts.forget(.ada, of: .google)
    }
  }

  // origin D1
  @Test(arguments: ["password", "phone-code"])
  func `a method that was chosen at run time begins from any entry point, and all of them see that attempt`(
    _ chosen: String
  ) async throws {
    provider.answerSignIn(.success(.session(session)))
    let (onboarding, checkout) = (bench.attempts, bench.attempts)
    let method = try #require(onboarding.methods.first { $0.id == chosen })
    let attempt = try onboarding.begin(method)
    let seen = try #require(checkout.current)
    #expect(seen === attempt)
    #expect(seen.method.id == chosen)
    seen.submit(chosen == "password" ? .password : .phone)
    #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    #expect(provider.messages == [.signIn(method)])
  }

  // origin D3
  @Test func `every method takes the same two calls`() async throws {
    for (method, input) in [(SignInMethod.password, SignInInput.password), (.phoneCode, .phone)] {
      provider.answerSignIn(.success(.session(session)))
      let attempt = try bench.attempts.begin(method)
      attempt.submit(input)
      #expect(await attempt.finished() == .ended(.signedIn(.ada)))
    }
    #expect(provider.messages.filter { $0 == .signIn(.phoneCode) || $0 == .signIn(.password) }.count == 2)
  }
}

/// Signs in, and creates no account.
private struct SignInOnly: RemoteAuthProvider {
  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    .session(.sample(receivedAt: .noon))
  }
  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens { throw .sessionExpired }
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {}
}
