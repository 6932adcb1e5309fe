import AuthenticationKit
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
    "protocol=https\nhost=@\n\n",
  ])
  func `git gets nothing for another server`(input: String) async throws {
    let outcome = try await ask("git", "get", input: input)
    #expect(outcome.status == 0 && outcome.out.isEmpty)
  }

  @Test func `git asks itself`() async throws {
    let fill = "GIT_TERMINAL_PROMPT=0 git -c credential.helper=\"!'$0' token --format git\" credential fill"
    let outcome = try await authctl.shell("printf 'protocol=http\\nhost=\(host)\\n\\n' | \(fill)")
    #expect(outcome.out.contains("\npassword=\(try token.value.reveal())\n"), "\(outcome.err)")
    let other = try await authctl.shell("printf 'protocol=https\\nhost=evil.example\\n\\n' | \(fill)")
    #expect(other.status != 0)
    #expect(try !other.out.contains(token.value.reveal()))
  }

  @Test(arguments: ["git", "docker"]) func `what is to be stored or erased is not, and is no failure`(
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
    let other = try await ask("docker", "get", input: "registry.example.com")
    #expect(other.status == 0 && other.out.isEmpty)
  }

  @Test func `kubectl gets an ExecCredential of the version that it asks for`() async throws {
    let expiry = try #require(try token.expiresAt).formatted(.iso8601)
    let status = #""status":{"expirationTimestamp":"\#(expiry)","token":"\#(try token.value.reveal())"}"#
    let group = "client.authentication.k8s.io"
    #expect(
      try await ask("kubectl").out == #"{"apiVersion":"\#(group)/v1","kind":"ExecCredential",\#(status)}"# + "\n")
    let line = "KUBERNETES_EXEC_INFO='{\"apiVersion\":\"\(group)/v1beta1\"}' \"$0\" token --format kubectl"
    #expect(try await authctl.shell(line).out.contains("\(group)/v1beta1"))
    let unknown = "KUBERNETES_EXEC_INFO='{\"apiVersion\":\"\(group)/v9\"}' \"$0\" token --format kubectl"
    let outcome = try await authctl.shell(unknown)
    #expect(outcome.status == 64 && outcome.out.isEmpty)
  }

  @Test(arguments: [["aws"], ["git"], ["docker"], ["plain", "get"], ["kubectl", "get"], ["maven"]])
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

  @Test func `each profile is listed, with who is signed in`() async throws {
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
