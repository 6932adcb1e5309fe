import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Testing
import VendorServers

/// The result of a vendor's sign-in on this device is presented.
@Suite(.timeLimit(.minutes(10))) struct LoopbackIdentityTests {
  let google = NativeCredentials(
    method: .google, identityToken: Secret(VendorToken.make(["sub": "google-1", "email": "grace@gmail.example"])))

  @Test func `a token of Google signs in, and again the same user`() async throws {
    let bench = try await LoopbackBench()
    let user = try await bench.root.useCase.signIn(with: google)
    #expect(user.isNew && user.email == "grace@gmail.example")
    let again = try await bench.rootElsewhere().manager.signIn(with: google)
    #expect(again.id == user.id && !again.isNew)
  }

  @Test func `Apple's token goes with the raw nonce, whose hash it holds, and with the name`() async throws {
    let bench = try await LoopbackBench()
    // SHA-256 of "nonce".
    let hash = "78377b525757b494427f89014f97d79928f3938d14eb51e20fb5dec9834eb304"
    let token = Secret(VendorToken.make(["sub": "apple-1", "nonce": .string(hash)]))
    let apple = NativeCredentials(
      method: .apple, identityToken: token, rawNonce: Secret("nonce"),
      name: UserName(given: "Grace", family: "Hopper"))
    #expect(try await bench.root.useCase.signIn(with: apple).name == "Grace Hopper")
    let replayed = NativeCredentials(method: .apple, identityToken: token, rawNonce: Secret("another"))
    let error = await failure { try await bench.rootElsewhere().manager.signIn(with: replayed) }
    #expect(error?.reason == .nonce)
  }

  @Test func `Facebook's access token is enough`() async throws {
    let bench = try await LoopbackBench()
    let facebook = NativeCredentials(method: .facebook, identityToken: nil, accessToken: Secret("EAAB"))
    #expect(try await bench.root.useCase.signIn(with: facebook).isNew)
  }

  @Test func `an address of another user is no way in`() async throws {
    let bench = try await LoopbackBench()
    bench.addAda()
    let token = Secret(VendorToken.make(["sub": "google-2", "email": "ada@example.com"]))
    let other = NativeCredentials(method: .google, identityToken: token)
    #expect(await failure { try await bench.root.useCase.signIn(with: other) } == .accountExists)
  }

  @Test func `a vendor's account is linked and unlinked, but not the last way in`() async throws {
    let bench = try await LoopbackBench()
    let user = try await bench.signedIn()
    #expect(try await bench.root.manager.account.perform(.link(google)).isDone)
    #expect(bench.root.currentUser?.id == user.id)
    let methods = try await bench.root.manager.account.linkedMethods()
    #expect(Set(methods.map(\.method)) == [.google, .password])
    try await bench.root.manager.account.perform(.unlink(try #require(methods.first { $0.method == .google })))
    let left = try #require(try await bench.root.manager.account.linkedMethods().first)
    #expect(left.method == .password)
    #expect(await failure { try await bench.root.manager.account.perform(.unlink(left)) } == .lastMethod)
  }

  @Test func `a vendor's account of another user is not linked`() async throws {
    let bench = try await LoopbackBench()
    try await bench.rootElsewhere().manager.signIn(with: google)
    let user = try await bench.signedIn()
    #expect(await failure { try await bench.root.manager.account.perform(.link(google)) } == .alreadyLinked)
    #expect(bench.root.currentUser == user)
  }

  @Test func `a number of another user is not linked`() async throws {
    let bench = try await LoopbackBench()
    let owner = try await bench.begin(.phoneCode, [.phoneNumber: "+491701234567"], attributes: LoopbackBench.proof)
    owner.answer(code: bench.lastCode)
    await owner.finished()
    try await bench.root.manager.signOut()
    let user = try await bench.signedIn()
    let asked = try #require(
      try await bench.root.manager.account.perform(
        AccountRequest(.link(.phone("+491701234567")), attributes: LoopbackBench.proof)
      ).challenge)
    let answer = ChallengeAnswer(to: asked, code: bench.lastCode)
    #expect(await failure { try await bench.root.manager.account.perform(.answer(answer)) } == .alreadyLinked)
    #expect(bench.root.currentUser == user)
  }
}
