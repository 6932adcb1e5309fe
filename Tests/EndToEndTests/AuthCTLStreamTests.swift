import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

/// What reaches a script and a terminal.
@Suite struct AuthCTLStreamTests {
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
}
