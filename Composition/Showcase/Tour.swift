import AuthenticationAccount
import AuthenticationDomainTesting
import AuthenticationDiagnostics
import AuthenticationKit
import AuthenticationPasskeys
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import AuthCTLCommands

/// Walks through the library's promises against a real server, and checks each of them.
///
/// Server and client share a clock that is moved forward where a token is to expire; everything else is as in an app:
/// HTTP over loopback, and a session in files.
@MainActor
final class Tour: Stage {
  private let console: Console
  let clock = TravelClock()
  private let api: OwnAPI
  let storage: RecordingStorage
  let folder: URL
  private let port: UInt16
  private(set) var step = 0
  private(set) var failures = 0
  private(set) var app: MainRoot?
  /// In this chapter.
  private var launched: [Diagnostics] = []
  private var begunAt = Date.distantPast
  var isProviderDown = false
  private var outcomes: [String: Int] = [:]
  private var secondOutcome = ""

  init(console: Console, port: UInt16) {
    self.console = console
    self.port = port
    api = OwnAPI(.init(accessTokenLifetime: .seconds(3_600), reuseGrace: .seconds(60), users: .known), clock: clock)
    folder = FileManager.default.temporaryDirectory.appending(path: "showcase-tour-\(UUID().uuidString)")
    storage = RecordingStorage(.stage(in: folder))
  }

  var provider: any ShowcaseProvider { api }
  private var server: LoopbackIdentityServer { api.server }

  /// Returns how many checks did not hold.
  func walk() async throws -> Int {
    defer { try? FileManager.default.removeItem(at: folder) }
    do { try await server.start(port: port) } catch { throw AuthenticationError.portTaken(port) }
    console.out("A real server listens on \(api.address); the session is kept in a folder of its own.")
    // Each with the causes that a report of its events must name.
    let chapters: [(@MainActor () async throws -> Void, ReportFinding.Kind)] = [
      (wrongPassword, .signInFailed), (signIn, .signedIn), (restart, .launched), (manyCallsAtExpiry, .refreshed),
      (earlyExpiry, .accessTokenRefused), (lostAnswer, .responseLost), (secondProcess, .refreshedElsewhere),
      (lockedStore, .storeUnreadable), (providerDownAtLaunch, .refreshFailed), (signOutDuringRefresh, .lateTokens),
      (offlineSignOut, .revocationFailed), (revokedElsewhere, .rejected), (secondFactor, .challenged),
      (expiredCode, .signInFailed), (replacedAttempt, .signInOvertaken), (passkey, .requested),
    ]
    for (chapter, kind) in chapters {
      try await chapter()
      await checkReport(names: kind)
    }
    await server.stop()
    console.out("")
    console.out(failures == 0 ? "Every step held." : "\(failures) checks did NOT hold.")
    return failures
  }

  /// An app that has just been launched: everything new but the folder.
  @discardableResult
  private func launch(_ change: (inout MainRoot.Options) -> Void = { _ in }) throws -> MainRoot {
    // A thousand calls at once may take a busy machine longer than an app would wait.
    let patient = try SystemHTTPClient(deadline: .seconds(300))
    let diagnostics = Diagnostics()
    let root = try MainRoot(api.line.configuration(api.address, .init())) {
      $0.record(to: diagnostics)
      $0.storage = .stage(storage, in: folder)
      $0.apiTransport = patient
      $0.clock = clock
      $0.methods = [.password]
      change(&$0)
    }
    app = root
    launched.append(diagnostics)
    return root
  }

  /// Checks that the events of this chapter alone name its cause.
  private func checkReport(names kind: ReportFinding.Kind) async {
    for diagnostics in launched { await diagnostics.keep() }
    let report = await launched.last?.report()
    let new = report?.findings.filter { $0.time > begunAt.addingTimeInterval(-1) } ?? []
    check("a report names it: \(kind.rawValue)", new.contains { $0.kind == kind })
    // Times are told in whole seconds.
    clock.travel(.seconds(2))
  }

  /// Begins a chapter, with an app that has just been launched.
  @discardableResult
  private func launch(for title: String) throws -> MainRoot {
    begin(title)
    return try launch()
  }

  private func begin(_ title: String) {
    step += 1
    (launched, begunAt) = ([], clock.now)
    server.resetCounters()
    console.out("")
    console.out("\(step). \(title)")
  }

  private func tell(_ fact: String) { console.out("   \(fact)") }

  func check(_ fact: String, _ holds: Bool) {
    if !holds { failures += 1 }
    console.out("   \(holds ? "✓" : "✗ DOES NOT HOLD:") \(fact)")
  }

  /// Tells of the step, and plays it.
  private func play(_ step: ShowcaseEvent) async throws {
    tell(step.lasting.flatMap { $0.isOn(self) ? $0.ending : nil } ?? step.sentence)
    try await step.play(self)
  }

  func relaunch() throws { try launch() }
  func report(_ outcomes: [String: Int]) { self.outcomes = outcomes }
  func report(secondProcess outcome: String) { secondOutcome = outcome }

  private func count(_ endpoint: LoopbackIdentityServer.Endpoint) -> Int { server.counters.requests(on: endpoint) }
  private var totalRequests: Int { LoopbackIdentityServer.Endpoint.allCases.reduce(0) { $0 + count($1) } }

  private func signedIn(_ attempt: SignInAttempt) async -> User? {
    if case .ended(.signedIn(let user)) = await attempt.finished() { user } else { nil }
  }

  /// The status of a call of the API.
  private func call(_ root: MainRoot) async throws -> Int {
    try await root.apiClient.send(HTTPRequest(.get, api.resource)).status
  }

  private func signOut(_ root: MainRoot) async throws {
    try await root.manager.signOut()
    await root.manager.deliverRevocations()
  }

  private func failure(_ call: () async throws -> some Sendable) async -> AuthenticationError? {
    do {
      _ = try await call()
      return nil
    } catch {
      return error as? AuthenticationError
    }
  }

  private func wrongPassword() async throws {
    let model = try launch(for: "A wrong password").makeViewModel()
    await submit("ada", "a wrong one", to: model)
    tell("The user is told: \(model.failureSentence ?? "nothing")")
    check("the failure is 'invalid_credentials'", model.failure?.error == .invalidCredentials)
    check("the server saw 1 attempt", count(.signIn) == 1)
    check("the password was cleared from the form", model.password.isEmpty)
    check("no user is signed in", model.user == nil)

    await submit("", "  ", to: model)
    tell("And without a user name: \(model.failureSentence ?? "nothing")")
    check("the server saw no further request", count(.signIn) == 1)
  }

  private func submit(_ name: String, _ password: String, to model: AuthenticationViewModel) async {
    (model.userName, model.password) = (name, password)
    model.signIn()
    await model.finished()
  }

  private func signIn() async throws {
    let root = try launch(for: "Signing in")
    let model = root.makeViewModel()
    await submit("grace", "battery staple", to: model)
    tell("The user is told: \(model.message ?? "nothing")")
    check("a new user is welcomed as one", model.message == "Welcome, new user!")
    let status = try await call(root)
    check("an API call is answered \(status)", status == 200)
    check("the server counted 1 sign-in and no refresh", server.counters.signIns == 1 && count(.refresh) == 0)
  }

  private func restart() async throws {
    begin("An app that is killed")
    try await play(.restart)
    let state = await app?.manager.restore()
    check("\(state?.user?.name ?? "no user") is still signed in", state?.user?.id == "grace")
    check("the server saw no request at all", totalRequests == 0)
  }

  private func manyCallsAtExpiry() async throws {
    try launch(for: "1,000 API calls at once, just when the token has expired")
    try await play(.calls)
    let counters = server.counters
    tell("The server counted \(counters.refreshesGranted) refresh and \(counters.resourceCallsAnswered) API calls.")
    let others = outcomes.filter { $0.key != "200" }
    check(
      "all 1,000 calls were answered 200" + others.map { ", \($0.value) \($0.key)" }.joined(),
      others.isEmpty && counters.resourceCallsAnswered == 1_000)
    check("the server saw exactly one refresh", count(.refresh) == 1)
    check("no call carried a stale token", counters.resourceCallsUnauthorized == 0)
    check("no refresh token was used twice", counters.reusesDetected == 0)
  }

  private func providerDownAtLaunch() async throws {
    begin("The provider is down when the app is launched")
    try await play(.jump)
    try await play(.down)
    let root = try launch()
    let state = await root.manager.restore()
    check("\(state.user?.name ?? "no user") is still signed in", state.user?.id == "grace")
    let failure = await failure { try await root.manager.validSession() }
    check("a call is told '\(failure?.code ?? "nothing")'", failure == .unreachable)
    check("the session is marked stale", root.manager.state.activeSession?.freshness == .stale)

    try await play(.down)
    check("the next call is answered", try await call(root) == 200)
    check("the session is fresh again", root.manager.state.activeSession?.freshness == .fresh)
  }

  private func signOutDuringRefresh() async throws {
    let root = try launch(for: "Signing out while a refresh is in flight")
    clock.travel(.seconds(3_600))
    server.hold(.refresh)
    let call = Task { try await root.manager.validSession() }
    await server.waitForRequest(on: .refresh)
    tell("The server has refreshed the tokens and holds its answer back.")
    try await root.manager.signOut()
    server.release(.refresh)
    let failure = await failure { try await call.value }
    check("the caller is told '\(failure?.code ?? "nothing")'", failure == .notSignedIn)
    await server.waitForRequest(on: .signOut, count: 2)
    await root.manager.deliverRevocations()
    check("the late tokens were revoked too: none is alive", server.counters.tokensAlive == 0)
    check("no user is signed in", root.currentUser == nil)
    check("nothing comes back after a restart", await (try launch()).manager.restore() == .signedOut(.requested))
  }

  private func offlineSignOut() async throws {
    let root = try launch(for: "Signing out offline")
    try await root.useCase.login(username: "ada", password: "correct horse")
    check("ada is signed in, with \(server.counters.tokensAlive) live tokens", server.counters.liveFamilies == 1)
    try await play(.down)
    try await root.manager.signOut()
    check("no user is signed in", root.currentUser == nil)
    await root.manager.deliverRevocations()
    check("the revocation waits", await root.manager.hasPendingRevocations)

    try await play(.down)
    tell("The app is opened anew.")
    let reopened = try launch()
    check("still no user is signed in", await reopened.manager.restore() == .signedOut(.requested))
    await reopened.manager.deliverRevocations()
    check("the server got the revocation: no token is alive", server.counters.tokensAlive == 0)
    check("no token is left on disk", try leftovers().isEmpty)
  }

  /// Files that hold a token. The rest of a session are the names of sign-ins that ended.
  private func leftovers() throws -> [String] {
    let secrets = FileStorage.stage(in: folder).folder
    return try FileManager.default.contentsOfDirectory(atPath: secrets.path).filter {
      do {
        return String(decoding: try Data(contentsOf: secrets.appending(path: $0)), as: UTF8.self).contains("access ")
      } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
        return false  // The file of a write that has ended since.
      }
    }
  }

  // MARK: Sign-ins of several steps.

  private func secondFactor() async throws {
    let attempt = try await challenged(try launch(for: "A second factor"))
    let challenge = attempt.state.challenge
    tell("The user is asked for the code sent to \(challenge?.destination ?? "nowhere").")
    check("the password alone signs no user in", server.counters.signIns == 0)

    let right = server.code(ofUser: "mary") ?? ""
    await answer(attempt, right == "000000" ? "000001" : "000000")
    let left = attempt.state.challenge?.attemptsLeft ?? 0
    tell("A wrong code: \(left) attempts are left.")
    check("the attempt goes on, and says 'wrong_code'", attempt.state.failure == .wrongCode && left == 2)
    await answer(attempt, "12")
    check("a code that is too short is not sent", count(.challenge) == 1)

    attempt.answer(code: Secret(" \(right.prefix(3))-\(right.suffix(3)) "))
    check("the right one signs in, typed with a dash", await signedIn(attempt)?.id == "mary")
  }

  private func expiredCode() async throws {
    let root = try launch(for: "A code that has expired, and is sent again")
    let attempt = try await challenged(root)
    let old = server.code(ofUser: "mary") ?? ""
    attempt.resend()
    await attempt.finished()
    check("another code is not sent at once", count(.challenge) == 0)
    clock.travel(.seconds(301))
    tell("Five minutes pass.")
    check("the app knows that the code has expired", attempt.timeLeft().map { $0 < .zero } ?? false)
    await answer(attempt, old)
    check("the right code is refused as 'code_expired'", attempt.state.failure == .codeExpired)

    let handle = attempt.state.challenge?.handle
    attempt.resend()
    await attempt.finished()
    check("another code was sent", attempt.state.challenge.map { $0.handle != handle } ?? false)
    attempt.answer(code: Secret(server.code(ofUser: "mary") ?? ""))
    check("it signs in", await signedIn(attempt)?.id == "mary")
    try await signOut(root)
  }

  private func replacedAttempt() async throws {
    let root = try launch(for: "A second attempt that replaces the first")
    let before = server.counters.liveFamilies
    server.hold(.user)
    let first = try root.attempts.begin(.password)
    first.submit(SignInInput([.userName: "ada", .password: "correct horse"]))
    await server.waitForRequest(on: .user)
    tell("The server has signed ada in, and holds back who she is.")
    let second = try root.attempts.begin(.password)
    let end = await first.finished()
    check("the first attempt is over, and says that it was replaced", end == .ended(.replaced))
    server.release(.user)
    await server.waitForRequest(on: .signOut)
    check("what it had got was revoked", server.counters.liveFamilies == before)

    second.submit(SignInInput([.userName: "grace", .password: "battery staple"]))
    check("the second signs grace in", await signedIn(second)?.id == "grace")
    check("the store has grace's session", await (try launch()).manager.restore().user?.id == "grace")
    check("the first is still over", first.state == .ended(.replaced))
  }

  /// An attempt of a user with a second factor, up to the code.
  private func challenged(_ root: MainRoot) async throws -> SignInAttempt {
    let attempt = try root.attempts.begin(.password)
    attempt.submit(SignInInput([.userName: "mary", .password: "proof of stake"]))
    await attempt.finished()
    return attempt
  }

  private func answer(_ attempt: SignInAttempt, _ code: String) async {
    attempt.answer(code: Secret(code))
    await attempt.finished()
  }

  // MARK: A session in use: an early expiry, a lost response, another process, a locked store, a revocation elsewhere.

  private func earlyExpiry() async throws {
    try launch(for: "A token that the provider ends early")
    try await play(.expire)
    check("the call was answered 200", outcomes == ["200": 1])
    check("the server refused the old token once", server.counters.resourceCallsUnauthorized == 1)
    check("and saw exactly one refresh", count(.refresh) == 1)
  }

  private func lostAnswer() async throws {
    try launch(for: "The answer to a refresh is lost")
    try await play(.lose)
    check("the call was answered 200", outcomes == ["200": 1])
    check("the refresh was asked for twice", count(.refresh) == 2)
    check("the session lives on", server.counters.liveFamilies == 1)
  }

  private func secondProcess() async throws {
    await (try launch(for: "A second process on the same session")).manager.restore()
    try await play(.process)
    check("its call was answered 200", secondOutcome == "200")
    check("this app's call was, too", outcomes == ["200": 1])
    check("the server saw exactly one refresh of both", count(.refresh) == 1)
  }

  private func lockedStore() async throws {
    begin("The storage is locked when the app is launched")
    try await play(.lock)
    let root = try launch()
    let state = await root.manager.restore()
    check("the app does not claim that no user is signed in", state == .unavailable(.storageUnavailable))
    try await play(.lock)
    check("grace is signed in", await root.manager.restore().user?.id == "grace")
    check("the server saw no request at all", totalRequests == 0)
  }

  private func revokedElsewhere() async throws {
    let root = try launch(for: "The session is ended on another device")
    try await root.useCase.login(username: "ada", password: "correct horse")
    try await play(.revoke)
    check("the call is told so", outcomes == ["session_rejected": 1])
    check("ada is signed out here", root.manager.state == .signedOut(.rejected))
  }

  /// The server checks the authenticator's signature, by a separate implementation.
  private func passkey() async throws {
    begin("A passkey in place of a password")
    let authenticator = SoftwareAuthenticator(origin: Self.origin)
    let root = try launch(authenticator)
    let account = root.manager.account
    await root.manager.restore()
    guard case .challenge(let challenge) = try await account.perform(.enrol(.passkey)) else {
      return check("the server asks for a passkey", false)
    }
    let answer = try await authenticator.answer(challenge, relyingPartyID: Self.relyingPartyID)
    check("grace's new passkey is accepted", try await account.perform(.answer(answer)) == .done)
    check("her account lists it", try await account.factors().map(\.kind) == [.passkey])
    let other = SoftwareAuthenticator(origin: Self.origin)
    if case .challenge(let unanswered) = try await account.perform(.enrol(.passkey)) {
      _ = try await other.answer(unanswered, relyingPartyID: Self.relyingPartyID)
    }
    try await signOut(root)

    let attempt = try root.attempts.begin(.passkey)
    attempt.submit()
    check("it signs her in, without name and password", await signedIn(attempt)?.id == "grace")
    check("the server saw no password", count(.signIn) == 0)
    try await signOut(root)

    let refused = try launch(other).attempts.begin(.passkey)
    refused.submit()
    await refused.finished()
    check("one that the server has not seen does not", refused.state.failure == .invalidCredentials)
    refused.cancel()

    let declined = try launch(SoftwareAuthenticator(origin: Self.origin, user: .declines)).attempts.begin(.passkey)
    declined.submit()
    check("who declines has cancelled, and nothing failed", await declined.finished() == .ended(.cancelled))
    check("no user is signed in", server.counters.liveFamilies == 0)
  }

  private static let relyingPartyID = ShowcaseWorld.relyingPartyID
  private static let origin = "http://localhost"

  private func launch(_ authenticator: SoftwareAuthenticator) throws -> MainRoot {
    try launch { $0.methods = [.password, .passkey(relyingPartyID: Self.relyingPartyID) { _ in authenticator }] }
  }
}
