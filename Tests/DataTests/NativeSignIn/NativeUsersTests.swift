import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData
@testable import AuthenticationNativeSignIn

@Suite struct NativeUsersTests {
  let storage = InMemoryStorage()
  static let name = UserName(given: "Ada", family: "Lovelace")

  /// A launch of the app: nothing but the storage is left of the one before.
  func launch(
    of vendorUserID: String = "apple-ada", telling name: UserName? = nil, _ email: String? = nil,
    in storage: (any SecureStorage)? = nil
  ) -> NativeSignIn {
    NativeSignIn(
      .apple,
      by: ScriptedNativeAuthenticator { request throws(AuthenticationError) in
        .sample(request, of: vendorUserID, name: name, email: email)
      }, storage: storage ?? self.storage)
  }

  @Test func `a name that Apple told once survives a crash before the backend answered`() async throws {
    let first = try await launch(telling: Self.name, "ada@example.com").credentials(over: nil)
    #expect(first.name == Self.name)

    let second = try await launch().credentials(over: nil)
    #expect(second.name == Self.name)
    #expect(second.email == "ada@example.com")
    #expect(second.rawNonce != first.rawNonce)
  }

  @Test func `the name is stored before anything waits`() async throws {
    let life = Mortality(dyingAt: 2, .after)
    _ = try await launch(telling: Self.name, in: MortalStorage(upstream: storage, life: life)).credentials(over: nil)
    #expect(life.isOver, "one read and one write")
    #expect(try await launch().credentials(over: nil).name == Self.name)
  }

  @Test func `the name is deleted once the provider has accepted it`() async throws {
    let signIn = launch(telling: Self.name, "ada@example.com")
    signIn.accepted(try await signIn.credentials(over: nil), as: .ada)
    let stored = try #require(try storage.read("native apple"))
    let text = String(decoding: stored, as: UTF8.self)
    for word in ["Lovelace", "ada@example.com"] { #expect(!text.contains(word)) }
    let next = try await launch().credentials(over: nil)
    #expect(next.name == nil)
    #expect(next.email == nil)
  }

  @Test func `the value in a storage that cannot be read is not overwritten`() async throws {
    let storage = RecordingStorage()
    _ = try await launch(telling: Self.name, in: storage).credentials(over: nil)
    let before = storage.values
    storage.failReads()
    let credentials = try await launch(of: "apple-grace", in: storage).credentials(over: nil)
    #expect(credentials.vendorUserID == "apple-grace", "the sign-in goes on")
    #expect(storage.values == before)
  }

  @Test func `a name is never presented for another user`() async throws {
    _ = try await launch(telling: Self.name).credentials(over: nil)
    #expect(try await launch(of: "apple-grace").credentials(over: nil).name == nil)
    #expect(try await launch().credentials(over: nil).name == Self.name, "and asking another one loses none")
  }

  @Test func `credentials accepted after a second step are the latest user's`() async throws {
    _ = try await launch(telling: Self.name).credentials(over: nil)
    let grace = UserName(given: "Grace", family: nil)
    _ = try await launch(of: "apple-grace", telling: grace).credentials(over: nil)
    let answer = ChallengeAnswer(to: Challenge(kind: .smsCode, handle: Secret("h")), code: Secret("123456"))
    launch().accepted(answer, as: .grace)
    #expect(try await launch(of: "apple-grace").credentials(over: nil).name == nil)
    #expect(try await launch().credentials(over: nil).name == Self.name)
  }

  @Test func `a storage that is locked delays no sign-in, and loses nothing that it holds`() async throws {
    _ = try await launch(telling: Self.name).credentials(over: nil)
    let locked = MortalStorage(upstream: storage, life: Mortality(dyingAt: 0, .before))
    let credentials = try await launch(telling: UserName(given: "A", family: nil), in: locked)
      .credentials(over: nil)
    #expect(credentials.name?.given == "A")
    #expect(try await launch().credentials(over: nil).name == Self.name)
  }

  @Test func `a damaged value counts as absent`() async throws {
    _ = try await launch(telling: Self.name).credentials(over: nil)
    var stored = try #require(try storage.read("native apple"))
    stored[stored.startIndex + 40] ^= 1
    try storage.write(stored, for: "native apple")
    #expect(try await launch().credentials(over: nil).name == nil)
  }

  @Test func `only the latest users are kept`() async throws {
    for number in 1...17 {
      _ = try await launch(of: "apple-\(number)", telling: UserName(given: "\(number)", family: nil))
        .credentials(over: nil)
    }
    #expect(try await launch(of: "apple-2").credentials(over: nil).name?.given == "2")
    #expect(try await launch(of: "apple-1").credentials(over: nil).name == nil)
  }

  @Test func `a vendor is asked about the account that it led to, until that is forgotten`() async throws {
    let source = StatesByUser(["apple-ada": .revoked])
    let check = source.check(storage: storage)
    #expect(await check.state(of: .ada) == nil, "no user signed in by Apple here")
    let signIn = launch()
    signIn.accepted(try await signIn.credentials(over: nil), as: .ada)
    #expect(await check.state(of: .ada) == .revoked)
    #expect(await check.state(of: .grace) == nil)
    signIn.forget(.ada)
    #expect(await check.state(of: .ada) == nil)
    #expect(try storage.read("native apple") == nil)
  }

  @Test func `a vendor that cannot be asked says nothing`() async throws {
    let signIn = launch()
    signIn.accepted(try await signIn.credentials(over: nil), as: .ada)
    #expect(await StatesByUser([:]).check(storage: storage).state(of: .ada) == nil)
  }
}

/// Knows these users; about others it cannot be asked.
private struct StatesByUser: NativeCredentialSource {
  let states: [String: NativeCredentialState]
  init(_ states: [String: NativeCredentialState]) { self.states = states }

  func state(of vendorUserID: String) async throws(AuthenticationError) -> NativeCredentialState {
    guard let state = states[vendorUserID] else { throw .unreachable }
    return state
  }
}
