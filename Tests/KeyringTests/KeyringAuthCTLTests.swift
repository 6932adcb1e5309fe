import AuthenticationData
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

extension KeyringTests {
  @Suite struct AuthCTLTests {
    let home = TemporaryFolder()
    let server = LoopbackIdentityServer()
    let url: URL

    init() async throws { url = try await server.start() }

    @Test func `a user logs in, calls an API and logs out, and no file ever holds a token`() throws {
      let login = try login()
      #expect(login.status == 0)
      #expect(login.out.contains(#""storage":"secret-service""#))
      let status = try authctl("status", "--json")
      #expect(status.status == 0)
      #expect(status.out.contains(#""state":"signed_in","storage":"secret-service""#))
      let token = try authctl("token")
      #expect(token.status == 0)
      let secret = token.out.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(secret.count > 8)
      for file in FileManager.default.enumerator(atPath: home.url.path)?.compactMap({ $0 as? String }) ?? [] {
        let data = (try? Data(contentsOf: home.url.appending(path: file))) ?? Data()
        #expect(!String(decoding: data, as: UTF8.self).contains(secret))
      }
      #expect(try authctl("request", url.absoluteString + "/api/notes").status == 0)
      #expect(try authctl("logout").status == 0)
      #expect(server.counters.liveFamilies == 0)
      #expect(try authctl("status").status == 3)
    }

    @Test func `a login without a bus keeps its session in a file, and goes on doing so`() throws {
      #expect(try login(changing: Self.noBus).out.contains(#""storage":"file""#))
      #expect(try authctl("status", "--json").out.contains(#""state":"signed_in","storage":"file""#))
      #expect(try login().out.contains(#""storage":"file""#))
      #expect(try authctl("token").status == 0)
    }

    @Test func `a first login while the keyring is locked says where the session is, and how to move it`() throws {
      try Keyring.lock()
      defer { try? Keyring.unlock() }
      let first = try login()
      #expect(first.out.contains(#""storage":"file""#))
      #expect(first.err.contains("The keyring is locked") && first.err.contains("--storage secret-service"))
      #expect(!(try login()).err.contains("locked"), "once it is known")
      try Keyring.unlock()
      #expect(try login("--storage", "secret-service").out.contains(#""storage":"secret-service""#))
      #expect(try authctl("status", "--json", "--storage", "file").status == 3)
    }

    @Test func `where the keyring is away the session is unavailable, and is there again with it`() throws {
      _ = try login()
      let status = try authctl("status", "--json", changing: Self.noBus)
      #expect(status.status == 6)
      #expect(status.out.contains(#""reason":"storage_unavailable""#))
      #expect(status.out.contains(#""state":"unavailable","storage":"secret-service""#))
      #expect(try authctl("token", changing: Self.noBus).status == 6)
      #expect(try login(changing: Self.noBus).status == 6)
      #expect(server.counters.requests(on: .signIn) == 1)
      #expect(try authctl("token").status == 0)
    }

    @Test func `a locked keyring is exit 6, and the session is there when it opens`() throws {
      _ = try login()
      try Keyring.lock()
      defer { try? Keyring.unlock() }
      let token = try authctl("token", "--json")
      #expect(token.status == 6)
      #expect(token.out.contains(#""code":"storage_unavailable""#))
      #expect(try authctl("status", "--json").out.contains(#""state":"unavailable""#))
      try Keyring.unlock()
      #expect(try authctl("token").status == 0)
    }

    @Test func `a user who does not unlock the keyring is told apart, with exit 6`() throws {
      _ = try login()
      try Keyring.lock()
      defer { try? Keyring.unlock() }
      // A display, so that there is a prompt; nothing is on it, so that the prompt is not answered.
      let token = try authctl("token", "--json", changing: ["DISPLAY": ":99"])
      #expect(token.status == 6)
      #expect(token.out.contains(#""code":"user_presence_required""#))
    }

    @Test func `the storage that is named is the one that is used`() throws {
      #expect(try login("--storage", "file").out.contains(#""storage":"file""#))
      #expect(try authctl("status", "--json", "--storage", "secret-service").status == 3)
      #expect(try login("--storage", "secret-service").out.contains(#""storage":"secret-service""#))
      #expect(try authctl("status", "--json", "--storage", "file").status == 3)
      #expect(server.counters.liveFamilies == 1)
      #expect(try authctl("token").status == 0)
    }

    @Test func `two homes with one keyring are two sessions`() throws {
      _ = try login()
      let other = TemporaryFolder()
      #expect(try authctl("status", changing: ["AUTHCTL_HOME": other.url.path]).status == 3)
    }

    private static let noBus: [String: String?] = ["DBUS_SESSION_BUS_ADDRESS": nil, "XDG_RUNTIME_DIR": nil]

    private func login(_ options: String..., changing: [String: String?] = [:]) throws -> Command.Outcome {
      try authctl(
        ["login", "--base-url", url.absoluteString, "--username", "ada", "--password-stdin", "--json"] + options,
        input: "correct horse\n", changing: changing)
    }

    private func authctl(_ arguments: String..., changing: [String: String?] = [:]) throws -> Command.Outcome {
      try authctl(arguments, changing: changing)
    }

    private func authctl(
      _ arguments: [String], input: String = "", changing: [String: String?]
    ) throws -> Command.Outcome {
      let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "authctl")
      return try Command.run(
        program.path, arguments, input: input,
        changing: ["AUTHCTL_HOME": home.url.path].merging(changing) { $1 })
    }
  }
}
