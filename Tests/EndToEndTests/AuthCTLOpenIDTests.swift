import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// `authctl` as a process, at an issuer on this machine.
@Suite(.serialized) struct AuthCTLOpenIDTests {
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer

  init() async throws {
    authctl = try AuthCTL()
    issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
  }

  @Test func `a user logs in in the browser, calls an API, and logs out, and nothing is left`() async throws {
    let login = try await authctl.login(issuer)
    #expect(login.status == 0, "\(login.err)")
    #expect(try login.events().map { $0["event"] } == ["authorization_url", "signed_in"])
    #expect(login.out.contains(#""user":{"email":"ada@example.com","id":"248289761001","name":"Ada Lovelace"}"#))
    #expect(try login.events().last?["storage"] == "file")

    let status = try await authctl.run("status", "--json")
    #expect(try status.events().first?["state"] == "signed_in")
    #expect(try status.events().first?["issuer"] == issuer.identifier)
    #expect(try status.events().first?["provider"] == "openid")

    let token = try await authctl.run("token")
    #expect(token.status == 0)
    let resource = try await authctl.run("request", issuer.url(.resource).absoluteString)
    #expect(resource.status == 0)
    #expect(issuer.requests(on: .resource).last?.header("Authorization") == "Bearer \(token.out.dropLast())")

    let logout = try await authctl.run("logout")
    #expect(logout.status == 0)
    #expect(issuer.counters.liveSignIns == 0)
    #expect(try authctl.store(issuer).read()?.holdsNothing != false)
    #expect(try await authctl.run("status").status == 3)
  }

  @Test func `further claims of the issuer are printed on request, and a claim that is too large is named`()
    async throws
  {
    issuer.quirks.idTokenClaims["realm_access"] = .object(["roles": .array(["editor"])])
    issuer.quirks.userInfo["wide"] = .string(String(repeating: "x", count: 100_000))
    let login = try await authctl.login(issuer)
    #expect(login.err.contains("not kept: wide."))
    let status = try await authctl.run("status", "--claims", "--json")
    #expect(status.out.contains(#""realm_access":{"roles":["editor"]}"#))
    #expect(status.out.contains(#""email":"ada@example.com""#))
    for name in ["iss", "aud", "exp", "iat", "nonce", "at_hash"] { #expect(!status.out.contains("\"\(name)\":")) }
    #expect(status.err.contains("not kept: wide."))
    #expect(try await authctl.run("status", "--claims").out.contains(#"claim: {"realm_access":{"roles":["editor"]}}"#))
    #expect(try await !authctl.run("status", "--json").out.contains("claims"))
  }

  @Test(arguments: ["the ID token", "UserInfo"])
  func `a token that the issuer repeats in the claims of a user is printed by no command`(place: String) async throws {
    let claims: [String: JSON] = [
      "access_token": "canary-1", "id_token": "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.canary-2", "tier": "gold",
      "session": .object(["refresh_token": "canary-3", "apiToken": .array(["canary-4"]), "level": 3]),
      "grants": .array([.object(["password": "canary-5"]), "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.canary-6"]),
      "https://example.com/client_secret": "canary-7",
      "picture": "https://example.com/?t=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.canary-8",
    ]
    if place == "UserInfo" { issuer.quirks.userInfo = claims } else { issuer.quirks.idTokenClaims = claims }
    let login = try await authctl.login(issuer)
    var texts = [login.out, login.err]
    for words in [
      ["status", "--claims"], ["status", "--claims", "--json"], ["report", "--json"], ["profiles", "--json"],
    ] {
      let outcome = try await authctl.run(words)
      texts += [outcome.out, outcome.err]
    }
    for text in texts { #expect(!text.contains("canary"), "\(text)") }
    #expect(texts[4].contains(#""grants":[{}],"#) && texts[4].contains(#""session":{"level":3}"#))
    #expect(texts[4].contains(#""tier":"gold""#))
  }

  @Test func `a user logs in with a code on another device`() async throws {
    let login = try await authctl.run(
      ["login", "--issuer", issuer.identifier, "--client-id", "app", "--flow", "device", "--json"]
    ) { line in
      guard let code = AuthCTL.value("user_code", in: line) else { return }
      issuer.approveDevice(code, as: .grace)
    }
    #expect(login.status == 0, "\(login.err)")
    let events = try login.events()
    #expect(events.map { $0["event"] } == ["device_code", "signed_in"])
    #expect(events.first?["verification_uri"]?.isEmpty == false)
    #expect(events.first?["expires_in"] == "600")
    #expect(login.out.contains("Grace Hopper"))
    #expect(try await authctl.run("token").status == 0)
  }

  @Test func `a user logs in with a password where that is asked for by name`() async throws {
    let arguments = [
      "login", "--issuer", issuer.identifier, "--client-id", "app", "--flow", "password", "--username", "ada",
      "--password-stdin", "--json",
    ]
    let wrong = try await authctl.run(arguments, input: "wrong\n")
    #expect(wrong.status == 4)
    #expect(try wrong.events().last?["code"] == "invalid_credentials")
    let right = try await authctl.run(arguments, input: "correct horse\n")
    #expect(right.status == 0, "\(right.err)")
  }

  @Test func `a user who declines is exit 4, and nothing is stored`() async throws {
    issuer.user = .declines
    let login = try await authctl.login(issuer)
    #expect(login.status == 4)
    #expect(try login.events().last?["code"] == "declined")
    #expect(login.err.split(separator: "\n").filter { $0.hasPrefix("authctl: ") }.count == 1)
    #expect(try await authctl.run("status").status == 3)
  }

  @Test(arguments: ["logout", "login"]) func `a login whose page is open is cancelled by a logout or another login`(
    command: String
  ) async throws {
    let other =
      command == "logout"
      ? ["logout"]
      : [
        "login", "--issuer", issuer.identifier, "--client-id", "app", "--flow", "password", "--username", "ada",
        "--password-stdin",
      ]
    let login = try await authctl.login(issuer) { redirect in
      let outcome = try await authctl.run(other, input: "correct horse\n")
      #expect(outcome.status == 0, "\(outcome.err)")
      return redirect
    }
    #expect(login.status == 4, "\(login.err)")
    #expect(login.failures == ["cancelled"])
    #expect(login.err.contains("a logout or another login"))
    #expect(issuer.tokenRequests(for: "authorization_code").isEmpty)
  }

  @Test func `an ID token with another nonce is exit 7, and nothing is stored`() async throws {
    issuer.quirks.idTokenClaims["nonce"] = "forged"
    let login = try await authctl.login(issuer)
    #expect(login.status == 7)
    #expect(try authctl.store(issuer).read()?.holdsNothing != false)
  }

  @Test func `an issuer that is away is exit 5`() async throws {
    await issuer.stop()
    let login = try await authctl.login(issuer)
    #expect(login.status == 5)
    #expect(try login.events().map { $0["code"] } == ["unreachable"])
  }

  @Test func `no user at the browser is exit 5 when the time is over`() async throws {
    issuer.user = .leaves
    let login = try await authctl.login(issuer, "--timeout", "1")
    #expect(login.status == 5)
    #expect(try login.events().last?["code"] == "timed_out")
  }

  @Test func `a busy port that was asked for is named`() async throws {
    let port = String(try #require(issuer.identifier.split(separator: ":").last))
    let login = try await authctl.login(issuer, "--redirect-port", port)
    #expect(login.status == 1)
    #expect(try login.events().last?["code"] == "redirect_port_busy")
    #expect(login.err.contains(port))
  }

  @Test func `eight processes at expiry refresh once`() async throws {
    _ = try await authctl.login(issuer)
    let store = authctl.store(issuer)
    var record = try #require(try store.read())
    let session = try #require(record.session)
    let token = session.accessToken
    let old = try AccessToken(
      token.value, receivedAt: token.receivedAt.addingTimeInterval(-7_200), lifetime: token.lifetime)
    record.session = session.refreshed(with: SessionTokens(access: old))
    try store.save(record)
    let outcomes = try await withThrowingTaskGroup(of: AuthCTL.Outcome.self) { group in
      for _ in 0..<8 { group.addTask { try await authctl.run("token") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.map(\.status) == Array(repeating: 0, count: 8))
    #expect(Set(outcomes.map(\.out)).count == 1)
    #expect(issuer.tokenRequests(for: "refresh_token").count == 1)
  }

  @Test func `two users stay signed in in two profiles`() async throws {
    _ = try await authctl.login(issuer, "--profile", "one")
    issuer.user = .approves(.grace)
    _ = try await authctl.login(issuer, "--profile", "two")
    let one = try await authctl.run("status", "--json", "--profile", "one")
    let two = try await authctl.run("status", "--json", "--profile", "two")
    #expect(one.out.contains("Ada Lovelace"))
    #expect(two.out.contains("Grace Hopper"))
    _ = try await authctl.run("logout", "--profile", "one")
    #expect(try await authctl.run("token", "--profile", "two").status == 0)
  }

  @Test func `a client's secret is read once and kept with the session`() async throws {
    var options = LoopbackOpenIDIssuer.Options()
    options.clientSecret = "s3cret"
    let issuer = LoopbackOpenIDIssuer(options)
    try await issuer.start()
    let file = TemporaryFolder()
    let url = file.url.appending(path: "secret")
    try Data("s3cret\n".utf8).write(to: url)
    let login = try await authctl.login(issuer, "--client-secret-file", url.path)
    #expect(login.status == 0, "\(login.err)")
    try FileManager.default.removeItem(at: url)
    _ = try await authctl.run("token", "--min-ttl", "100000")
    #expect(issuer.tokenRequests(for: "refresh_token").last?.header("Authorization")?.hasPrefix("Basic ") == true)
  }

  @Test(arguments: BadInput.all)
  func `an answer that cannot be used has its own code, and nothing is stored`(input: BadInput) async throws {
    input.spoil(issuer)
    let login = try await authctl.login(issuer)
    #expect(login.status == input.status, "\(login.err)")
    #expect(try login.events().last?["code"] == input.code)
    #expect(login.err.split(separator: "\n").count == 1)
    #expect(!login.err.contains("canary") && !login.out.contains("canary"))
    #expect(try authctl.store(issuer).read()?.holdsNothing != false)
  }

  @Test func `where no provider can be told, a sign-out does not say that one was`() async throws {
    _ = try await authctl.login(issuer)
    issuer.set(.error("invalid_client", status: 401), on: .revocation)
    let logout = try await authctl.run("logout")
    #expect(logout.status == 0)
    #expect(
      logout.err.hasPrefix(
        "Signed out here. The issuer refuses to revoke tokens for this client (HTTP 401, invalid_client). "
          + "The refresh token may still work there until it expires.\n"))
    #expect(try authctl.store(issuer).read()?.holdsNothing != false)
  }

  @Test func `with --json only a failure is printed for users`() async throws {
    let login = try await authctl.login(issuer)
    #expect(login.status == 0)
    #expect(login.err.isEmpty)
  }
}

struct BadInput: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: String
  let status: Int32
  let spoil: @Sendable (LoopbackOpenIDIssuer) -> Void

  init(
    _ name: String, _ code: String, _ status: Int32, _ spoil: @escaping @Sendable (LoopbackOpenIDIssuer) -> Void
  ) {
    testDescription = name
    self.code = code
    self.status = status
    self.spoil = spoil
  }

  static let all: [BadInput] = [
    .init("discovery as HTML", "unexpected_response", 1) {
      $0.set(.body("<html>canary</html>", contentType: "text/html"), on: .discovery)
    },
    .init("discovery of 5 MB", "response_too_large", 1) {
      $0.set(.body(String(repeating: " ", count: 5 << 20)), on: .discovery)
    },
    .init("a key set that is none", "unexpected_response", 1) { $0.set(.body(#"{"keys":"canary"}"#), on: .keys) },
    .init("a key of 512 bits", "security", 7) { $0.quirks.keySet = .keySetOf512Bits },
    .init("an ID token of 70 kB", "security", 7) {
      $0.quirks.idTokenClaims["filler"] = .string(String(repeating: "canary", count: 12_000))
    },
    .init("an ID token nested 1,000 deep", "security", 7) { issuer in
      issuer.quirks.idTokenClaims["deep"] = (0..<1_000).reduce(.array([])) { deep, _ in .array([deep]) }
    },
    .init("a clock one hour off", "clock_skewed", 7) { $0.quirks.clockOffset = .seconds(3_600) },
  ]
}
