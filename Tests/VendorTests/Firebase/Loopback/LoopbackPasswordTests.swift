import AuthenticationAccount
import AuthenticationDomain
@testable import AuthenticationFirebase
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct LoopbackPasswordTests {
  @Test func `a password signs in, and the service names the user`() async throws {
    let bench = try await LoopbackBench()
    let id = bench.addAda()
    #expect(try await bench.ada().state.isEnded)
    let user = try #require(bench.root.currentUser)
    #expect(user.id == id && user.email == "ada@example.com" && user.isEmailVerified == true)
    #expect(try await bench.root.manager.validSession().accessToken.lifetime == .seconds(3_600))
  }

  @Test(arguments: [true, false])
  func `a wrong password and an unknown address are the same, whatever the project hides`(hides: Bool) async throws {
    let bench = try await LoopbackBench({ $0.hidesAccounts = hides })
    bench.addAda()
    for (name, password) in [("ada@example.com", "wrong one"), ("unknown@example.com", "correct horse")] {
      let attempt = try await bench.begin(.password, [.userName: name, .password: password])
      #expect(attempt.state == .failed(.invalidCredentials))
    }
  }

  @Test func `an account is created once, with a password that is long enough`() async throws {
    let bench = try await LoopbackBench()
    let attempt = try bench.root.attempts.begin(.password)
    attempt.submit(SignInInput([.userName: "grace@example.com", .password: "short"]), createsAccount: true)
    #expect(await attempt.finished() == .failed(.weakPassword))
    attempt.submit(SignInInput([.userName: "grace@example.com", .password: "long enough"]), createsAccount: true)
    #expect(await attempt.finished().isEnded)
    #expect(bench.root.currentUser?.email == "grace@example.com")
    let second = try bench.root.attempts.begin(.password)
    second.submit(SignInInput([.userName: "grace@example.com", .password: "long enough"]), createsAccount: true)
    #expect(await second.finished() == .failed(.accountExists))
  }

  @Test func `an anonymous account is upgraded, and keeps its id and its session`() async throws {
    let bench = try await LoopbackBench()
    #expect(try await bench.begin(.anonymous).state.isEnded)
    let user = try #require(bench.root.currentUser)
    #expect(user.isAnonymous && user.email == nil)
    let password = PasswordCredentials(userName: "grace@example.com", password: Secret("long enough"))
    #expect(try await bench.root.manager.account.perform(.link(password)).isDone)
    let upgraded = try #require(bench.root.currentUser)
    #expect(upgraded.id == user.id && !upgraded.isAnonymous && upgraded.email == "grace@example.com")
    // The tokens from before the upgrade are revoked.
    #expect(try await bench.refreshed().user.id == user.id)
  }

  @Test func `a method that the project has turned off is unsupported`() async throws {
    let bench = try await LoopbackBench({ $0.disabledOperations = ["signUp"] })
    #expect(try await bench.begin(.anonymous).state.failure == .unsupportedMethod)
  }

  @Test func `a key that is restricted to an app works with its bundle id`() async throws {
    let bench = try await LoopbackBench({ $0.bundleID = "org.example.app" }, { $0.bundleID = "org.example.app" })
    #expect(try await bench.signedIn().email == "ada@example.com")
    let other = try await LoopbackBench({ $0.bundleID = "org.example.app" })
    #expect(await failure { try await other.signedIn() } == .clientRejected)
  }

  @Test func `a tenant is named in every call`() async throws {
    let bench = try await LoopbackBench({ $0.tenantID = "t-1" }, { $0.tenantID = "t-1" })
    try await bench.signedIn()
    #expect(try await bench.refreshed().user.email == "ada@example.com")
    let other = try await LoopbackBench({ $0.tenantID = "t-1" })
    #expect(await failure { try await other.signedIn() } == .clientRejected)
  }

  @Test func `a custom token of the app's backend signs in`() async throws {
    let bench = try await LoopbackBench()
    let attempt = try await bench.begin(.customToken, [.token: VendorToken.make(["uid": "grace-1"])])
    #expect(attempt.state.isEnded)
    #expect(bench.root.currentUser?.id == "grace-1")
    #expect(bench.root.currentUser?.isAnonymous == false)
    #expect(try await bench.begin(.customToken, [.token: "none"]).state.failure?.reason == .idToken)
  }
}
