import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Synchronization
import Testing

/// Data that `authctl` must not believe, show or leave behind, at an issuer on this machine.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AuthCTLTrustTests {
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer

  init() async throws {
    authctl = try AuthCTL()
    issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
  }

  private func files(holding text: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: authctl.home.url.path).filter { path in
      let content = try? Data(contentsOf: authctl.home.url.appending(path: path))
      return content?.range(of: Data(text.utf8)) != nil
    }
  }

  private func ageStoredSession() throws {
    let store = authctl.store(issuer)
    var record = try #require(try store.read())
    let session = try #require(record.session)
    let token = session.accessToken
    let old = try AccessToken(
      token.value, receivedAt: token.receivedAt.addingTimeInterval(-7_200), lifetime: token.lifetime)
    record.session = session.refreshed(with: SessionTokens(access: old))
    try store.save(record)
  }

  // MARK: - Believed

  @Test func `a redirect with another state ends nothing, and the true one signs in`() async throws {
    let statuses = Mutex<[Int]>([])
    let login = try await authctl.login(issuer) { redirect in
      for forged in ["state=forged", "nothing=here"] {
        let url = URL(string: redirect.absoluteString.replacing(/state=[^&]*/, with: forged))!
        let answer = try await SystemHTTPClient().send(HTTPRequest(.get, url))
        statuses.withLock { $0.append(answer.status) }
      }
      return redirect
    }
    #expect(statuses.withLock { $0 } == [400, 400])
    #expect(login.status == 0, "\(login.err)")
  }

  // RFC 9207 §2.4
  @Test func `an error of an issuer that announced its name and left it out is exit 7`() async throws {
    issuer.user = .declines
    issuer.quirks.redirectParameters = ["iss": .absent]
    let login = try await authctl.login(issuer)
    #expect(login.status == 7)
    #expect(try login.events().last?["code"] == "security")
  }

  @Test(arguments: [["sub": "other"], ["iss": "https://evil.example"], ["aud": ["other"]]] as [[String: JSON]])
  func `a refreshed ID token that names another user is exit 7, though its signature is wrong`(
    claims: [String: JSON]
  ) async throws {
    _ = try await authctl.login(issuer)
    try ageStoredSession()
    issuer.quirks.refreshedIDTokenClaims = claims
    issuer.quirks.signature = .altered
    let token = try await authctl.run("token")
    #expect(token.status == 7)
    #expect(token.out.isEmpty)
    #expect(try authctl.store(issuer).read()?.session != nil)
  }

  @Test func `one that is faulty otherwise is dropped, and stderr says so`() async throws {
    _ = try await authctl.login(issuer)
    try ageStoredSession()
    issuer.quirks.signature = .altered
    let token = try await authctl.run("token")
    #expect(token.status == 0)
    #expect(!token.out.isEmpty)
    #expect(token.err.hasPrefix("authctl: The ID token of the refresh was dropped, and the new tokens are used."))
    #expect(token.err.split(separator: "\n").count == 1, "\(token.err)")
  }

  // MARK: - Shown

  @Test func `the browser is opened without the address on a command line`() async throws {
    let tools = TemporaryFolder()
    let browser = tools.url.appending(path: "xdg-open")
    let seen = tools.url.appending(path: "seen").path
    try Data("#!/bin/sh\nprintf '%s\\n' \"$@\" >'\(seen).new' && mv '\(seen).new' '\(seen)'\n".utf8).write(to: browser)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser.path)
    let process = authctl.process(["login", "--issuer", issuer.identifier, "--client-id", "app", "--json"])
    process.environment?["PATH"] = "\(tools.url.path):/usr/bin:/bin"
    let command = try RunningCommand(process)
    var page: URL?
    for await line in command.lines {
      guard let url = AuthCTL.value("url", in: line).flatMap(URL.init(string:)) else { continue }
      while !FileManager.default.fileExists(atPath: seen) { await Task.yield() }
      let argument = try String(contentsOfFile: seen, encoding: .utf8).trimmingCharacters(in: .newlines)
      page = URL(string: argument)
      let file = try #require(page)
      #expect(file.isFileURL && !argument.contains("state="))
      let html = try String(contentsOf: file, encoding: .utf8)
      #expect(html.contains(url.absoluteString.replacingOccurrences(of: "&", with: "&amp;")))
      let redirect = try #require(try await issuer.visit(url))
      _ = try await SystemHTTPClient().send(HTTPRequest(.get, redirect))
    }
    #expect(await command.status() == 0)
    #expect(FileManager.default.fileExists(atPath: try #require(page).path) == false)
  }

  // MARK: - Left behind

  /// A login that waits for the browser, once its page is known.
  private func waitingLogin() async throws -> RunningCommand {
    issuer.user = .leaves
    let command = try authctl.start(
      "login", "--issuer", issuer.identifier, "--client-id", "app", "--no-browser", "--json")
    for await line in command.lines where line.contains("authorization_url") { break }
    #expect(try files(holding: "verifier").count == 1)
    return command
  }

  @Test func `a login that is interrupted leaves no verifier`() async throws {
    let command = try await waitingLogin()
    #expect(await command.interrupt() == 128 + SIGINT)
    #expect(try files(holding: "verifier") == [])
  }

  @Test(arguments: [["logout"], ["logout", "--local"]])
  func `one that is killed leaves none after a logout`(logout: [String]) async throws {
    let command = try await waitingLogin()
    #expect(await command.kill() == SIGKILL)
    #expect(try await authctl.run(logout).status == 0)
    #expect(try files(holding: "verifier") == [])
  }

  @Test func `nor after the next login`() async throws {
    let command = try await waitingLogin()
    #expect(await command.kill() == SIGKILL)
    issuer.user = .approves(.ada)
    #expect(try await authctl.login(issuer).status == 0)
    #expect(try files(holding: "verifier") == [])
  }

  @Test func `a local logout leaves nothing of one that was made offline`() async throws {
    _ = try await authctl.login(issuer)
    let token = try #require(try authctl.store(issuer).read()?.session?.tokens.refresh?.reveal())
    await issuer.stop()
    #expect(try await authctl.run("logout").err.contains("told by the next command"))
    #expect(try files(holding: token).count == 1, "the queue, of which the user was told")
    #expect(try await authctl.run("logout", "--local").status == 0)
    #expect(try files(holding: token) == [])
  }

  /// An issuer at which a user has logged in with a client's secret, `s3cret-canary`.
  private func issuerOfConfidentialLogin() async throws -> LoopbackOpenIDIssuer {
    var options = LoopbackOpenIDIssuer.Options()
    options.clientSecret = "s3cret-canary"
    let issuer = LoopbackOpenIDIssuer(options)
    try await issuer.start()
    let folder = TemporaryFolder()
    let file = folder.url.appending(path: "secret")
    try Data("s3cret-canary\n".utf8).write(to: file)
    #expect(try await authctl.login(issuer, "--client-secret-file", file.path).status == 0)
    #expect(try files(holding: "s3cret-canary").count == 1)
    return issuer
  }

  @Test func `a local logout leaves no client's secret`() async throws {
    let issuer = try await issuerOfConfidentialLogin()
    #expect(try await authctl.run("logout", "--local").status == 0)
    #expect(try files(holding: "s3cret-canary") == [])
    await issuer.stop()
  }

  @Test func `the client's secret goes with the queue it was kept for`() async throws {
    let issuer = try await issuerOfConfidentialLogin()
    let port = UInt16(try #require(URL(string: issuer.identifier)?.port))
    await issuer.stop()
    _ = try await authctl.run("logout")
    #expect(try files(holding: "s3cret-canary").count == 1)
    try await issuer.start(port: port)
    #expect(try await authctl.run("token").status == 3)
    try await authctl.delivers { try files(holding: "s3cret-canary").isEmpty }
  }

  @Test func `a login leaves nothing of a session that could not be read`() async throws {
    _ = try await authctl.login(issuer)
    try Data("canary-token".utf8).write(to: try #require(try authctl.sessionFiles().first))
    #expect(try await authctl.run("token").status == 6)
    #expect(try files(holding: "canary-token").count == 2)
    #expect(try await authctl.login(issuer).status == 0)
    #expect(try files(holding: "canary-token") == [])
  }

  @Test func `without a folder of its own the state is under $HOME`() async throws {
    let home = TemporaryFolder()
    let process = authctl.process([
      "login", "--issuer", issuer.identifier, "--client-id", "app", "--no-browser", "--json",
    ])
    process.environment = ["HOME": home.url.path, "PATH": "/usr/bin:/bin"]
    let command = try RunningCommand(process)
    for await line in command.lines {
      guard let url = AuthCTL.value("url", in: line).flatMap(URL.init(string:)) else { continue }
      let redirect = try #require(try await issuer.visit(url))
      _ = try await SystemHTTPClient().send(HTTPRequest(.get, redirect))
    }
    #expect(await command.status() == 0)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: home.url.path)
    #expect(paths.contains { $0.hasSuffix("authctl/profiles/default/profile") })
  }
}
