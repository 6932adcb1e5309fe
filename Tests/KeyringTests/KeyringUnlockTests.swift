import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationKit

extension KeyringTests {
  /// A desktop whose keyring is opened after the app has started.
  @Suite struct UnlockTests {
    let home = TemporaryFolder()

    @Test func `the session shows once the keyring is opened, without a tap`() async throws {
      let location = StorageLocation.secretService("app", locksIn: home.url)
      let provider = ScriptedAuthProvider()
      provider.answerSignIn(.success(.session(.sample(1, receivedAt: Date()))))
      let make = { try MainRoot(.custom(provider)) { $0.storage = location } }
      try await make().useCase.login(username: "ada", password: "correct horse")
      try Keyring.lock()
      let root = try make()
      #expect(await root.manager.restore() == .unavailable(.storageUnavailable))
      let states = root.manager.states()
      try Keyring.unlock()
      #expect(await states.first { $0.user == .ada } != nil)
      try await root.manager.clear()
    }
  }
}
