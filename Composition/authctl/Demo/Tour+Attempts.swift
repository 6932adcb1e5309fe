import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTestingServers
import Foundation

/// Sign-ins of several steps.
extension Tour {
  func secondFactor() async throws {
    begin("A second factor")
    let attempt = try await challenged(try launch())
    let challenge = attempt.state.challenge
    tell("The person is asked for the code sent to \(challenge?.destination ?? "nowhere").")
    check("the password alone signs nobody in", server.counters.signIns == 0)

    let right = server.code(ofUser: "mary") ?? ""
    attempt.answer(code: Secret(right == "000000" ? "000001" : "000000"))
    await attempt.settled()
    let left = attempt.state.challenge?.attemptsLeft ?? 0
    tell("A wrong code: \(left) attempts are left.")
    check("the attempt goes on, and says 'wrong_code'", attempt.state.failure?.code == .wrongCode && left == 2)
    attempt.answer(code: Secret("12"))
    await attempt.settled()
    check("a code that is too short is not sent", server.counters.requests(on: .challenge) == 1)

    attempt.answer(code: Secret(" \(right.prefix(3))-\(right.suffix(3)) "))
    check("the right one signs in, typed with a dash", await signedIn(attempt)?.id == "mary")
  }

  func expiredCode() async throws {
    begin("A code that has expired, and is sent again")
    let root = try launch()
    let attempt = try await challenged(root)
    let old = server.code(ofUser: "mary") ?? ""
    attempt.resend()
    await attempt.settled()
    check("another code is not sent at once", server.counters.requests(on: .challenge) == 0)
    clock.travel(.seconds(301))
    tell("Five minutes pass.")
    check("the app knows that the code has expired", attempt.timeLeft().map { $0 < .zero } ?? false)
    attempt.answer(code: Secret(old))
    await attempt.settled()
    check("the right code is refused as 'code_expired'", attempt.state.failure?.code == .codeExpired)

    let handle = attempt.state.challenge?.handle
    attempt.resend()
    await attempt.settled()
    check("another code was sent", attempt.state.challenge.map { $0.handle != handle } ?? false)
    attempt.answer(code: Secret(server.code(ofUser: "mary") ?? ""))
    check("it signs in", await signedIn(attempt)?.id == "mary")
    try await root.manager.signOut()
    await root.manager.deliverRevocations()
  }

  func replacedAttempt() async throws {
    begin("A second attempt that replaces the first")
    let root = try launch()
    let before = server.counters.liveFamilies
    server.hold(.user)
    let first = try root.attempts.begin(.password)
    first.submit(SignInInput([.userName: "ada", .password: "correct horse"]))
    await server.waitForRequest(on: .user)
    tell("The server has signed ada in, and holds back who she is.")
    let second = try root.attempts.begin(.password)
    let end = await first.settled()
    check("the first attempt is over, and says that it was replaced", end == .ended(.replaced))
    server.release(.user)
    await server.waitForRequest(on: .signOut)
    check("what it had got was revoked", server.counters.liveFamilies == before)

    second.submit(SignInInput([.userName: "grace", .password: "battery staple"]))
    check("the second signs grace in", await signedIn(second)?.id == "grace")
    check("the store has grace's session", await (try launch()).manager.restore().user?.id == "grace")
    check("the first is still over", first.state == .ended(.replaced))
  }

  /// An attempt of who has a second factor, up to the code.
  private func challenged(_ root: MainRoot) async throws -> SignInAttempt {
    let attempt = try root.attempts.begin(.password)
    attempt.submit(SignInInput([.userName: "mary", .password: "proof of stake"]))
    await attempt.settled()
    return attempt
  }
}

extension Tour {
  func signedIn(_ attempt: SignInAttempt) async -> User? {
    if case .ended(.signedIn(let user)) = await attempt.settled() { user } else { nil }
  }
}

extension LoopbackIdentityServer.Account {
  /// A user with a second factor.
  static let mary = Self(
    username: "mary", password: "proof of stake", firstName: "Mary", lastName: "Shelley", hasSecondFactor: true)
}
