import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Crypto
import Foundation
import Testing

/// `authctl` for a program without a user.
@Suite(.serialized) struct AuthCTLServiceTests {
  let authctl: AuthCTL
  let folder = TemporaryFolder()
  private let key = P256.Signing.PrivateKey()

  init() throws { authctl = try AuthCTL() }

  private func issuer(
    _ change: (inout LoopbackOpenIDIssuer.Options) -> Void = { _ in }
  ) async throws -> LoopbackOpenIDIssuer {
    var options = LoopbackOpenIDIssuer.Options()
    options.clientSecret = "s3cret"
    change(&options)
    let issuer = LoopbackOpenIDIssuer(options)
    try await issuer.start()
    return issuer
  }

  private func file(_ text: String, _ name: String = "secret") throws -> String {
    let url = folder.url.appending(path: name)
    try Data(text.utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    return url.path
  }

  private var registered: String {
    let point = key.publicKey.rawRepresentation
    let text = { (data: Data) in
      data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    return #"{"kty":"EC","crv":"P-256","x":"\#(text(point.prefix(32)))","y":"\#(text(point.suffix(32)))"}"#
  }

  private func login(_ issuer: LoopbackOpenIDIssuer, _ arguments: String...) async throws -> AuthCTL.Outcome {
    try await authctl.run(
      ["login", "--provider", "service", "--issuer", issuer.identifier, "--client-id", "app", "--json"] + arguments)
  }

  private func grants(_ issuer: LoopbackOpenIDIssuer) -> Int {
    issuer.tokenRequests(for: "client_credentials").count
  }

  /// As if the stored tokens had expired.
  private func forgetTokens() throws {
    let tokens = try authctl.sessionFiles()
    #expect(tokens.count == 1)
    for file in tokens { try FileManager.default.removeItem(at: file) }
  }

  @Test func `a service logs in with its secret, has no user, and logs out`() async throws {
    let issuer = try await issuer()
    let login = try await login(issuer, "--client-secret-file", file("s3cret\n"), "--scope", "orders.read")
    #expect(login.status == 0 && login.err.isEmpty, "\(login.err)")
    let event = try #require(login.events().last)
    #expect(event["event"] == "signed_in" && event["user"] == nil && event["expires_at"] != nil)
    let status = try #require(try await authctl.run("status", "--json").events().first)
    #expect(status["state"] == "signed_in" && status["user"] == nil && status["provider"] == "service")
    #expect(status["issuer"] == issuer.identifier)
    let token = try await authctl.run("token")
    #expect(token.status == 0 && token.out.split(separator: "\n").count == 1)
    #expect(grants(issuer) == 1)
    let response = try await authctl.run("request", issuer.url(.resource).absoluteString)
    #expect(response.status == 0 && response.out.contains("orders.read"))
    #expect(try await authctl.run("request", "https://elsewhere.example.com").status == 7)
    let logout = try await authctl.run("logout")
    #expect(logout.status == 0 && logout.err == "Signed out here and at the provider.\n")
    #expect(issuer.requests(on: .revocation).count == 1)
    #expect(try await authctl.run("status").status == 3)
    #expect(try await authctl.run("token").status == 3)
  }

  @Test func `twenty processes without a token make one request`() async throws {
    let issuer = try await issuer()
    #expect(try await login(issuer, "--client-secret-file", file("s3cret")).status == 0)
    try forgetTokens()
    let tokens = try await withThrowingTaskGroup(of: AuthCTL.Outcome.self) { group in
      for _ in 0..<20 { group.addTask { try await authctl.run("token") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens.allSatisfy { $0.status == 0 } && Set(tokens.map(\.out)).count == 1)
    #expect(grants(issuer) == 2)
  }

  @Test func `a service logs in with a private key`() async throws {
    let issuer = try await issuer {
      $0.clientSecret = nil
      $0.clientKeys = [registered]
    }
    let path = try file(key.pemRepresentation, "key")
    let login = try await login(issuer, "--private-key", path, "--key-id", "2026")
    #expect(login.status == 0, "\(login.err)")
    try FileManager.default.removeItem(atPath: path)
    try forgetTokens()
    #expect(try await authctl.run("token").status == 0)
    let texts = login.out + login.err
    #expect(!texts.contains("PRIVATE KEY") && grants(issuer) == 2)
  }

  @Test func `a wrong secret or key is exit 4, and changes nothing`() async throws {
    let issuer = try await issuer()
    #expect(try await login(issuer, "--client-secret-file", file("s3cret")).status == 0)
    let wrong = try await login(issuer, "--client-secret-file", file("canary", "wrong"))
    #expect(wrong.status == 4 && wrong.err.contains("invalid_client") && !wrong.err.contains("canary"))
    let key = try await login(issuer, "--private-key", file(key.pemRepresentation, "key"))
    #expect(key.status == 4)
    #expect(try await authctl.run("token").status == 0)
    issuer.set(.error("invalid_client", status: 401), on: .token)
    try forgetTokens()
    #expect(try await authctl.run("token").status == 4)
    issuer.set(.error("server_error", status: 500), on: .token)
    #expect(try await authctl.run("token").status == 5)
  }

  @Test func `a clock that is off by an hour is exit 7`() async throws {
    let issuer = try await issuer {
      $0.clientSecret = nil
      $0.clientKeys = [registered]
    }
    issuer.quirks.clockOffset = .seconds(3_600)
    let login = try await login(issuer, "--private-key", file(key.pemRepresentation, "key"))
    #expect(login.status == 7 && login.out.contains("clock_skewed"))
  }

  @Test func `an invalid private key, or an option that a service does not take, exits with 64, and nothing is sent`()
    async throws
  {
    let issuer = try await issuer()
    let secret = try file("s3cret")
    let other = try file(P384.Signing.PrivateKey().pemRepresentation, "p384")
    for arguments in [
      ["--private-key", secret], ["--private-key", other], ["--private-key", folder.url.path + "/none"], [],
      ["--client-secret-file", secret, "--private-key", other], ["--client-secret-file", secret, "--key-id", "1"],
      ["--client-secret-file", secret, "--username", "ada"], ["--client-secret-file", secret, "--flow", "device"],
    ] {
      let fixed = ["login", "--provider", "service", "--issuer", issuer.identifier, "--client-id", "app"]
      let outcome = try await authctl.run(fixed + arguments)
      #expect(outcome.status == 64 && !outcome.err.contains("s3cret"), "\(arguments): \(outcome.err)")
    }
    #expect(issuer.requests(on: .token).isEmpty && issuer.requests(on: .discovery).isEmpty)
    #expect(try await login(issuer, "--client-secret-file", secret).status == 0)
    #expect(try await authctl.run("methods").status == 64)
  }

  @Test func `each resource has a token of its own, which goes to its origin only`() async throws {
    let issuer = try await issuer { $0.resources = ["https://orders.example.com"] }
    let origin = try #require(Origin(issuer.url(.resource)))
    let login = try await login(
      issuer, "--client-secret-file", file("s3cret"), "--resource", "https://orders.example.com=\(origin)")
    #expect(login.status == 0, "\(login.err)")
    #expect(issuer.requests(on: .token).last?.form["resource"] == nil)
    let own = try await authctl.run("token")
    let resource = try await authctl.run("token", "--resource", "https://orders.example.com")
    #expect(resource.status == 0 && own.out != resource.out)
    #expect(issuer.requests(on: .token).last?.form["resource"] == "https://orders.example.com")
    #expect(try await authctl.run("request", issuer.url(.resource).absoluteString).status == 0)
    #expect(grants(issuer) == 2)
    #expect(try await authctl.run("token", "--resource", "https://other.example.com").status == 64)
  }
}
