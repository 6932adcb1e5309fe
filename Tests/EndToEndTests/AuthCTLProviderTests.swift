import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Each kind of provider on the command line: its methods, its options, and its faults.
@Suite struct AuthCTLProviderTests {
  static let keycloak = ["--url", "https://id.example.com", "--realm", "demo", "--client-id", "app"]
  static let kinds: [(name: String, options: [String], methods: [String])] = [
    ("api", ["--base-url", "https://api.example.com"], ["password"]),
    ("firebase", ["--api-key", "k"], ["password", "phone-code", "email-link", "anonymous", "custom-token"]),
    (
      "supabase", ["--url", "https://abc.supabase.co", "--anon-key", "k"],
      ["password", "email-code", "email-link", "phone-code", "anonymous"]
    ),
    (
      "auth0", ["--domain", "tenant.eu.auth0.com", "--client-id", "app"],
      ["browser", "password", "email-code", "phone-code"]
    ),
    ("keycloak", keycloak, ["browser", "device", "password"]),
    ("entra", ["--tenant", "contoso.com", "--client-id", "app"], ["browser", "device"]),
    ("cognito", ["--pool", "eu-central-1_Abc123", "--client-id", "app"], ["password", "password-plain"]),
    ("google", ["--client-id", "1-a.apps.googleusercontent.com"], ["browser"]),
    ("apple", ["--client-id", "app", "--endpoint", "https://id.example.com"], ["browser"]),
    ("facebook", ["--client-id", "app", "--endpoint", "https://id.example.com"], ["browser"]),
    ("github", ["--client-id", "app"], ["device"]),
    ("resource", ["--protected-resource", "https://notes.example.com/mcp"], ["browser", "device"]),
  ]

  @Test(arguments: kinds)
  func `each kind says how one can sign in`(name: String, options: [String], methods: [String]) async throws {
    let outcome = try await AuthCTL().run(["methods", "--provider", name, "--json"] + options)
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(try outcome.events().map { $0["id"] } == methods)
    #expect(outcome.out.contains(#""needs":"#))
  }

  @Test func `GitHub offers its page where the client has a secret`() async throws {
    let folder = TemporaryFolder()
    let outcome = try await AuthCTL().run(
      "methods", "--provider", "github", "--client-id", "app", "--client-secret-file", try folder.file("s\n"))
    #expect(outcome.out == "browser\ndevice\n")
  }

  static let wrong: [(options: [String], named: String)] = [
    (["api"], "--base-url"), (["firebase"], "--api-key"), (["firebase", "--api-key", ""], "--api-key"),
    (["firebase", "--api-key", "k", "--client-id", "a"], "--client-id"),
    (["supabase", "--url", "https://abc.supabase.co"], "--anon-key"), (["supabase", "--anon-key", "k"], "--url"),
    (["supabase", "--url", "https://abc.supabase.co/x", "--anon-key", "k"], "--url"),
    (["supabase", "--url", "https://abc.supabase.co", "--anon-key", "sb_secret_1"], "--anon-key"),
    (["auth0", "--domain", "tenant.auth0.com"], "--client-id"), (["auth0", "--client-id", "a"], "--domain"),
    (["auth0", "--domain", "https://tenant.auth0.com", "--client-id", "a"], "--domain"),
    (["keycloak", "--url", "https://id.example.com", "--client-id", "a"], "--realm"),
    (["keycloak", "--url", "https://id.example.com/realms/demo", "--realm", "demo", "--client-id", "a"], "--url"),
    (["entra", "--client-id", "a"], "--tenant"), (["entra", "--tenant", "no tenant", "--client-id", "a"], "--tenant"),
    (["entra", "--tenant", "common", "--client-id", "a"], "--allow-tenant"),
    (["entra", "--tenant", "common", "--client-id", "a", "--allow-tenant", "contoso.com"], "--allow-tenant"),
    (["cognito", "--client-id", "a"], "--pool"), (["cognito", "--pool", "Abc123", "--client-id", "a"], "--pool"),
    (["cognito", "--pool", "eu-central-1_Abc123", "--client-id", "no id"], "--client-id"),
    (["google"], "--client-id"), (["google", "--client-id", "app"], "--client-id"),
    (["apple", "--client-id", "a"], "--endpoint"), (["facebook", "--client-id", "a"], "--endpoint"),
    (["apple", "--client-id", "a", "--endpoint", "https://appleid.apple.com"], "--endpoint"),
    (["github"], "--client-id"), (["github", "--client-id", "a", "--audience", "x"], "--audience"),
    (["github", "--client-id", "a", "--endpoint", "http://forge.example"], "--endpoint"),
    (["github", "--client-id", "a", "--scope", "x"], "--issuer"),
    (["firebase", "--api-key", "k", "--endpoint", "https://a:b@example.com"], "--endpoint"),
  ]

  @Test(arguments: wrong)
  func `a missing or impossible option exits with 64, and is named`(options: [String], named: String) async throws {
    for command in ["login", "doctor"] where command == "login" || !options.contains("--scope") {
      let outcome = try await AuthCTL().run([command, "--provider"] + options)
      #expect(outcome.status == 64, "\(outcome.err)")
      #expect((outcome.err + outcome.out).contains(named), "\(outcome.err)")
      #expect(outcome.err.split(separator: "\n").count == 1)
    }
  }

  // MARK: doctor

  @Test func `doctor finds nothing wrong where the provider knows the client`() async throws {
    let (firebase, supabase, issuer, forge) = (
      LoopbackFirebase(), LoopbackSupabase(), LoopbackOpenIDIssuer(), LoopbackGitHub()
    )
    let folder = TemporaryFolder()
    let secret = try folder.file("secret\n")
    let forgeURL = try await forge.start().absoluteString
    let firebaseURL = try await firebase.start().absoluteString
    let supabaseURL = try await supabase.start().absoluteString
    let identifier = try await issuer.start()
    let healthy = [
      ["firebase", "--api-key", "api-key", "--endpoint", firebaseURL],
      ["supabase", "--url", supabaseURL, "--anon-key", "anon-key"],
      ["keycloak"] + Self.keycloak + ["--endpoint", identifier],
      ["github", "--client-id", "app", "--endpoint", forgeURL],
      ["github", "--client-id", "app", "--client-secret-file", secret, "--endpoint", forgeURL],
    ]
    for options in healthy {
      let outcome = try await AuthCTL().run(["doctor", "--json", "--provider"] + options)
      #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
      let findings = try outcome.events().filter { $0["event"] == "finding" }
      #expect(findings.suffix(3).map { $0["check"] } == ["config", "client", "methods"])
      #expect(findings.allSatisfy { $0["level"] == "ok" })
    }
  }

  @Test func `doctor names the problem and the option to check in one line`() async throws {
    let (firebase, supabase, forge) = (LoopbackFirebase(), LoopbackSupabase(), LoopbackGitHub())
    var options = LoopbackGitHub.Options()
    options.hasDeviceFlow = false
    let closed = LoopbackGitHub(options)
    let folder = TemporaryFolder()
    let secret = try folder.file("not it\n")
    let (forgeURL, closedURL) = (try await forge.start().absoluteString, try await closed.start().absoluteString)
    let firebaseURL = try await firebase.start().absoluteString
    let supabaseURL = try await supabase.start().absoluteString
    let ill: [(options: [String], named: String, status: Int32)] = [
      (["firebase", "--api-key", "wrong", "--endpoint", firebaseURL], "--api-key", 4),
      (["supabase", "--url", supabaseURL, "--anon-key", "wrong"], "--anon-key", 4),
      (["github", "--client-id", "wrong", "--endpoint", forgeURL], "--client-id", 4),
      (
        ["github", "--client-id", "app", "--client-secret-file", secret, "--endpoint", forgeURL],
        "--client-secret-file", 4
      ),
      (["github", "--client-id", "app", "--endpoint", closedURL], "device flow", 4),
    ]
    for (options, named, status) in ill {
      let outcome = try await AuthCTL().run(["doctor", "--provider"] + options)
      #expect(outcome.status == status, "\(outcome.out)\(outcome.err)")
      let problems = outcome.out.split(separator: "\n").filter { $0.hasPrefix("problem") }
      #expect(problems.count == 1)
      #expect(problems.first?.contains(named) == true)
    }
  }

  @Test func `doctor says that there is no response`() async throws {
    let supabase = LoopbackSupabase()
    let url = try await supabase.start().absoluteString
    await supabase.stop()
    let outcome = try await AuthCTL().run("doctor", "--provider", "supabase", "--url", url, "--anon-key", "k")
    #expect(outcome.status == 5)
    #expect(outcome.out.contains("problem  answer"))
    #expect(outcome.out.contains("Check --url, and the network."))
  }

  @Test func `doctor says that a sign-in is answered by a page, and takes it for no permission`() async throws {
    let firebase = LoopbackFirebase()
    let url = try await firebase.start().absoluteString
    firebase.traffic.set(.usual(.html), on: "signInWithPassword")
    let outcome = try await AuthCTL().run("doctor", "--provider", "firebase", "--api-key", "api-key", "--endpoint", url)
    #expect(outcome.status == 1, "\(outcome.out)")
    #expect(outcome.out.contains("problem  answer"))
    #expect(outcome.out.contains("Not asked for: password, "))
    #expect(!outcome.out.contains("can sign in by"))
  }

  @Test func `doctor finds a method that is switched off, and is content as long as there is another`() async throws {
    var options = LoopbackFirebase.Options()
    options.disabledOperations = ["signInWithPassword"]
    let (firebase, pool) = (LoopbackFirebase(options), LoopbackCognito())
    let firebaseURL = try await firebase.start().absoluteString
    let poolURL = try await pool.start().absoluteString
    let cases: [(options: [String], refused: String, told: String)] = [
      (
        ["firebase", "--api-key", "api-key", "--endpoint", firebaseURL], "'password' is refused",
        "Not asked for: phone-code, email-link, anonymous, custom-token."
      ),
      (
        ["cognito", "--pool", "us-east-1_Loopback", "--client-id", "client1", "--endpoint", poolURL],
        "'password' is refused", "A made-up user was refused by password-plain; no real one was tried."
      ),
    ]
    for (options, refused, told) in cases {
      let outcome = try await AuthCTL().run(["doctor", "--provider"] + options)
      #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
      let lines = outcome.out.split(separator: "\n").filter { $0.contains("  methods  ") }
      #expect(lines.count == 2)
      #expect(lines.first?.hasPrefix("warning") == true)
      #expect(lines.first?.contains(refused) == true)
      #expect(lines.last?.hasPrefix("ok") == true)
      #expect(lines.last?.contains(told) == true, "\(outcome.out)")
    }
  }
}

extension TemporaryFolder {
  /// A file with a client's secret.
  fileprivate func file(_ text: String) throws -> String {
    let file = url.appending(path: "secret")
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
