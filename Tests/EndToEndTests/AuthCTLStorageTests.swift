import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// A store that can be read but not written, as on a full disk.
@Suite(.serialized) struct AuthCTLStorageTests {
  let authctl: AuthCTL
  let server = LoopbackIdentityServer()
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    url = try await server.start()
  }

  @Test func `a session that cannot be stored is not refreshed, and lives on`() async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    try authctl.refuseWrites()
    let token = try await authctl.run("token", "--json")
    #expect(token.status == 6)
    #expect(try token.events().map { $0["code"] } == ["storage_unavailable"])
    #expect(server.counters.requests(on: .refresh) == 0)
    try authctl.permitWrites()
    #expect(try await authctl.run("token").status == 0)
    #expect(server.counters.requests(on: .refresh) == 1)
  }

  @Test func `no user is signed in where the session could not be stored`() async throws {
    _ = try await authctl.login(url)
    server.resetCounters()
    try authctl.refuseWrites()
    let login = try await authctl.login(url, as: "grace", password: "battery staple")
    #expect(login.status == 6)
    #expect(try login.events().map { $0["code"] } == ["storage_unavailable"])
    #expect(server.counters.requests(on: .signIn) == 0)
    #expect(try await authctl.run("status").out.contains("Ada Lovelace"))
  }

  @Test func `a sign-in with which something else cannot be stored is taken back`() async throws {
    let folder = authctl.home.url.appending(path: "profiles/default")
    try FileStorage(folder: folder).write(Data(), for: "client-secret.default.api \(url.absoluteString)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let secret = try #require(names.first { $0.hasPrefix("client-secret") })
    try FileManager.default.removeItem(at: folder.appending(path: secret))
    try FileManager.default.createDirectory(
      at: folder.appending(path: "\(secret)/in the way"), withIntermediateDirectories: true)
    let login = try await authctl.login(url)
    #expect(login.status == 6)
    #expect(server.counters.requests(on: .signIn) == 1)
    #expect(server.counters.liveFamilies == 0)
    #expect(try authctl.store(url).read()?.holdsNothing != false)
  }

  // failure row 42
  @Test func `a password is kept in no file`() async throws {
    let password = "correct horse"
    _ = try await authctl.login(url, password: password)
    try authctl.ageStoredSession(url)
    #expect(try await authctl.run("token").status == 0)
    #expect(try filesHolding(authctl.store(url).read()?.session?.tokens.refresh?.reveal() ?? "").count == 1)
    #expect(try filesHolding(password) == [])
    _ = try await authctl.run("logout")
    #expect(try filesHolding(password) == [])
  }

  private func filesHolding(_ text: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: authctl.home.url.path).filter { path in
      let content = try? Data(contentsOf: authctl.home.url.appending(path: path))
      return content?.range(of: Data(text.utf8)) != nil
    }
  }

  @Test func `settings that did not change are not written again`() async throws {
    _ = try await authctl.login(url)
    let settings = authctl.home.url.appending(path: "profiles/default/profile").path
    let before = try FileManager.default.attributesOfItem(atPath: settings)[.systemFileNumber] as? Int
    #expect(try await authctl.login(url).status == 0)
    #expect(try FileManager.default.attributesOfItem(atPath: settings)[.systemFileNumber] as? Int == before)
  }

  @Test func `a logout that cannot be stored still reaches the provider, and then nothing is left`() async throws {
    _ = try await authctl.login(url)
    try authctl.refuseWrites()
    #expect(try await authctl.run("logout").status == 0)
    #expect(server.counters.liveFamilies == 0)
    try authctl.permitWrites()
    #expect(try authctl.store(url).read()?.holdsNothing != false)
  }

  @Test func `a logout of which the provider cannot be told, now or later, is exit 6`() async throws {
    _ = try await authctl.login(url)
    try authctl.refuseWrites()
    await server.stop()
    #expect(try await authctl.run("logout").status == 6)
    #expect(try await authctl.run("status").status == 3)
  }

  @Test(arguments: [0o755, 0o770]) func `a folder that others may enter is exit 6, and nothing of it is used`(
    mode: Int
  ) async throws {
    _ = try await authctl.login(url)
    try authctl.setProfileFolder(mode: mode)
    for command in [["token"], ["status"], ["logout"]] {
      #expect(try await authctl.run(command).status == 6)
    }
    try authctl.setProfileFolder(mode: 0o700)
    #expect(try await authctl.run("token").status == 0)
  }

  @Test func `settings that cannot be read are a state of their own`() async throws {
    _ = try await authctl.login(url)
    try Data("{".utf8).write(to: authctl.home.url.appending(path: "profiles/default/profile"))
    try await expectUnavailable(["status", "--json"], reason: "storage_corrupt", provider: "none", storage: "file")
  }

  @Test func `settings that cannot be had now are not replaced, and no sign-in is lost`() async throws {
    let settings = authctl.home.url.appending(path: "profiles/default/profile")
    try FileManager.default.createDirectory(
      at: settings, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try authctl.setProfileFolder(mode: 0o700)
    #expect(try await authctl.login(url).status == 6)
    #expect(server.counters.requests(on: .signIn) == 0)
  }

  @Test func `settings too large to be read stop no login, and get another name`() async throws {
    _ = try await authctl.login(url)
    let folder = authctl.home.url.appending(path: "profiles/default")
    let foreign = Data(repeating: UInt8(ascii: "x"), count: 5 << 20)
    try foreign.write(to: folder.appending(path: "profile"))
    #expect(try await authctl.login(url).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".foreign-") }
    #expect(try names.map { try Data(contentsOf: folder.appending(path: $0)) } == [foreign])
  }

  @Test func `a login replaces settings that cannot be read, and keeps a copy of them`() async throws {
    _ = try await authctl.login(url)
    let folder = authctl.home.url.appending(path: "profiles/default")
    try Data("{".utf8).write(to: folder.appending(path: "profile"))
    #expect(try await authctl.login(url).status == 0)
    #expect(try await authctl.run("status").status == 0)
    #expect(try Data(contentsOf: folder.appending(path: "profile.quarantine")).last == UInt8(ascii: "{"))
  }

  @Test func `a storage that is not there is a state of its own`() async throws {
    _ = try await authctl.login(url)
    try await expectUnavailable(
      ["status", "--json", "--storage", "secret-service"], reason: "storage_unavailable", provider: "api",
      storage: "secret-service")
  }

  private func expectUnavailable(
    _ arguments: [String], reason: String, provider: String, storage: String
  ) async throws {
    let status = try await authctl.run(arguments)
    #expect(status.status == 6)
    #expect(
      status.out == """
        {"provider":"\(provider)","reason":"\(reason)","scopes":[],"state":"unavailable","storage":"\(storage)"}

        """)
    #expect(status.err.split(separator: "\n").count == 1)
  }
}
