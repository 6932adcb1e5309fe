import AuthenticationKit
import AuthenticationTesting
import Synchronization
import Testing

/// One test, since `Auth` is the one global of the library.
@Suite(.serialized) struct AuthTests {
  // origin B6
  @Test func `an app that forgot to configure is told so, and one that did has its manager and its session`()
    async throws
  {
    Auth.configure(with: nil)
    #expect(throws: AuthenticationError(.notConfigured, "")) { try Auth.manager }
    #expect(throws: AuthenticationError(.notConfigured, "")) { try Auth.session }

    let signedIn = SignedIn()
    try Auth.configure(for: .mock(.success(.ada))) {
      $0.storage = .inMemory
      $0.onSignIn = { user in signedIn.users.withLock { $0.append(user) } }
    }
    #expect(try Auth.session == nil)
    try await Auth.root.useCase.signIn(with: .password(userName: "ada", password: Secret("correct horse")))
    #expect(try Auth.session?.user == .ada)
    #expect(signedIn.users.withLock { $0 } == [.ada], "the manager of Auth signs in through the root")

    #expect(throws: AuthenticationError(.invalidConfiguration, "")) {
      try Auth.configure(for: .api(baseURL: "not a URL")) { $0.storage = .inMemory }
    }
    #expect(try Auth.session?.user == .ada, "a refused configuration leaves the old one")
    Auth.configure(with: nil)
    #expect(throws: AuthenticationError(.notConfigured, "")) { try Auth.root }
  }
}

private final class SignedIn: Sendable {
  let users = Mutex<[User]>([])
}
