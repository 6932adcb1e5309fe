import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// `authctl` at a protected resource of which it knows the address only.
@Suite(.serialized) struct AuthCTLProtectedResourceTests {
  let authctl: AuthCTL

  init() throws { authctl = try AuthCTL() }

  private func resource(
    _ change: (inout LoopbackProtectedResource.Options) -> Void = { _ in }
  ) async throws -> LoopbackProtectedResource {
    var options = LoopbackProtectedResource.Options()
    change(&options)
    let server = LoopbackProtectedResource(options)
    try await server.start()
    return server
  }

  private func login(_ server: LoopbackProtectedResource, _ arguments: String...) async throws -> AuthCTL.Outcome {
    let fixed = ["login", "--protected-resource", server.address.absoluteString, "--no-browser", "--json"]
    return try await authctl.run(fixed + arguments) { line in
      guard let page = AuthCTL.value("url", in: line).flatMap(URL.init(string:)),
        let landing = try await server.visit(page)
      else { return }
      _ = try await SystemHTTPClient().send(HTTPRequest(.get, landing))
    }
  }

  private func at(_ server: LoopbackProtectedResource, _ path: String) -> String {
    server.address.absoluteString.replacing("/mcp", with: path)
  }

  @Test func `an address is enough to log in, to call, and to log out`() async throws {
    let server = try await resource()
    let outcome = try await login(server)
    #expect(outcome.status == 0 && outcome.err.isEmpty, "\(outcome.err)")
    let events = try outcome.events()
    #expect(events.map { $0["event"] } == ["registered", "authorization_url", "signed_in"])
    #expect(events.first?["client_id"] == server.clients.first && events.first?["issuer"] == at(server, ""))
    let status = try #require(try await authctl.run("status", "--json").events().first)
    #expect(status["state"] == "signed_in" && status["provider"] == "resource" && status["issuer"] == at(server, ""))
    #expect(try await authctl.run("status", "--claims").out.contains("claim: {\"iss\"") == false)
    #expect(try await authctl.run("request", server.address.absoluteString + "/notes").status == 0)
    let asked = server.traffic.operations.count
    for path in ["/mcpx", "/", "/mcp/../register"] {
      let refused = try await authctl.run("request", at(server, path))
      #expect(refused.status == 7, "\(path): \(refused.err)")
    }
    #expect(server.traffic.operations.count == asked)
    server.revokeAllAccessTokens()
    #expect(try await authctl.run("request", server.address.absoluteString).status == 0)
    #expect(try await authctl.run("logout").status == 0)
    #expect(server.traffic.requests(on: "revocation").isEmpty == false)
    #expect(server.clients.count == 1)
  }

  @Test func `the token is given to git, docker and kubectl for the resource's path only`() async throws {
    let server = try await resource()
    _ = try await login(server)
    let host = at(server, "").dropFirst("http://".count)
    let asked = ["path=mcp", "path=mcp/notes.git", "", "path=", "path=mcpx", "path=other", "path=mcp/../other"]
    for (index, path) in asked.enumerated() {
      let input = "protocol=http\nhost=\(host)\n\(path.isEmpty ? "" : path + "\n")\n"
      let outcome = try await authctl.run(["token", "--format", "git", "get"], input: input)
      #expect(outcome.status == 0 && outcome.out.isEmpty == (index > 1), "\(path): \(outcome.out)")
    }
    for (path, status) in [("/mcp", 0), ("/mcp/v2/", 0), ("", 1), ("/other", 1), ("/mcp/../other", 1)]
      as [(String, Int32)]
    {
      let docker = try await authctl.run(["token", "--format", "docker", "get"], input: at(server, path))
      #expect(docker.status == status, "\(path): \(docker.out)")
    }
  }

  @Test func `a registration stays after a logout, and a login that failed`() async throws {
    let server = try await resource()
    server.traffic.set(.error("server_error"), on: "token authorization_code")
    #expect(try await login(server).status != 0)
    server.traffic.set(nil, on: "token authorization_code")
    #expect(try await login(server).status == 0)
    #expect(try await authctl.run("logout").status == 0)
    let again = try await login(server)
    #expect(try again.events().map { $0["event"] } == ["authorization_url", "signed_in"])
    #expect(server.traffic.requests(on: "register").count == 1)
    server.forgetClients()
    let anew = try await login(server)
    #expect(try anew.events().map { $0["event"] } == ["registered", "authorization_url", "signed_in"])
    #expect(server.clients.count == 1)
  }

  @Test func `logout --forget removes the registration, here and at the server`() async throws {
    let server = try await resource()
    #expect(try await login(server).status == 0)
    let outcome = try await authctl.run("logout", "--forget")
    #expect(outcome.status == 0 && outcome.err.hasSuffix("The registration of this program is forgotten.\n"))
    #expect(server.clients.isEmpty)
    #expect(try await login(server).events().first?["event"] == "registered")
    #expect(try await authctl.run("logout").status == 0)
    #expect(try await authctl.run("logout", "--forget").status == 0)
    #expect(server.clients.isEmpty)
  }

  @Test func `logout --forget says when the server may still know the program`() async throws {
    let server = try await resource { $0.registration = ["registration_client_uri": nil] }
    #expect(try await login(server).status == 0)
    let outcome = try await authctl.run("logout", "--forget")
    #expect(outcome.status == 0 && outcome.err.hasSuffix("The authorization server may still have it.\n"))
    #expect(try await login(server).events().first?["event"] == "registered")
  }

  @Test func `a user without a browser here types a code elsewhere`() async throws {
    let server = try await resource { $0.offersDevice = true }
    let fixed = ["login", "--protected-resource", server.address.absoluteString, "--flow", "device", "--json"]
    let outcome = try await authctl.run(fixed) { line in
      if AuthCTL.value("user_code", in: line) != nil { server.approveDevice() }
    }
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(try outcome.events().map { $0["event"] } == ["registered", "device_code", "signed_in"])
  }

  @Test func `a client that was agreed on, and a metadata document, come without a registration`() async throws {
    let server = try await resource { $0.takesMetadataDocuments = true }
    let document = "https://app.example.com/client.json"
    for option in ["--client-metadata", "--client-id"] {
      let outcome = try await login(server, option, document)
      #expect(outcome.status == 0, "\(outcome.err)")
      #expect(try outcome.events().map { $0["event"] } == ["authorization_url", "signed_in"])
      #expect(server.traffic.requests(on: "authorization").last?.query.contains("app.example.com") == true)
    }
    #expect(server.clients.isEmpty)
  }

  @Test func `metadata that fails a check is exit 7, and names document and member`() async throws {
    let server = try await resource { $0.resourceMetadata = ["authorization_servers": []] }
    let first = try await login(server)
    #expect(first.status == 7)
    #expect(first.err.contains("protected resource metadata") && first.err.contains("'authorization_servers'"))
    server.options.resourceMetadata = [:]
    server.options.serverMetadata = ["code_challenge_methods_supported": nil]
    let second = try await login(server)
    #expect(second.status == 7)
    #expect(
      second.err.contains("authorization server metadata") && second.err.contains("'code_challenge_methods_supported'"))
    server.options.serverMetadata = [:]
    server.options.registration = ["client_id": nil]
    let third = try await login(server)
    #expect(third.status == 7)
    #expect(third.err.contains("registration response") && third.err.contains("'client_id'"))
    #expect(try await authctl.run("status").status == 3)
  }

  @Test func `the exit code names the party that must act`() async throws {
    let closed = try await resource { $0.registersClients = false }
    let refused = try await login(closed)
    #expect(refused.status == 4 && refused.err.contains("--client-id"), "\(refused.err)")
    let open = try await resource()
    open.traffic.set(.body("{}"), on: "resource")
    let needless = try await login(open)
    #expect(needless.status == 4 && needless.err.contains("needs no token"), "\(needless.err)")
    open.traffic.set(.body("{}", status: 503), on: "server metadata")
    open.traffic.set(nil, on: "resource")
    #expect(try await login(open).status == 5)
    open.traffic.set(.body("<html>", contentType: "text/html"), on: "server metadata")
    #expect(try await login(open).status == 7)
  }

  @Test func `a client's secret goes to the issuer that is named with it, and nowhere else`() async throws {
    let server = try await resource {
      $0.takesMetadataDocuments = true
      $0.authenticationMethods = ["client_secret_post"]
    }
    let file = authctl.home.url.appending(path: "secret")
    try Data("canary-configured\n".utf8).write(to: file)
    let client = ["--client-id", "https://app.example.com/client.json", "--client-secret-file", file.path()]
    let fixed = ["login", "--protected-resource", server.address.absoluteString, "--no-browser", "--json"]
    for flow in ["browser", "device"] {
      let unnamed = try await authctl.run(fixed + client + ["--flow", flow])
      #expect(unnamed.status == 64 && unnamed.err.contains("--issuer"), "\(unnamed.err)")
      #expect(server.traffic.operations.isEmpty)
    }
    let other = try await authctl.run(fixed + client + ["--issuer", "https://id.example.com"])
    #expect(other.status == 7 && other.err.contains("'authorization_servers'"), "\(other.err)")
    #expect(server.traffic.operations == ["resource", "resource metadata"])
    for issuer in ["id.example.com", "http://id.example.com", "https://id.example.com?x=1"] {
      let wrong = try await authctl.run(fixed + client + ["--issuer", issuer])
      #expect(wrong.status == 64 && wrong.err.contains("--issuer"), "\(wrong.err)")
    }
    let outcome = try await login(server, client[0], client[1], client[2], client[3], "--issuer", at(server, ""))
    #expect(outcome.status == 0, "\(outcome.err)")
    let token = server.traffic.requests(on: "token authorization_code").last
    #expect(token.map { String(decoding: $0.body, as: UTF8.self).contains("client_secret=canary-configured") } == true)
    server.revokeAllAccessTokens()
    #expect(try await authctl.run("request", server.address.absoluteString).status == 0)
    #expect(try await authctl.run("logout").status == 0)
    let kept = try FileManager.default.subpathsOfDirectory(atPath: authctl.home.url.path()).filter { path in
      let data = try? Data(contentsOf: authctl.home.url.appending(path: path))
      return path != "secret" && data?.range(of: Data("canary-configured".utf8)) != nil
    }
    #expect(kept == [])
  }

  @Test func `two resources of one issuer share a registration, and --forget removes every one`() async throws {
    let first = try await resource()
    let second = try await resource()
    let third = try await resource()
    second.options.resourceMetadata = ["authorization_servers": [.string(at(first, ""))]]
    #expect(try await login(first).status == 0)
    let shared = try await login(second)
    #expect(try shared.events().map { $0["event"] } == ["authorization_url", "signed_in"])
    #expect(try await login(third).status == 0)
    #expect(first.clients.count == 1 && second.clients.isEmpty && third.clients.count == 1)
    third.traffic.set(.body("{}", status: 403), on: "registration DELETE")
    let outcome = try await authctl.run("logout", "--forget")
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(outcome.err.contains("\(at(first, "")) removed the registration."), "\(outcome.err)")
    #expect(outcome.err.contains("\(at(third, "")) refused to remove the registration (HTTP 403)."), "\(outcome.err)")
    #expect(outcome.err.hasSuffix("The authorization server may still have it.\n"))
    #expect(first.clients.isEmpty)
    #expect(try await login(first).events().first?["event"] == "registered")
  }

  @Test func `logout --forget removes the registration of a login that failed`() async throws {
    let server = try await resource()
    server.traffic.set(.error("server_error"), on: "token authorization_code")
    #expect(try await login(server).status != 0)
    #expect(server.clients.count == 1)
    let outcome = try await authctl.run("logout", "--forget")
    #expect(outcome.status == 0 && outcome.err.hasSuffix("The registration of this program is forgotten.\n"))
    #expect(server.clients.isEmpty)
  }

  @Test(arguments: ["café", "a\u{1B}b"]) func `a client id that cannot be used is exit 7, and nothing is kept`(
    id: String
  ) async throws {
    let server = try await resource { $0.registration = ["client_id": .string(id)] }
    let outcome = try await login(server)
    #expect(outcome.status == 7, "\(outcome.err)")
    #expect(outcome.err.contains("registration response") && outcome.err.contains("'client_id'"))
    #expect(try outcome.events().map { $0["event"] } == ["error"])
    server.options.registration = [:]
    #expect(try await login(server).events().map { $0["event"] } == ["registered", "authorization_url", "signed_in"])
  }

  @Test func `a missing endpoint and a private address are named before a registration`() async throws {
    let server = try await resource()
    let fixed = ["login", "--protected-resource", server.address.absoluteString, "--json"]
    let device = try await authctl.run(fixed + ["--flow", "device"])
    #expect(device.status == 7 && device.err.contains("'device_authorization_endpoint'"), "\(device.err)")
    for (member, url) in [
      ("token_endpoint", "https://10.0.0.1/token"), ("authorization_endpoint", "https://id.localhost/"),
    ] {
      server.options.serverMetadata = [member: .string(url)]
      let outcome = try await login(server)
      #expect(outcome.status == 7 && outcome.err.contains("'\(member)'"), "\(outcome.err)")
      #expect(outcome.err.contains("authorization server metadata"))
    }
    #expect(server.clients.isEmpty)
  }

  static let wrong: [[String]] = [
    ["https://10.0.0.1/mcp"], ["http://notes.example.com/mcp"], ["notes"], ["https://[fd00::1]/mcp"],
    ["https://notes.example.com/mcp", "--issuer", "https://id.example.com"],
    ["https://notes.example.com/mcp", "--provider", "firebase"],
    ["https://notes.example.com/mcp", "--flow", "password"], ["https://notes.example.com/mcp", "--dpop"],
    ["https://notes.example.com/mcp", "--endpoint", "https://id.example.com"],
    ["https://notes.example.com/mcp", "--allow-origin", "https://id.example.com"],
    ["https://notes.example.com/mcp", "--resource", "a=https://id.example.com"],
    ["https://notes.example.com/mcp", "--client-metadata", "http://app.example.com/client.json"],
    ["https://notes.example.com/mcp", "--client-metadata", "https://app.example.com"],
    ["https://notes.example.com/mcp", "--client-secret-file", "/dev/null"],
    ["https://notes.example.com/mcp", "--client-secret-file", "/dev/null", "--issuer", "https://id.example.com"],
    ["https://notes.localhost/mcp"], ["https://[fe80::1%25eth0]/mcp"],
  ]

  @Test(arguments: wrong) func `an impossible option exits with 64, and nothing is sent`(options: [String]) async throws
  {
    let outcome = try await authctl.run(["login", "--protected-resource"] + options)
    #expect(outcome.status == 64, "\(outcome.err)")
    #expect(outcome.err.split(separator: "\n").count == 1, "\(outcome.err)")
  }

  @Test func `only a protected resource has a registration to forget`() async throws {
    let issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
    #expect(try await authctl.login(issuer).status == 0)
    #expect(try await authctl.run("logout", "--forget").status == 64)
    #expect(try await authctl.run("logout", "--local", "--forget").status == 64)
    #expect(try await authctl.run("status").status == 0)
  }
}
