import AuthenticationAccount
import AuthenticationKit
import AuthenticationPasskeys
import AuthenticationTestingServers
import Foundation
import Testing

/// A device's list of passkeys that change elsewhere.
@Suite(.timeLimit(.minutes(10))) struct DevicePasskeysTests {
  private func code(_ work: () async throws -> some Sendable) async -> AuthenticationError? {
    do { _ = try await work() } catch { return error as? AuthenticationError }
    return nil
  }

  @Test func `a passkey that was removed elsewhere disappears once its user has signed in`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("ada")
    try await device.passkeys.create()
    let id = try #require(device.authenticator.credentialIDs.first)
    #expect(bench.server.passkeys(ofUser: "ada") == [id])
    bench.server.removePasskey(id, ofUser: "ada")
    #expect(try await device.passkeys.synchronize())
    #expect(device.authenticator.credentialIDs.isEmpty)
  }

  @Test func `the passkeys of another user of the device stay`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("grace")
    try await device.passkeys.create()
    let other = device.authenticator.credentialIDs
    try await device.signIn("ada")
    try await device.passkeys.synchronize()
    #expect(device.authenticator.credentialIDs == other && other.count == 1)
  }

  @Test func `a passkey that the server does not know is reported, with no user signed in`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("ada")
    try await device.passkeys.create()
    try await device.root.manager.signOut()
    let id = try #require(device.authenticator.credentialIDs.first)
    bench.server.removePasskey(id, ofUser: "ada")
    #expect(try await device.signInWithPasskey().state.failure == .invalidCredentials)
    #expect(device.authenticator.signals == [.unknown(credentialID: id)])
    #expect(device.authenticator.credentialIDs.isEmpty)
  }

  @Test(arguments: [
    LoopbackIdentityServer.Fault.status(401), .status(400), .html, .dropAfterProcessing, .truncatedJSON,
  ])
  func `a sign-in that fails for another reason keeps the passkey`(fault: LoopbackIdentityServer.Fault) async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("ada")
    try await device.passkeys.create()
    try await device.root.manager.signOut()
    bench.server.set(fault, on: .challenge)
    #expect(try await device.signInWithPasskey().state.failure != nil)
    #expect(device.authenticator.signals.isEmpty && device.authenticator.credentialIDs.count == 1)
    bench.server.set(nil, on: .challenge)
    #expect(try await device.signInWithPasskey().state.isEnded)
  }

  @Test(arguments: [
    LoopbackIdentityServer.Fault.status(400), .status(404), .status(503), .html, .empty, .truncatedJSON, .firstPage,
    .dropAfterProcessing,
  ])
  func `a list that fails, or is not whole, tells the device nothing`(
    fault: LoopbackIdentityServer.Fault
  ) async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("ada")
    try await device.passkeys.create()
    bench.server.set(fault, on: .acceptedPasskeys)
    #expect(await code { try await device.passkeys.synchronize() } != nil)
    #expect(device.authenticator.signals.isEmpty && device.authenticator.credentialIDs.count == 1)
  }

  @Test func `nothing is told of a user who has signed out meanwhile`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("ada")
    bench.server.hold(.acceptedPasskeys)
    async let told = device.passkeys.synchronize()
    await bench.server.waitForRequest(on: .acceptedPasskeys)
    try await device.root.manager.signOut()
    bench.server.release(.acceptedPasskeys)
    #expect(try await told == false)
    #expect(device.authenticator.signals.isEmpty)
    #expect(await code { try await device.passkeys.synchronize() } == .notSignedIn)
  }

  @Test func `a passkey that is removed here disappears at once, and the last one with it`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("ada")
    try await device.passkeys.create()
    let passkey = try #require(try await device.passkeys.account.factors().first)
    try await device.passkeys.account.perform(.remove(passkey))
    #expect(device.authenticator.credentialIDs.isEmpty)
    guard case .accepted(let ids, _) = device.authenticator.signals.first else {
      Issue.record("\(device.authenticator.signals)")
      return
    }
    #expect(ids.isEmpty)
  }

  @Test func `the device shows the name that the user has now`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("ada")
    try await device.passkeys.create()
    #expect(device.authenticator.accountNames == ["ada (Ada Lovelace)"])
    try await device.passkeys.account.update(ProfileChanges(name: "Augusta King"))
    #expect(device.authenticator.accountNames == ["ada (Augusta King)"])
  }

  @Test func `the device is told at each sign-in while it is followed`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    let following = device.passkeys.follow()
    for count in 1...2 {
      try await device.signIn("ada")
      await bench.server.waitForRequest(on: .acceptedPasskeys, count: 2 * count - 1)
      // In its turn: earlier calls have ended then.
      bench.server.set(.status(400), on: .acceptedPasskeys)
      _ = try? await device.passkeys.synchronize()
      bench.server.set(nil, on: .acceptedPasskeys)
      #expect(device.authenticator.signals.count == 2 * count)
      try await device.root.manager.signOut()
    }
    following.cancel()
    await following.value
  }

  @Test func `a list that was asked for before a passkey was created does not remove it`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("ada")
    bench.server.hold(.acceptedPasskeys)
    async let told = device.passkeys.synchronize()
    await bench.server.waitForRequest(on: .acceptedPasskeys)
    async let created: Void = device.passkeys.create()
    for _ in 0..<20 { _ = try await device.root.manager.account.sessions() }
    bench.server.release(.acceptedPasskeys)
    _ = try await (told, created)
    #expect(Set(device.authenticator.credentialIDs) == bench.server.passkeys(ofUser: "ada"))
    #expect(device.authenticator.credentialIDs.count == 1)
  }

  @Test func `a passkey that the server refuses is not kept`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    let elsewhere = SoftwareAuthenticator(origin: "http://localhost:1")
    let passkeys = DevicePasskeys(of: device.root.manager, relyingPartyID: "localhost", authenticator: elsewhere)
    try await device.signIn("ada")
    #expect(await code { try await passkeys.create() } == .invalidCredentials)
    #expect(elsewhere.credentialIDs.isEmpty && elsewhere.signals.count == 1)
  }

  @Test func `a passkey whose registration was not answered is kept, since the server may have it`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    try await device.signIn("ada")
    bench.server.set(.dropAfterProcessing, on: .accountChallenge)
    #expect(await code { try await device.passkeys.create() } == .connectionLost)
    #expect(Set(device.authenticator.credentialIDs) == bench.server.passkeys(ofUser: "ada"))
    #expect(device.authenticator.signals.isEmpty)
    bench.server.set(nil, on: .accountChallenge)
    #expect(await code { try await device.passkeys.create() } == .passkeyExists)
  }

  // MARK: After a password sign-in

  @Test func `after a password sign-in the device creates a passkey, with which the user signs in`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    let attempt = try await device.signIn("ada")
    #expect(await device.passkeys.upgrade(after: attempt) == .created)
    #expect(Set(device.authenticator.credentialIDs) == bench.server.passkeys(ofUser: "ada"))
    #expect(await device.passkeys.upgrade(after: attempt) == .failed(.passkeyExists))
    try await device.root.manager.signOut()
    try await device.signInWithPasskey()
    #expect(device.root.manager.state.user?.id == "ada")
  }

  @Test func `a passkey is created after all steps of the sign-in, not between them`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    let attempt = try await device.signIn("mary")
    #expect(attempt.state.challenge?.kind == .smsCode)
    #expect(await device.passkeys.upgrade(after: attempt) == .inapplicable)
    attempt.answer(code: Secret(try #require(bench.server.code(ofUser: "mary"))))
    await attempt.finished()
    #expect(await device.passkeys.upgrade(after: attempt) == .created)
  }

  @Test func `nothing is created after another sign-in than that with a password`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    let first = try await device.signIn("ada")
    try await device.passkeys.create()
    try await device.root.manager.signOut()
    #expect(await device.passkeys.upgrade(after: first) == .inapplicable)
    let attempt = try await device.signInWithPasskey()
    #expect(await device.passkeys.upgrade(after: attempt) == .inapplicable)
    let cancelled = try device.root.attempts.begin(.password)
    cancelled.cancel()
    #expect(await device.passkeys.upgrade(after: cancelled) == .inapplicable)
    try await device.signIn("grace")
    #expect(await device.passkeys.upgrade(after: first) == .inapplicable)
    #expect(bench.server.passkeys(ofUser: "grace").isEmpty)
  }

  @Test func `where the provider does not accept it, nothing is asked`() async throws {
    let bench = try await PasskeyBench(accepts: false)
    let device = try bench.device()
    let attempt = try await device.signIn("ada")
    #expect(await device.passkeys.upgrade(after: attempt) == .unsupported)
    #expect(bench.server.counters.requests(on: .factors) == 0)
    #expect(device.authenticator.credentialIDs.isEmpty)
  }

  @Test func `a server that refuses a user who was not present leaves no passkey, and the session`() async throws {
    let bench = try await PasskeyBench(accepts: false, declares: true)
    let device = try bench.device()
    let attempt = try await device.signIn("ada")
    #expect(await device.passkeys.upgrade(after: attempt) == .failed(.invalidCredentials))
    #expect(device.authenticator.credentialIDs.isEmpty && device.authenticator.signals.count == 1)
    #expect(device.root.manager.state.user?.id == "ada")
    try await device.passkeys.create()
    #expect(Set(device.authenticator.credentialIDs) == bench.server.passkeys(ofUser: "ada"))
  }

  @Test func `a device that declines changes nothing`() async throws {
    let bench = try await PasskeyBench()
    let device = try bench.device()
    let attempt = try await device.signIn("ada")
    device.authenticator.user = .declines
    #expect(await device.passkeys.upgrade(after: attempt) == .failed(.cancelled))
    #expect(device.root.manager.state.user?.id == "ada" && device.authenticator.signals.isEmpty)
    #expect(bench.server.counters.requests(on: .accountChallenge) == 0)
  }
}
