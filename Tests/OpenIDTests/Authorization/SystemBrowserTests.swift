import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct SystemBrowserTests {
  private func failure(_ command: String, _ url: String = "https://id.example.com/") async -> AuthenticationError? {
    do throws(AuthenticationError) {
      try await SystemBrowser.run(command, URL(string: url)!)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a command that succeeds has opened the page`() async {
    #expect(await failure("true") == nil)
  }

  @Test func `a command that fails or is missing is named`() async {
    for command in ["false", "no-such-command"] {
      let failure = await failure(command)
      #expect(failure?.code == .browserUnavailable && failure?.message.contains(command) == true)
    }
  }

  @Test(arguments: ["file:///etc/passwd", "javascript:1", "com.example.app:/x"])
  func `nothing but a web page is opened`(url: String) async {
    #expect(await failure("true", url)?.code == .browserUnavailable)
  }
}
