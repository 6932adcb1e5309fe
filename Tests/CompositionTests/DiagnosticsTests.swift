import AuthenticationDiagnostics
import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

/// Why a user was signed out, as the recorded events alone tell it.
@Suite(.timeLimit(.minutes(10))) struct DiagnosticsTests {
  let home = TemporaryFolder()
  let clock = TravelClock()
  let provider = ScriptedAuthProvider()

  /// An app that records why its sessions end.
  struct App {
    let root: MainRoot
    let diagnostics: Diagnostics

    var manager: AuthManager { root.manager }
    var useCase: any AuthenticationUseCase { root.useCase }
  }

  func root(
    on storage: StorageLocation? = nil, _ change: (inout MainRoot.Options) -> Void = { _ in }
  ) throws -> App {
    let diagnostics = Diagnostics()
    let root = try MainRoot(.custom(provider)) {
      $0.record(to: diagnostics)
      $0.storage = storage ?? .files(in: home.url)
      $0.clock = clock
      $0.backoff = Backoff(base: .zero, cap: .zero)
      $0.refreshPolicy = .onDemand
      change(&$0)
    }
    return App(root: root, diagnostics: diagnostics)
  }

  func signIn(_ root: App, _ number: Int = 1, as user: User = .ada, canRefresh: Bool = true) async throws {
    let session = AuthSession.sample(number, of: user, receivedAt: clock.now, canRefresh: canRefresh)
    provider.answerSignIn(.success(.session(session)))
    try await root.useCase.login(username: "ada", password: "canary-password")
  }

  /// A root whose user has signed in, and whose token has expired.
  func signedIn() async throws -> App {
    let root = try root()
    try await signIn(root)
    clock.travel(.seconds(3_600))
    return root
  }

  /// The report of the next launch: it has the events that were kept, and nothing else.
  func reportAfterRelaunch(_ root: App) async throws -> DiagnosticReport {
    // Each revocation is a change of its own, after which the events are written.
    await root.manager.deliverRevocations()
    await root.diagnostics.keep()
    let next = try self.root()
    await next.manager.restore()
    let report = await next.diagnostics.report()
    #expect(report.replay.allSatisfy { $0.isReplayed && $0.difference == nil })
    let again = try DiagnosticReport(report.data)
    #expect(again.cause == report.cause && again.sentence == report.sentence && again.data == report.data)
    return report
  }

  func kinds(_ report: DiagnosticReport) -> Set<ReportFinding.Kind> { Set(report.findings.map(\.kind)) }

  // MARK: Ends of a session

  @Test(
    arguments: [
      (AuthenticationError.sessionRejected.with(\.providerCode, "invalid_grant"), "rejected", "invalid_grant"),
      (.sessionRejected.with(\.providerCode, "refresh_token_already_used"), "token_reused", "already_used"),
      (.userDisabled, "rejected", "user_disabled"),
    ] as [(AuthenticationError, String, String)])
  func `a provider's refusal is told after a relaunch, with its code`(
    refusal: AuthenticationError, cause: String, code: String
  ) async throws {
    let root = try await signedIn()
    provider.answerRefresh(.failure(refusal))
    _ = try? await root.manager.validSession()
    let report = try await reportAfterRelaunch(root)
    #expect(report.cause == cause)
    #expect(report.sentence.contains(code) && report.sentence.hasPrefix("The last session ended at 20"))
  }

  @Test func `a response that was lost is told from a plain refusal`() async throws {
    let root = try await signedIn()
    provider.answerRefresh(.failure(.connectionLost), .failure(.connectionLost), .failure(.sessionRejected))
    for _ in 1...2 { _ = try? await root.manager.validSession(byHand: true) }
    let report = try await reportAfterRelaunch(root)
    #expect(report.cause == "ambiguous_loss")
    #expect(kinds(report).isSuperset(of: [.responseLost, .refreshFailed]))
  }

  @Test func `a sign-out is told, and late tokens with it`() async throws {
    let root = try await signedIn()
    provider.answerRefresh(.success(.sample(2, receivedAt: clock.now)))
    provider.hold(.refresh)
    let call = Task { try await root.manager.validSession() }
    await provider.waitForArrival(of: .refresh)
    try await root.manager.signOut()
    provider.release(.refresh)
    _ = try? await call.value
    while await !root.manager.deliverRevocations().isEmpty {}
    let report = try await reportAfterRelaunch(root)
    #expect(report.cause == "requested")
    while await !kinds(root.diagnostics.report()).contains(.lateTokens) { await Task.yield() }
  }

  @Test func `a reason of the app's own is the cause`() async throws {
    let root = try await signedIn()
    try await root.manager.endSession(because: SignOutReason("acme_locked")) { _ in true }
    #expect(try await reportAfterRelaunch(root).cause == "acme_locked")
  }

  @Test func `consent that was taken back, and an account that was deleted, are told`() async throws {
    let root = try await signedIn()
    try await root.manager.endSession(because: .credentialRevoked) { _ in true }
    #expect(try await reportAfterRelaunch(root).cause == "credential_revoked")
    try await signIn(root, 2)
    try await root.manager.erase(.ada, because: .accountDeleted)
    #expect(try await reportAfterRelaunch(root).cause == "account_deleted")
  }

  @Test func `another user's sign-in ends the session of the first`() async throws {
    let root = try await signedIn()
    try await signIn(root, 2, as: .grace)
    #expect(try await reportAfterRelaunch(root).cause == "another_user")
  }

  @Test func `a new sign-in of the same user ends nothing`() async throws {
    let root = try await signedIn()
    try await signIn(root, 2)
    #expect(try await reportAfterRelaunch(root).cause == nil)
  }

  @Test func `a store that was erased is told by the next launch`() async throws {
    let root = try await signedIn()
    await root.diagnostics.keep()
    let session = try FileManager.default.contentsOfDirectory(atPath: home.url.path).filter {
      !$0.hasPrefix(".") && !$0.hasPrefix("events")
    }
    #expect(session.count == 1)
    for name in session { try FileManager.default.removeItem(at: home.url.appending(path: name)) }
    let report = try await reportAfterRelaunch(root)
    #expect(report.cause == "store_erased")
  }

  @Test func `a session that nothing can refresh is told to have expired`() async throws {
    let root = try root()
    try await signIn(root, canRefresh: false)
    clock.travel(.seconds(3_700))
    _ = try? await root.manager.validSession()
    #expect(try await reportAfterRelaunch(root).cause == "expired")
  }

  @Test func `a session that only looked expired has not ended: the clock was wrong`() async throws {
    let first = try root()
    let access = try AccessToken(
      Secret("canary-access"), receivedAt: clock.now, lifetime: .seconds(3_600), clockOffset: .zero)
    let now = clock.now
    provider.answerSignIn(.success(.session(AuthSession(user: .ada, tokens: SessionTokens(access: access)))))
    try await first.useCase.login(username: "ada", password: "canary-password")
    await first.diagnostics.keep()
    clock.travel(.seconds(7_200))
    let next = try root()
    #expect(await next.manager.restore().activeSession?.freshness == .expired)
    #expect(await next.diagnostics.report().cause == "expired")
    next.manager.noteServerDate { now }
    while next.manager.state.activeSession?.freshness != .fresh { await Task.yield() }
    let report = await next.diagnostics.report()
    #expect(report.cause == nil && kinds(report).contains(.clockWrong))
  }

  @Test func `a client that is refused twice is told, and nothing else is`() async throws {
    let root = try await signedIn()
    provider.answerRefresh(.success(.sample(2, receivedAt: clock.now)))
    _ = try await root.manager.validSession()
    let refusal = AuthenticationError.clientRejected.with(\.providerCode, "invalid_client")
    provider.answerRefresh(.failure(refusal))
    for _ in 1...2 {
      clock.travel(.seconds(3_600))
      _ = try? await root.manager.validSession(byHand: true)
    }
    let report = try await reportAfterRelaunch(root)
    #expect(report.cause == "refresh_refused")
    #expect(report.description.contains("client_rejected, invalid_client"))
  }

  // MARK: Failures that end none

  @Test func `an outage ends nothing, and is told until it is over`() async throws {
    let root = try await signedIn()
    #expect(await root.diagnostics.report().sentence == "No session has ended.")
    provider.answerRefresh(.failure(.unreachable))
    _ = try? await root.manager.validSession()
    let report = try await reportAfterRelaunch(root)
    #expect(report.cause == nil && report.sentence.contains("unreachable"))
    provider.answerRefresh(.success(.sample(2, receivedAt: clock.now)))
    _ = try await root.manager.validSession(byHand: true)
    #expect(try await reportAfterRelaunch(root).sentence == "No session has ended.")
  }

  @Test func `a store that cannot be read is told by the process that sees it`() async throws {
    let store = ScriptedSessionStore()
    store.failReads(with: .corrupt)
    let root = try root(on: StorageLocation { _ in .init(store: store) })
    await root.manager.restore()
    let report = await root.diagnostics.report()
    #expect(report.cause == nil && report.sentence.contains("storage_corrupt"))
  }

  @Test func `a folder that the app has removed is not made anew for the events`() async throws {
    let root = try await signedIn()
    await root.diagnostics.keep()
    try FileManager.default.removeItem(at: home.url)
    while root.manager.state.session != nil { await Task.yield() }
    await root.diagnostics.keep()
    #expect(!FileManager.default.fileExists(atPath: home.url.path))
    #expect(await root.diagnostics.report().cause == "store_erased")
  }

  // MARK: Processes and launches

  @Test func `a report shows the cause of a sign-out in another process`() async throws {
    let (first, second) = (try await signedIn(), try root())
    await second.manager.restore()
    try await first.manager.signOut()
    await first.diagnostics.keep()
    while second.manager.state.session != nil { await Task.yield() }
    let report = try await reportAfterRelaunch(second)
    #expect(report.cause == "requested")
    #expect(report.findings.count { $0.kind.endsSession } == 1)
  }

  @Test func `processes that write at the same time lose no line of each other`() async throws {
    let roots = try (0..<6).map { _ in try root() }
    try await signIn(roots[0])
    await withTaskGroup { group in
      for root in roots {
        group.addTask {
          await root.manager.restore()
          await root.diagnostics.keep()
        }
      }
    }
    await roots[0].diagnostics.keep()
    let report = try await reportAfterRelaunch(roots[0])
    #expect(Set(report.replay.map(\.step.run)).count == 7)
  }

  @Test func `no more than 256 events are kept, in 64 KiB, and the remaining events can be replayed`() async throws {
    let root = try await signedIn()
    for number in 2...120 {
      provider.answerRefresh(.success(.sample(number, receivedAt: clock.now)))
      _ = try await root.manager.validSession()
      clock.travel(.seconds(3_600))
    }
    await root.diagnostics.keep()
    provider.answerRefresh(.failure(.sessionRejected))
    _ = try? await root.manager.validSession()
    await root.diagnostics.keep()
    let report = await root.diagnostics.report()
    #expect(report.replay.count <= 256 && report.data.count < 66 << 10)
    #expect(report.replay.allSatisfy { $0.difference == nil })
    #expect(report.replay.count { $0.isReplayed } > 50)
    #expect(report.cause == "rejected")
  }

  @Test func `reading a valid session records nothing`() async throws {
    let root = try root()
    try await signIn(root)
    let before = await root.diagnostics.report().data
    for _ in 1...1_000 { _ = try await root.manager.validSession() }
    #expect(await root.diagnostics.report().data == before)
  }

  // MARK: Secrets and users

  @Test func `a report names no token, and no user unless that is asked for`() async throws {
    let user = User(id: "canary-id", name: "canary-name", email: "canary@example.com", claims: ["role": "canary-role"])
    let resource = ProtectedResource.resource("https://canary.example.com")
    let root = try root { $0.resources = [resource: []] }
    func tokens(_ number: Int) throws -> SessionTokens {
      SessionTokens(
        access: try AccessToken(
          Secret("canary-access-\(number)"), receivedAt: clock.now, lifetime: .seconds(600), scopes: ["canary-scope"]),
        refresh: Secret("canary-refresh-\(number)"), identity: Secret("canary-identity"),
        proofKey: Secret("canary-proof"), claims: ["role": .string("canary-role-\(number)")])
    }
    let challenge = Challenge(kind: .smsCode, destination: "canary-number", handle: Secret("canary-handle"))
    provider.answerSignIn(
      .failure(AuthenticationError(code: "canary code", "canary message")), .success(.challenge(challenge)),
      .success(.session(AuthSession(user: user, tokens: try tokens(1)))))
    for _ in 1...3 { _ = try? await root.useCase.login(username: "canary-login", password: "canary-password") }
    provider.answerResource(.success(ResourceTokens(try tokens(2))))
    _ = try await root.manager.validSession(for: resource)
    clock.travel(.seconds(3_600))
    provider.answerRefresh(
      .failure(.clientRejected.with(\.providerCode, "canary provider code")), .success(try tokens(3)))
    for _ in 1...2 { _ = try? await root.manager.validSession(byHand: true) }
    let asked = await root.diagnostics.report(namingUser: true)
    #expect(String(decoding: asked.data, as: UTF8.self).contains("canary@example.com"))
    #expect(!"\(asked)".contains("canary"))
    #expect(!String(decoding: await root.diagnostics.report().data, as: UTF8.self).contains("canary"))
    try await root.manager.signOut()
    let report = try await reportAfterRelaunch(root)
    #expect(report.replay.count > 15)
    var text = "\(report) \(String(decoding: report.data, as: UTF8.self))"
    dump(report, to: &text)
    let kept = try FileManager.default.contentsOfDirectory(atPath: home.url.path).filter { $0.hasPrefix("events") }
    #expect(kept.count == 1)
    for name in kept { text += try String(contentsOf: home.url.appending(path: name), encoding: .utf8) }
    #expect(!text.contains("canary"))
  }

  // MARK: Bad input

  @Test func `data that is no report, or not all of one, is refused, and changes nothing`() async throws {
    let root = try await signedIn()
    _ = try? await root.manager.validSession()
    let report = await root.diagnostics.report()
    let lines = report.data.split(separator: UInt8(ascii: "\n"))
    let broken: [Data] = [
      Data(), Data("canary".utf8), Data(repeating: 0xFF, count: 4_096), Data("{}\n".utf8), report.data.dropLast(),
      report.data.dropLast(20), Data(report.data.dropFirst(1)), lines[0] + [10],
      Data(lines.dropLast().joined(separator: [10])) + [10], report.data + lines[1] + [10],
      Data(String(decoding: report.data, as: UTF8.self).replacing("signInStarted", with: "other").utf8),
      Data(String(decoding: report.data, as: UTF8.self).replacing(#""resends":1"#, with: #""resends":-9"#).utf8),
      Data(String(decoding: report.data, as: UTF8.self).replacing(#""lifetime":3600"#, with: #""lifetime":-1"#).utf8),
      report.data + Data(repeating: 10, count: DiagnosticReport.largest),
    ]
    for data in broken {
      let error = #expect(throws: AuthenticationError.self) { try DiagnosticReport(data) }
      #expect(error?.code == "invalid_report" && error.map { "\($0)" }?.contains("canary") == false)
    }
    #expect(await root.diagnostics.report().data == report.data)
    #expect(root.manager.state.user == .ada)
  }

  @Test func `a report that was changed is replayed as written, and the difference is shown`() async throws {
    let root = try await signedIn()
    try await root.manager.signOut()
    let text = String(decoding: await root.diagnostics.report().data, as: UTF8.self)
    let changed = try DiagnosticReport(Data(text.replacing("signed_out requested", with: "signed_out rejected").utf8))
    #expect(changed.replay.contains { $0.difference == "the state is signed_out requested" })
    #expect(changed.cause == "requested")
    let absurd = text.replacing(#""generation":1,"#, with: #""generation":9223372036854775807,"#)
    #expect((try? DiagnosticReport(Data(absurd.utf8)))?.replay.contains { $0.difference != nil } != false)
  }
}
