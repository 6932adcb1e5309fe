import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// The rules of every command and every option.
@Suite(.serialized) struct AuthCTLContractTests {
  let authctl: AuthCTL
  let issuer = LoopbackOpenIDIssuer()

  init() async throws {
    authctl = try AuthCTL()
    try await issuer.start()
  }

  /// The commands below one, by its help.
  private func commands(below command: [String]) async throws -> [[String]] {
    let help = try await authctl.run(command + ["--help"]).out
    guard let list = help.split(separator: "SUBCOMMANDS:\n").dropFirst().first else { return [command] }
    var found: [[String]] = []
    for line in list.split(separator: "\n") where line.dropFirst(2).first?.isLowercase == true {
      let name = String(line.split(separator: " ")[0])
      found += try await commands(below: command + [name])
    }
    return found
  }

  @Test func `every command takes a profile, a storage and --verbose`() async throws {
    let commands = try await commands(below: [])
    #expect(commands.count > 15 && commands.contains(["replay"]) && commands.contains(["account", "delete"]))
    for command in commands {
      let help = try await authctl.run(command + ["--help"]).out
      for option in ["--profile", "--storage", "--verbose"] { #expect(help.contains(option), "\(command) \(option)") }
    }
  }

  @Test func `the profiles are listed, and a report is replayed, with these options as without`() async throws {
    _ = try await authctl.login(issuer)
    let options = ["--profile", "other", "--storage", "file", "--verbose"]
    let profiles = try await authctl.run(["profiles"] + options)
    let plain = try await authctl.run("profiles")
    #expect(profiles.status == 0 && profiles.out == plain.out, "\(profiles.err)")
    #expect(profiles.out.hasPrefix("default: signed_in"))
    let report = authctl.home.url.appending(path: "report")
    try Data(try await authctl.run("report", "--json").out.utf8).write(to: report)
    let replay = try await authctl.run(["replay"] + options + [report.path])
    let replayed = try await authctl.run("replay", report.path)
    #expect(replay.status == 0 && replay.out == replayed.out, "\(replay.err)")
  }

  private static let beginnings = [
    "RESOURCE": "login --protected-resource", "NOTES": "login --protected-resource https://notes.example.com/mcp",
    "SERVICE": "login --provider service --client-id app --client-secret-file SECRET --issuer",
    "LOCAL": "login --provider service --client-id app --client-secret-file SECRET --issuer https://127.0.0.1:1",
    "KEY": "login --provider service --client-id app --issuer https://127.0.0.1:1 --private-key",
  ]

  /// Words apart by a space, the empty one as `EMPTY`, and the option that is told.
  static let wrong: [(call: String, option: String)] = [
    ("RESOURCE https://10.0.0.1/mcp", "--protected-resource"), ("RESOURCE https://[fd00::1]", "--protected-resource"),
    ("RESOURCE http://notes.example.com/mcp", "--protected-resource"), ("RESOURCE notes", "--protected-resource"),
    ("RESOURCE EMPTY", "--protected-resource"), ("RESOURCE ftp://x.example", "--protected-resource"),
    ("RESOURCE https://ada@x.example", "--protected-resource"),
    ("RESOURCE https://x.example#x", "--protected-resource"),
    ("RESOURCE https://192.168.1.1", "--protected-resource"),
    ("NOTES --client-id EMPTY", "--client-id"), ("NOTES --redirect-port 80", "--redirect-port"),
    ("NOTES --redirect-path /a?b", "--redirect-path"), ("NOTES --dpop", "--dpop"),
    ("NOTES --client-metadata http://app.example.com/c", "--client-metadata"),
    ("NOTES --client-secret-file SECRET", "--client-secret-file"), ("NOTES --method x", "--method"),
    ("NOTES --client-id x --client-secret-file /none", "--client-secret-file"),
    ("NOTES --client-id x --client-secret-file BYTES", "--client-secret-file"),
    ("NOTES --prompt login", "--prompt"), ("NOTES --audience x", "--audience"),
    ("login --provider service", "--client-id"), ("login --provider service --client-id app", "--issuer"),
    ("SERVICE nope", "--issuer"), ("SERVICE EMPTY", "--issuer"), ("SERVICE http://id.example.com", "--issuer"),
    ("SERVICE https://id.example.com?x=1", "--issuer"), ("LOCAL --scope a\"b", "--scope"),
    ("LOCAL --audience EMPTY", "--audience"), ("LOCAL --username x", "--username"),
    ("LOCAL --flow device", "--flow"), ("LOCAL --key-id 1", "--key-id"),
    ("LOCAL --resource a=https://x.example --resource b=https://x.example", "--resource"),
    ("LOCAL --resource x", "--resource"), ("LOCAL --domain x", "--domain"),
    ("KEY BYTES", "--private-key"), ("KEY SECRET", "--private-key"), ("KEY /none", "--private-key"),
    ("LOCAL --ca-file /none", "--ca-file"), ("LOCAL --ca-file SECRET", "--ca-file"),
    ("login --provider google --client-id 1.apps.googleusercontent.com --redirect-port 80", "--redirect-port"),
    ("login --provider entra --client-id app --tenant x.example --dpop", "--dpop"),
    ("login --provider github --client-id app --prompt login", "--prompt"),
    (
      "login --provider keycloak --url https://id.example.com --realm r --client-id app --method device --prompt login",
      "--prompt"
    ),
    ("doctor --issuer https://127.0.0.1:1 --ca-file /none", "--ca-file"),
    ("status --profile ../x", "--profile"), ("status --storage x", "--storage"),
    ("token --format aws", "--format"), ("token --min-ttl x", "--min-ttl"),
    ("request -X G\tT https://127.0.0.1:1", "--method"), ("request -H x https://127.0.0.1:1", "--header"),
    ("request -d @/none https://127.0.0.1:1", "--data"),
  ]

  @Test(arguments: wrong) func `a wrong call names its option, and sends nothing`(
    call: String, option: String
  ) async throws {
    var files: [String: String] = [:]
    for (name, bytes) in ["SECRET": Data("s3cret\n".utf8), "BYTES": Data([0x61, 0xE4, 0x0A])] {
      let path = authctl.home.url.appending(path: name).path
      _ = FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
      files[name] = path
    }
    let words = call.split(separator: " ").map(String.init).flatMap { word in
      (Self.beginnings[word] ?? word).split(separator: " ").map(String.init)
    }
    let outcome = try await authctl.run(words.map { $0 == "EMPTY" ? "" : files[$0] ?? $0 })
    #expect(outcome.status == 64, "\(outcome.err)")
    #expect(outcome.err.contains(option), "\(outcome.err)")
    #expect(outcome.err.split(separator: "\n").count == 1, "\(outcome.err)")
  }

  @Test(arguments: [
    "http://ada@127.0.0.1:1/", "https://ada:word@notes.example.com/", "https://:word@notes.example.com/",
  ])
  func `user info in the URL of a request is exit 64`(url: String) async throws {
    let outcome = try await authctl.run("request", url)
    #expect(outcome.status == 64, "\(outcome.err)")
    #expect(outcome.err.contains("user info") && !outcome.err.contains("word"), "\(outcome.err)")
  }

  // MARK: - Redirects

  @Test(arguments: [LoopbackOpenIDIssuer.Endpoint.discovery, .token], [301, 302, 303, 307, 308])
  func `a redirect of metadata or tokens is exit 7 at a login, and is not followed`(
    endpoint: LoopbackOpenIDIssuer.Endpoint, status: Int
  ) async throws {
    let other = LoopbackOpenIDIssuer()
    try await other.start()
    issuer.set(
      .body("", status: status, headers: ["Location": other.url(endpoint).absoluteString]), on: endpoint)
    let outcome = try await authctl.login(issuer)
    #expect(outcome.status == 7, "\(outcome.err)")
    #expect(other.requests(on: endpoint).isEmpty)
  }

  @Test(arguments: [301, 302, 307, 308]) func `a redirect at a refresh is exit 5, and the session is kept`(
    status: Int
  ) async throws {
    _ = try await authctl.login(issuer)
    let other = LoopbackOpenIDIssuer()
    try await other.start()
    for endpoint in [LoopbackOpenIDIssuer.Endpoint.token, .discovery] {
      issuer.set(.body("", status: status, headers: ["Location": other.url(endpoint).absoluteString]), on: endpoint)
      #expect(try await authctl.run("token", "--min-ttl", "100000").status == 5)
      issuer.set(nil, on: endpoint)
    }
    #expect(other.requests(on: .token).isEmpty && other.requests(on: .discovery).isEmpty)
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
  }

  @Test func `a redirect at a revocation is not followed`() async throws {
    _ = try await authctl.login(issuer)
    let other = LoopbackOpenIDIssuer()
    try await other.start()
    issuer.set(
      .body("", status: 307, headers: ["Location": other.url(.revocation).absoluteString]), on: .revocation)
    #expect(try await authctl.run("logout").status == 0)
    #expect(other.requests(on: .revocation).isEmpty)
  }

  // MARK: - Text

  @Test(arguments: ["p\\344ss-word", "\\377\\376p", "caf\\303"]) func `a password that is no UTF-8 is exit 64, unsent`(
    password: String
  ) async throws {
    let server = LoopbackIdentityServer()
    let url = try await server.start()
    let outcome = try await authctl.shell(
      "printf '\(password)\\n' | \"$0\" login --base-url \(url.absoluteString) --username ada --password-stdin")
    #expect(outcome.status == 64, "\(outcome.err)")
    #expect(outcome.err.contains("--password-stdin is no UTF-8 text"), "\(outcome.err)")
    #expect(server.counters.requests(on: .signIn) == 0)
  }

  @Test(arguments: [".html", "[]", "{\"sub\":", "no"])
  func `userinfo that cannot be read is said, and the user is signed in`(
    body: String
  ) async throws {
    issuer.set(.body(body), on: .userInfo)
    let outcome = try await authctl.login(issuer)
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(outcome.err.contains("userinfo") && outcome.err.split(separator: "\n").count == 1, "\(outcome.err)")
  }
}
