import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Where a client's secret comes from, and how it is sent.
@Suite(.serialized) struct AuthCTLClientSecretTests {
  let authctl: AuthCTL
  let folder = TemporaryFolder()

  init() throws { authctl = try AuthCTL() }

  private func issuer(_ way: LoopbackOpenIDIssuer.ClientAuthentication = .post) async throws -> LoopbackOpenIDIssuer {
    var options = LoopbackOpenIDIssuer.Options()
    options.clientSecret = "s3cret"
    options.clientAuthentication = way
    let issuer = LoopbackOpenIDIssuer(options)
    try await issuer.start()
    return issuer
  }

  private func file(_ text: String, mode: Int = 0o600) throws -> String {
    let url = folder.url.appending(path: "secret")
    try Data(text.utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    return url.path
  }

  @Test(arguments: [LoopbackOpenIDIssuer.ClientAuthentication.basic, .post])
  func `a secret is sent as the issuer says, at login and ever after`(
    way: LoopbackOpenIDIssuer.ClientAuthentication
  ) async throws {
    let issuer = try await issuer(way)
    let login = try await authctl.login(issuer, "--client-secret-file", file("s3cret\n"))
    #expect(login.status == 0 && login.err.isEmpty, "\(login.err)")
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    #expect(try await authctl.run("logout").status == 0)
    #expect(issuer.counters.liveSignIns == 0)
  }

  @Test func `how it is sent can be named`() async throws {
    let issuer = try await issuer(.post)
    issuer.quirks.metadata = ["token_endpoint_auth_methods_supported": .absent]
    let path = try file("s3cret")
    let basic = try await authctl.login(issuer, "--client-secret-file", path)
    #expect(basic.status == 4 && basic.err.contains("--token-auth"))
    #expect(try await authctl.login(issuer, "--client-secret-file", path, "--token-auth", "post").status == 0)
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
  }

  #if os(Linux)
  static let pipes = ["/dev/stdin", "/proc/self/fd/0"]
  #else
  static let pipes = ["/dev/stdin", "/dev/fd/0"]
  #endif

  @Test(arguments: pipes) func `it comes from a pipe`(path: String) async throws {
    let issuer = try await issuer()
    let user = Task {
      await issuer.waitForRequest(on: .deviceAuthorization)
      issuer.approveDevice()
    }
    let outcome = try await authctl.shell(
      "printf 's3cret\\n' | \"$0\" login --issuer \(issuer.identifier) --client-id app --flow device --timeout 60 "
        + "--client-secret-file \(path)")
    user.cancel()
    #expect(issuer.requests(on: .deviceAuthorization).last?.form["client_secret"] == "s3cret", "\(outcome.err)")
  }

  @Test func `it comes from a named pipe, read once`() async throws {
    let issuer = try await issuer()
    let outcome = try await authctl.shell(
      "mkfifo '\(folder.url.path)/pipe' && { printf 's3cret\\n' > '\(folder.url.path)/pipe' & } && "
        + "echo 'correct horse' | \"$0\" login --issuer \(issuer.identifier) --client-id app --flow password "
        + "--username ada --password-stdin --client-secret-file '\(folder.url.path)/pipe'")
    #expect(outcome.status == 0, "\(outcome.err)")
  }

  @Test func `a login that was killed at its code goes on with the secret that it began with`() async throws {
    let cognito = LoopbackCognito()
    let url = try await cognito.start()
    cognito.addAccount("ada", password: "correct horse", phone: "+491701234567", hasPhoneFactor: true)
    let typist = try Typist(
      authctl.process([
        "login", "--provider", "cognito", "--pool", "us-east-1_Loopback", "--client-id", "client1", "--endpoint",
        url.absoluteString, "--method", "password-plain", "--username", "ada", "--password-stdin", "--json",
        "--client-secret-file", file("s3cret"),
      ]))
    typist.type("correct horse\n")
    try #require(await typist.nextEvent()?["event"] == "challenge")
    #expect(await typist.kill() == SIGKILL)
    let code = try #require(cognito.messages.last?.code)
    let end = try await authctl.run("login", "--continue", "--json", input: "\(code)\n")
    #expect(end.status == 0, "\(end.err)")
    let answer = try #require(cognito.traffic.requests(on: "RespondToAuthChallenge").last)
    #expect(String(decoding: answer.body, as: UTF8.self).contains("SECRET_HASH"))
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    let refresh = try #require(cognito.traffic.requests(on: "GetTokensFromRefreshToken").last)
    #expect(String(decoding: refresh.body, as: UTF8.self).contains("s3cret"))
  }

  @Test func `a file that others can read is warned of, and used`() async throws {
    let issuer = try await issuer()
    let login = try await authctl.login(issuer, "--client-secret-file", file("s3cret", mode: 0o644))
    #expect(login.status == 0)
    #expect(login.err.contains("can be read by others") && !login.err.contains("s3cret"))
  }

  @Test(arguments: ["", "\n\n"]) func `a file without a secret is a wrong call`(text: String) async throws {
    let login = try await authctl.login(issuer(), "--client-secret-file", file(text))
    #expect(login.status == 64 && login.err.contains("--client-secret-file"))
  }
}
