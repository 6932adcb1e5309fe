import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// The first login at an issuer: the requests, and the sentences where it refuses.
@Suite(.serialized) struct AuthCTLFirstLoginTests {
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer

  init() async throws {
    authctl = try AuthCTL()
    issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
  }

  private var request: [String: String] { issuer.requests(on: .authorization).last?.parameters ?? [:] }

  @Test func `the options of the page reach the page`() async throws {
    let login = try await authctl.login(
      issuer, "--prompt", "select_account", "--login-hint", "ada@example.com", "--acr-values", "gold silver",
      "--param", "ui_locales=de en", "--param", "x=")
    #expect(login.status == 0, "\(login.err)")
    let wanted = [
      "prompt": "select_account", "login_hint": "ada@example.com", "acr_values": "gold silver", "ui_locales": "de en",
      "x": "", "scope": "openid profile email offline_access",
    ]
    for (name, value) in wanted { #expect(request[name] == value) }
  }

  /// A voluntary claim (OpenID Connect Core §3.1.2.1).
  @Test func `how the user signed in is shown, and refuses no login`() async throws {
    issuer.quirks.ignoresRequirements = true
    let other = try await authctl.login(issuer, "--acr-values", "gold")
    #expect(other.status == 0, "\(other.err)")
    #expect(try other.events().last?["acr"] == "urn:example:bronze")
    issuer.quirks.idTokenClaims = ["acr": .absent]
    let none = try await authctl.login(issuer, "--acr-values", "gold")
    #expect(none.status == 0, "\(none.err)")
    #expect(try none.events().last?["acr"] == nil)
    let claims = #"claims={"id_token":{"acr":{"essential":true,"values":["gold"]}}}"#
    let required = try await authctl.login(issuer, "--param", claims)
    #expect(required.status == 7)
    #expect(required.err.contains("acr"))
  }

  @Test func `without --scope an issuer is asked for the scopes that it lists, and --scope is sent as it is`()
    async throws
  {
    issuer.quirks.metadata = ["scopes_supported": ["openid", "email"]]
    #expect(try await authctl.login(issuer).status == 0)
    #expect(request["scope"] == "openid email" && request["prompt"] == nil)
    #expect(try await authctl.login(issuer, "--scope", "openid offline_access").status == 0)
    #expect(request["scope"] == "openid offline_access" && request["prompt"] == "consent")
  }

  @Test func `a refused scope is named, with the option that changes it`() async throws {
    issuer.quirks.refusesUnlistedScopes = true
    let login = try await authctl.login(issuer, "--scope", "openid admin:all")
    #expect(login.status == 4)
    #expect(login.err.contains("'admin:all'") && login.err.contains("--scope"))
  }

  @Test(arguments: ["consent_required", "login_required", "interaction_required", "account_selection_required"])
  func `a user who does not complete the required interaction has declined, except where there was no page`(
    code: String
  ) async throws {
    issuer.user = .causes(error: code)
    let declined = try await authctl.login(issuer)
    #expect(declined.status == 4)
    #expect(try declined.events().last?["code"] == "declined")
    let silent = try await authctl.login(issuer, "--prompt", "none")
    #expect(silent.status == 3)
    #expect(request["prompt"] == "none" && silent.err.contains("without --prompt none"))
  }

  @Test func `tokens are bound to a key where that is asked for`() async throws {
    #expect(try await authctl.login(issuer, "--dpop").status == 0)
    #expect(try await authctl.run("token", "--json").events().last?["token_type"] == "DPoP")
    #expect(try await authctl.run("request", issuer.url(.resource).absoluteString).status == 0)
    #expect(issuer.counters.proofsAccepted > 1)
  }

  @Test func `an issuer that binds no tokens is said to be one`() async throws {
    issuer.quirks.ignoresProofs = true
    let login = try await authctl.run(
      "login", "--issuer", issuer.identifier, "--client-id", "app", "--flow", "password", "--username", "ada",
      "--password-stdin", "--dpop", input: "correct horse\n")
    #expect(login.status == 7 && login.err.contains("without --dpop"))
  }

  @Test func `an issuer that differs by a slash is named, and how to write it`() async throws {
    let asked = issuer.identifier
    issuer.quirks.metadata = ["issuer": .string(asked + "/")]
    let login = try await authctl.login(issuer)
    #expect(login.status == 7)
    #expect(login.err.contains("'\(asked)/'") && login.err.contains("Write --issuer exactly so."))
  }

  @Test func `an issuer that does not know the redirect keeps its page, and the redirect to register is named`()
    async throws
  {
    let login = try await authctl.login(issuer, "--redirect-path", "/elsewhere", "--timeout", "1")
    #expect(login.status == 5)
    #expect(login.err.contains("Register http://127.0.0.1/elsewhere at the issuer"))
    #expect(login.err.contains("--redirect-port and --redirect-path"))
  }

  @Test func `an ignored redirect from the browser is reported at once, with advice`() async throws {
    let login = try await authctl.login(issuer) { redirect in
      for query in ["code=x", "code=x&state=old", "code=x&state=old", "error=invalid_scope"] {
        var stray = URLComponents(url: redirect, resolvingAgainstBaseURL: false)
        stray?.percentEncodedQuery = query
        if let url = stray?.url { _ = try await SystemHTTPClient().send(HTTPRequest(.get, url)) }
      }
      return redirect
    }
    #expect(login.status == 0)
    let lines = login.err.split(separator: "\n")
    try #require(lines.count == 3, "\(login.err)")
    #expect(lines[0].contains("without the 'state'") && lines[0].contains("tell it"))
    #expect(lines[1].contains("another sign-in") && lines[1].contains("begin again"))
    #expect(lines[2].contains("(invalid_scope)") && lines[2].contains("--scope"))
  }

  @Test func `control-C while the page is open names the redirect to register, in case the page refused it`()
    async throws
  {
    let files = TemporaryFolder()
    let errors = files.url.appending(path: "err")
    try Data().write(to: errors)
    let process = authctl.process([
      "login", "--issuer", issuer.identifier, "--client-id", "app", "--no-browser", "--json", "--redirect-path",
      "/back",
    ])
    process.standardError = try FileHandle(forUpdating: errors)
    let command = try RunningCommand(process)
    for await line in command.lines where line.contains("authorization_url") { break }
    #expect(await command.interrupt() == 130)
    let text = try String(contentsOf: errors, encoding: .utf8)
    #expect(text.contains("Not signed in.") && text.contains("Register http://127.0.0.1/back at the issuer"))
  }

  @Test(arguments: [["--flow", "device"], ["--method", "device"]])
  func `an issuer without devices is exit 64, and the option is named`(options: [String]) async throws {
    issuer.quirks.metadata = ["device_authorization_endpoint": .absent]
    let login = try await authctl.run(
      ["login", "--issuer", issuer.identifier, "--client-id", "app", "--json"] + options)
    #expect(login.status == 64, "\(login.err)")
    #expect(login.err.contains("--flow device") && login.err.contains("device authorization endpoint"))
    #expect(login.err.split(separator: "\n").count == 1)
    #expect(try login.events().map { $0["code"] } == ["usage"])
  }

  @Test func `a user is asked for consent by the option, too, and not at all where that is not needed`() async throws {
    #expect(try await authctl.login(issuer, "--no-consent").status == 0)
    #expect(request["scope"]?.contains("offline_access") == true && request["prompt"] == nil)
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
  }

  @Test func `a busy port is left by an option`() async throws {
    let port = String(try #require(issuer.identifier.split(separator: ":").last))
    let login = try await authctl.login(issuer, "--redirect-port", port)
    #expect(login.err.contains("another --redirect-port"))
  }

  @Test func `endpoints that are published nowhere can be named, and stay so`() async throws {
    issuer.quirks.metadata = ["token_endpoint": .absent, "revocation_endpoint": .absent]
    let without = try await authctl.login(issuer)
    #expect(without.status == 1 && without.err.contains("--metadata"))
    let login = try await authctl.login(
      issuer, "--metadata", "token_endpoint=\(issuer.url(.token).absoluteString)",
      "--metadata", "revocation_endpoint=\(issuer.url(.revocation).absoluteString)")
    #expect(login.status == 0, "\(login.err)")
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    #expect(try await authctl.run("logout").status == 0)
    #expect(issuer.counters.liveSignIns == 0)
  }

  @Test(arguments: [
    ["--prompt", "maybe"], ["--prompt", "none login"], ["--prompt", ""], ["--param", "x"], ["--param", "=x"],
    ["--param", "state=x"], ["--param", "prompt=x"], ["--param", "x=1", "--param", "x=2"], ["--token-auth", "basic"],
    ["--token-auth", "digest"], ["--metadata", "x=https://x.example"],
    ["--metadata", "token_endpoint=http://x.example"],
    ["--flow", "device", "--prompt", "login"], ["--no-consent", "--prompt", "login"],
    ["--client-secret-file", "/nowhere"],
    ["--flow", "password", "--password-stdin", "--client-secret-file", "/dev/stdin"],
  ])
  func `an impossible option is exit 64, named, and nothing is sent`(options: [String]) async throws {
    let login = try await authctl.run(
      ["login", "--issuer", issuer.identifier, "--client-id", "app", "--username", "ada"] + options)
    #expect(login.status == 64)
    #expect(login.err.split(separator: "\n").count == 1)
    let names = options.filter { $0.hasPrefix("--") } + ["Standard input"]
    #expect(names.contains { login.err.contains($0) }, "\(login.err)")
    #expect(issuer.allRequests.isEmpty)
  }

  @Test(arguments: [(60, "1 minute."), (119, "1 minute."), (120, "2 minutes."), (1, "1 second."), (59, "59 seconds.")])
  func `how long a code is good for is said in good English`(seconds: Int, words: String) async throws {
    var options = LoopbackOpenIDIssuer.Options()
    options.deviceCodeLifetime = .seconds(seconds)
    options.deviceInterval = .seconds(1)
    let issuer = LoopbackOpenIDIssuer(options)
    try await issuer.start()
    let user = Task {
      await issuer.waitForRequest(on: .deviceAuthorization)
      issuer.approveDevice()
    }
    let login = try await authctl.run(
      "login", "--issuer", issuer.identifier, "--client-id", "app", "--flow", "device", "--timeout", "60")
    user.cancel()
    #expect(login.err.contains("The code is good for \(words)\n"))
  }

  @Test func `a code whose issuer failed until its end is exit 5, and blames no user`() async throws {
    var options = LoopbackOpenIDIssuer.Options()
    // Long enough for one poll on a slow machine.
    options.deviceCodeLifetime = .seconds(10)
    options.deviceInterval = .seconds(1)
    let issuer = LoopbackOpenIDIssuer(options)
    try await issuer.start()
    issuer.set(.usual(.status(503)), on: .token)
    let login = try await authctl.run(
      "login", "--issuer", issuer.identifier, "--client-id", "app", "--flow", "device", "--json")
    #expect(login.status == 5)
    #expect(try login.events().last?["code"] == "server_failed")
  }
}
