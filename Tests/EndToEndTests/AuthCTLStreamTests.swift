import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Testing

/// Output for a script and for a terminal.
@Suite(.serialized) struct AuthCTLStreamTests {
  let authctl: AuthCTL
  let server = LoopbackIdentityServer()
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    url = try await server.start()
  }

  #if os(Linux)
  static let unwritable = [">&-", ">/dev/full"]
  #else
  static let unwritable = [">&-"]
  #endif

  @Test(arguments: unwritable) func `output that cannot be written is one line and exit 1`(to: String) async throws {
    _ = try await authctl.login(url)
    for command in ["token", "token --json", "status", "request \(url.absoluteString)/api/notes"] {
      let outcome = try await authctl.shell("\"$0\" \(command) \(to)")
      #expect(outcome.status == 1)
      #expect(outcome.err == "authctl: The output cannot be written. Check where standard output goes.\n")
    }
    #expect(try await authctl.shell("\"$0\" token 2>&-").status == 0)
  }

  @Test func `neither can it in JSON, where it stays the same name`() async throws {
    let name = "M\u{7F}\u{85}\u{9B}2J\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}\u{2028}é!"
    let hostile = LoopbackIdentityServer(
      options: .init(users: [.init(username: "mallory", password: "x", firstName: name)]))
    let hostileURL = try await hostile.start()
    let login = try await authctl.login(hostileURL, as: "mallory", password: "x")
    for text in [login.out, try await authctl.run("status", "--json").out] {
      #expect(text.contains(#"M\u007f\u0085\u009b2J\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u2028é!"#))
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      #expect((object?["user"] as? [String: Any])?["name"] as? String == name)
    }
    await hostile.stop()
  }

  @Test func `a name from a server cannot command a terminal`() async throws {
    let name = "Mallory\u{1B}[31m\nstate:\r\u{9B}2J\u{7F}\u{202E}!"
    let hostile = LoopbackIdentityServer(
      options: .init(users: [.init(username: "mallory", password: "x", firstName: name)]))
    let hostileURL = try await hostile.start()
    let login = try await authctl.run(
      "login", "--base-url", hostileURL.absoluteString, "--username", "mallory", "--password-stdin", input: "x\n")
    #expect(login.err.hasPrefix("Signed in as Mallory[31mstate:2J!"))
    #expect(login.err.split(separator: "\n").count == 2, "and until when the token lasts")
    let status = try await authctl.run("status")
    #expect(status.out.contains("\nuser: Mallory[31mstate:2J!"))
    #expect(try await authctl.run("status", "--json").events().first?["state"] == "signed_in")
    await hostile.stop()
  }
}
