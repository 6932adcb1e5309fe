import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// `authctl token` as the credential helper of other programs, by their protocols.
@Suite(.serialized) struct CredentialHelperTests {
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer

  init() async throws {
    authctl = try AuthCTL()
    issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
    _ = try await authctl.login(issuer)
  }

  private var token: AccessToken {
    get throws { try #require(try authctl.store(issuer).read()?.session).accessToken }
  }

  private var host: String { String(issuer.identifier.dropFirst("http://".count)) }

  private func ask(_ words: String..., input: String = "") async throws -> AuthCTL.Outcome {
    try await authctl.run(["token", "--format"] + words, input: input)
  }

  @Test func `git gets a password that says when it expires`() async throws {
    let outcome = try await ask(
      "git", "get", input: "capability[]=authtype\nprotocol=http\nhost=\(host)\npath=notes.git\n\nhost=evil.example\n")
    let expiry = Int(try #require(try token.expiresAt).timeIntervalSince1970)
    #expect(
      outcome.out
        == "username=oauth2\npassword=\(try token.value.reveal())\npassword_expiry_utc=\(expiry)\n")
  }

  @Test(arguments: [
    "protocol=http\nhost=evil.example\n\n", "protocol=ftp\nhost=127.0.0.1\n\n", "", "\n", "nonsense\n\n",
    "protocol=https\nhost=@\n\n", "protocol=http\nhost=HOST/@evil.example\n\n",
    "protocol=http\nhost=evil.example\nhost=HOST\n\n", "protocol=http\nhost=HOST\nhost=evil.example\n\n",
    "protocol=http\nhost=HOST\nprotocol=https\n\n", "protocol=http\nhost=HOST\nurl=https://evil.example\n\n",
    "protocol=http\nhost=HOST/\n\n", "protocol=http\nhost=HOST\r\n\n", "protocol=http\nhost=HOST?x\n\n",
    "protocol=http\nhost=HOST#@evil.example\n\n", "protocol=http\nhost=user@HOST\n\n",
    "protocol=http\nhost=HOST\\@evil.example\n\n", "protocol=http\nhost= HOST\n\n",
    "protocol=http\nhost=HOST\npath=a\npath=b\n\n",
  ])
  func `git gets nothing for another server`(input: String) async throws {
    let outcome = try await ask("git", "get", input: input.replacing("HOST", with: host))
    #expect(outcome.status == 0 && outcome.out.isEmpty && outcome.err.isEmpty)
  }

  @Test func `git asks itself`() async throws {
    let fill = "GIT_TERMINAL_PROMPT=0 git -c credential.helper=\"!'$0' token --format git\" credential fill"
    let outcome = try await authctl.shell("printf 'protocol=http\\nhost=\(host)\\n\\n' | \(fill)")
    #expect(outcome.out.contains("\npassword=\(try token.value.reveal())\n"), "\(outcome.err)")
    let other = try await authctl.shell("printf 'protocol=https\\nhost=evil.example\\n\\n' | \(fill)")
    #expect(other.status != 0)
    #expect(try !other.out.contains(token.value.reveal()))
  }

  @Test(arguments: ["git", "docker"]) func `a request to store or erase changes nothing, and is no failure`(
    program: String
  ) async throws {
    for operation in ["store", "erase"] {
      let outcome = try await ask(program, operation, input: "protocol=http\nhost=\(host)\npassword=x\n\n")
      #expect(outcome.status == 0 && outcome.out.isEmpty && outcome.err.isEmpty)
    }
    #expect(try await authctl.run("status").status == 0)
  }

  @Test func `docker gets a secret for a registry that was allowed`() async throws {
    let outcome = try await ask("docker", "get", input: issuer.identifier + "\n")
    let answer = try #require(try outcome.events().first)
    #expect(
      answer == ["ServerURL": issuer.identifier, "Username": "oauth2", "Secret": try token.value.reveal()])
    #expect(try await ask("docker", "list").out == #"{"\#(issuer.identifier)":"oauth2"}"# + "\n")
  }

  // docker continues without credentials for this sentence alone.
  @Test(arguments: [
    "https://index.docker.io/v1/", "registry.example.com", "", "ISSUER@evil.example", "http://x@HOST",
    "HOST/@evil.example",
    "ISSUER\\@evil.example", "ISSUER\nhttps://evil.example", "ISSUER#x",
  ])
  func `docker is told that there is nothing for a server that no login allowed`(server: String) async throws {
    let named = server.replacing("ISSUER", with: issuer.identifier).replacing("HOST", with: host)
    let outcome = try await ask("docker", "get", input: named + "\n")
    #expect(outcome.status == 1 && outcome.err.isEmpty)
    #expect(outcome.out == "credentials not found in native keychain\n")
  }

  @Test func `a profile that was never logged in has nothing for any server`() async throws {
    let input = "protocol=http\nhost=\(host)\n\n"
    let git = try await authctl.run(["token", "--profile", "none", "--format", "git", "get"], input: input)
    #expect(git.status == 0 && git.out.isEmpty && git.err.isEmpty)
    let docker = try await authctl.run(
      ["token", "--profile", "none", "--format", "docker", "get"], input: issuer.identifier)
    #expect(docker.status == 1 && docker.out == "credentials not found in native keychain\n")
    #expect(try await authctl.run("token", "--profile", "none", "--format", "docker", "list").out == "{}\n")
  }

  @Test func `docker lists every server that a login allowed, until the session ends`() async throws {
    _ = try await authctl.login(
      issuer, "--allow-origin", "https://registry.example.com", "--resource", "urn:images=https://images.example.com")
    let servers = ["https://images.example.com", "https://registry.example.com", issuer.identifier].sorted()
    #expect(
      try await ask("docker", "list").out == "{" + servers.map { #""\#($0)":"oauth2""# }.joined(separator: ",") + "}\n")
    _ = try await authctl.run("logout")
    #expect(try await ask("docker", "list").out == "{}\n")
  }

  @Test func `kubectl gets an ExecCredential of the version that it asks for`() async throws {
    let identity = try #require(try authctl.store(issuer).read()?.session?.tokens.identity)
    let group = "client.authentication.k8s.io"
    let credential = { (token: String, expiry: Date) in
      let status = #""status":{"expirationTimestamp":"\#(expiry.formatted(.iso8601))","token":"\#(token)"}"#
      return #"{"apiVersion":"\#(group)/v1","kind":"ExecCredential",\#(status)}"# + "\n"
    }
    let ends = try #require(JSONMembers(unverified: identity)?.date("exp"))
    #expect(try await ask("kubectl").out == credential(identity.reveal(), ends))
    #expect(
      try await ask("kubectl", "--access-token").out
        == credential(try token.value.reveal(), try #require(try token.expiresAt)))
    let line = "KUBERNETES_EXEC_INFO='{\"apiVersion\":\"\(group)/v1beta1\"}' \"$0\" token --format kubectl"
    #expect(try await authctl.shell(line).out.contains("\(group)/v1beta1"))
    let unknown = "KUBERNETES_EXEC_INFO='{\"apiVersion\":\"\(group)/v9\"}' \"$0\" token --format kubectl"
    let outcome = try await authctl.shell(unknown)
    #expect(outcome.status == 64 && outcome.out.isEmpty)
  }

  private func kubectl(
    named server: String, _ arguments: String..., profile: String = "default"
  ) async throws -> AuthCTL.Outcome {
    let info = #"{"apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":\#(server)}}}"#
    let words = (["token", "--profile", profile, "--format", "kubectl"] + arguments).joined(separator: " ")
    return try await authctl.shell("KUBERNETES_EXEC_INFO='\(info)' \"$0\" \(words)")
  }

  @Test func `kubectl gets a token for a cluster that it names only where a login allowed it`() async throws {
    #expect(try await kubectl(named: "\"\(issuer.identifier)\"").status == 0)
    for server in [#""https://evil.example""#, "\"http://\(host)@evil.example\"", #""""#, "7", "null"] {
      for option in [[], ["--access-token"]] as [[String]] {
        let outcome = try await kubectl(named: server, option.joined())
        #expect(outcome.status == 7 && outcome.out.isEmpty, "\(server): \(outcome.out)")
      }
    }
  }

  @Test func `an ID token that has ended is refreshed, once for any number of processes`() async throws {
    let ended = try endIdentity()
    let before = issuer.tokenRequests(for: "refresh_token").count
    let runs = try await withThrowingTaskGroup(of: AuthCTL.Outcome.self) { group in
      for _ in 1...5 { group.addTask { try await ask("kubectl") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let identity = try #require(try authctl.store(issuer).read()?.session?.tokens.identity)
    #expect(identity != ended)
    #expect(runs.allSatisfy { $0.status == 0 && $0.out.contains(identity.reveal()) }, "\(runs.map(\.err))")
    #expect(issuer.tokenRequests(for: "refresh_token").count == before + 1)
  }

  @Test func `an ID token that has ended is not given while the issuer does not answer, nor if it sends no other`()
    async throws
  {
    _ = try endIdentity()
    issuer.set(.usual(.status(503)), onGrant: "refresh_token")
    let outage = try await ask("kubectl")
    #expect(outage.status == 5 && outage.out.isEmpty, "\(outage.err)")
    issuer.set(nil, onGrant: "refresh_token")
    issuer.quirks.refreshAnswer["id_token"] = .absent
    let outcome = try await ask("kubectl")
    #expect(outcome.status == 3 && outcome.out.isEmpty, "\(outcome.err)")
    #expect(try await authctl.run("status").status == 0)
  }

  /// Lets the session's ID token end, and not its access token.
  private func endIdentity() throws -> Secret {
    let store = authctl.store(issuer)
    let session = try #require(try store.read()?.session)
    let identity = try #require(session.tokens.identity)
    var claims = try #require(JSONMembers(unverified: identity)).values
    (claims["iat"], claims["exp"]) = (1_700_000_000, 1_700_000_300)
    var parts = identity.reveal().split(separator: ".").map(String.init)
    parts[1] = Base64URL.encode(try #require(JSONMembers(claims).json))
    let ended = Secret(parts.joined(separator: "."))
    var record = try #require(try store.read())
    record.session = AuthSession(
      user: session.user,
      tokens: SessionTokens(access: session.accessToken, refresh: session.tokens.refresh, identity: ended))
    try store.save(record)
    return ended
  }

  @Test func `a session without an ID token is a wrong call for kubectl, and nothing is sent`() async throws {
    _ = try await authctl.login(issuer, "--profile", "plain", "--scope", "offline_access")
    let count = issuer.requests(on: .token).count
    let outcome = try await authctl.run("token", "--profile", "plain", "--format", "kubectl")
    #expect(outcome.status == 64 && outcome.out.isEmpty)
    #expect(outcome.err.contains("--access-token"))
    #expect(issuer.requests(on: .token).count == count)
    #expect(try await authctl.run("token", "--profile", "plain", "--format", "kubectl", "--access-token").status == 0)
  }

  @Test(arguments: [
    ["aws"], ["git"], ["docker"], ["plain", "get"], ["kubectl", "get"], ["maven"],
    ["plain", "--access-token"], ["kubectl", "list"],
  ])
  func `a format that cannot be given is a wrong call`(words: [String]) async throws {
    let outcome = try await authctl.run(["token", "--format"] + words)
    #expect(outcome.status == 64 && outcome.out.isEmpty)
    #expect(outcome.err.split(separator: "\n").count == 1)
  }

  @Test func `a helper whose user is signed out says so on stderr alone`() async throws {
    _ = try await authctl.run("logout")
    let outcome = try await ask("git", "get", input: "protocol=http\nhost=\(host)\n\n")
    #expect(outcome.status == 3 && outcome.out.isEmpty)
    #expect(try await ask("kubectl").status == 3)
  }

  @Test func `each profile is listed, with its signed-in user`() async throws {
    #expect(
      try await authctl.run("profiles", "--json").out
        == #"{"default":true,"name":"default","provider":"openid","state":"signed_in","#
        + #""user":{"email":"ada@example.com","id":"248289761001","name":"Ada Lovelace"}}"# + "\n")
    _ = try await authctl.login(issuer, "--profile", "work")
    _ = try await authctl.run("logout", "--profile", "work")
    let lines = try await authctl.run("profiles").out.split(separator: "\n")
    #expect(lines == ["default: signed_in at openid: Ada Lovelace", "work: signed_out at openid"])
  }
}
