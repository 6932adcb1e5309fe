import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// Steps that wait for a code, in real files: whose they are.
@Suite struct PendingStepFilesTests {
  let folder = TemporaryFolder()
  let server: LoopbackIdentityServer
  let url: URL

  init() async throws {
    var options = LoopbackIdentityServer.Options()
    options.users = [.init(username: "ada", password: "correct horse", hasSecondFactor: true)]
    server = LoopbackIdentityServer(options: options)
    url = try await server.start()
  }

  /// The app as it is after each launch.
  private func launched(_ realm: String = "one", key: String = "session") throws -> MainRoot {
    try MainRoot(.api(baseURL: url, realm: realm)) { $0.storage = .files(in: folder.url, key: key) }
  }

  /// Signs in up to the code.
  private func leaveStep(in realm: String = "one") async throws {
    let attempt = try launched(realm).attempts.begin(.password)
    attempt.submit(SignInInput([.userName: "ada", .password: "correct horse"]))
    try #require(await attempt.finished().challenge != nil)
  }

  private func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil).filter {
      try Data(contentsOf: $0).starts(with: Data("AuthenticationKit sign-in".utf8))
    }
  }

  @Test func `a step is gone on with by its own app, and signs in once`() async throws {
    try await leaveStep()
    let roots = [try launched(), try launched()]
    var attempts: [SignInAttempt] = []
    for root in roots { attempts.append(try #require(await root.attempts.resume())) }
    #expect(server.counters.requests(on: .challenge) == 0)
    let code = Secret(try #require(server.code(ofUser: "ada")))
    attempts[0].answer(code: code)
    #expect(await attempts[0].finished() == .ended(.signedIn(try #require(roots[0].currentUser))))
    attempts[1].answer(code: code)
    #expect(await attempts[1].finished() == .failed(.signInExpired))
    #expect(server.counters.liveFamilies == 1)
    #expect(await roots[1].manager.restore().user?.id == roots[0].currentUser?.id)
    #expect(try files().isEmpty)
  }

  @Test func `a step of another account or realm is not gone on with, wherever its file lies`() async throws {
    try await leaveStep()
    #expect(try await launched(key: "other").attempts.resume() == nil)
    #expect(try await launched("two").attempts.resume() == nil)
    try await leaveStep(in: "two")
    let files = try files()
    let contents = try files.map { try Data(contentsOf: $0) }
    try #require(files.count == 2)
    for (file, other) in zip(files, contents.reversed()) { try other.write(to: file) }
    for realm in ["one", "two"] { #expect(try await launched(realm).attempts.resume() == nil) }
    #expect(server.counters.requests(on: .challenge) == 0)
  }

  @Test func `a step that a later version has left is not gone on with, and stays for that version`() async throws {
    try await leaveStep()
    let file = try #require(try files().first)
    var data = try Data(contentsOf: file)
    let version = try #require(data.firstRange(of: Data("sign-in 1".utf8)))
    data.replaceSubrange(version, with: Data("sign-in 2".utf8))
    try data.write(to: file)
    #expect(try await launched().attempts.resume() == nil)
    #expect(try Data(contentsOf: file) == data)
  }
}
