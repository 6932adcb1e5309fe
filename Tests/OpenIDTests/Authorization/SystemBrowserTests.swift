#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationBrowser
@testable import AuthenticationOpenID

@Suite struct SystemBrowserTests {
  private func failure(_ command: String, _ url: String = "https://id.example.com/") async -> AuthenticationError? {
    let url = URL(string: url)!
    defer { SystemBrowser.forget(url) }
    do throws(AuthenticationError) {
      try await SystemBrowser.open(url, by: command) { try $0.runAlone() }
      return nil
    } catch {
      return error
    }
  }

  /// A command that copies its argument, and the file that it names, to a folder.
  private func command(in folder: URL, status: Int = 0) throws -> String {
    let command = folder.appending(path: "open").path
    let script = """
      #!/bin/sh
      printf '%s\\n' "$@" >'\(folder.path)/arguments'
      file="${1#file://}"
      cp "$file" '\(folder.path)/page'
      ls -ld "$file" "$(dirname "$file")" >'\(folder.path)/modes'
      exit \(status)
      """
    try Data(script.utf8).write(to: URL(filePath: command))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: command)
    return command
  }

  private func text(_ name: String, in folder: URL) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  @Test func `a command that succeeds has opened the page`() async {
    #expect(await failure("true") == nil)
  }

  @Test func `a command that fails or is missing is named`() async {
    for command in ["false", "no-such-command"] {
      let failure = await failure(command)
      #expect(failure == .browserUnavailable && failure?.message.contains(command) == true)
    }
  }

  @Test(
    arguments: [
      ([:], ["xdg-open"]), (["BROWSER": "firefox:lynx %s"], ["firefox", "lynx %s", "xdg-open"]),
      (["WSL_DISTRO_NAME": "Debian"], ["wslview", "xdg-open"]),
      (["WSL_INTEROP": "/run/WSL/8_interop", "BROWSER": "mine"], ["mine", "wslview", "xdg-open"]),
      (["BROWSER": ""], ["xdg-open"]),
    ] as [([String: String], [String])])
  func `the commands that BROWSER names come first, then wslview under WSL, then the desktop's`(
    environment: [String: String], commands: [String]
  ) {
    #expect(SystemBrowser.commands(environment) == commands)
  }

  @Test func `the first command that succeeds opens the page, and gets the address where it says`() async throws {
    let folder = TemporaryFolder()
    let command = try command(in: folder.url)
    let url = try #require(URL(string: "https://id.example.com/?a=b"))
    for (browser, expected) in [
      (command, "https://id.example.com/?a=b"), ("no-such-command:\(command)", "https://id.example.com/?a=b"),
      ("false:\(command) --new %s", "--new\nhttps://id.example.com/?a=b"),
      ("\(command) --at=%s --last", "--at=https://id.example.com/?a=b\n--last"),
    ] {
      try await SystemBrowser.show(url, environment: ["BROWSER": browser]) { try $0.runAlone() }
      #expect(try text("arguments", in: folder.url) == expected + "\n")
    }
  }

  @Test(arguments: ["file:///etc/passwd", "javascript:1", "com.example.app:/x"])
  func `nothing but a web page is opened`(url: String) async {
    #expect(await failure("true", url) == .browserUnavailable)
  }

  @Test func `the command line names a private file, and nothing of the address`() async throws {
    let folder = TemporaryFolder()
    let url = URL(string: "https://id.example.com/authorize?state=canary-state&nonce=canary-nonce")!
    try await SystemBrowser.open(url, by: command(in: folder.url)) { try $0.runAlone() }
    let file = try text("arguments", in: folder.url).split(separator: "\n")
    #expect(file.count == 1 && file[0].hasPrefix("file:///") && !file[0].contains("canary"))
    let page = try text("page", in: folder.url)
    #expect(
      page.contains("content=\"0;url=https://id.example.com/authorize?state=canary-state&amp;nonce=canary-nonce\""))
    let modes = try Set(text("modes", in: folder.url).split(separator: "\n").map { $0.prefix(10) })
    #expect(modes == ["-rw-------", "drwx------"])
    let path = String(file[0].dropFirst("file://".count))
    #expect(FileManager.default.fileExists(atPath: path), "The browser may read it after the command has ended.")
    SystemBrowser.forget(url)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: URL(filePath: path).deletingLastPathComponent().path))
  }

  @Test func `of a page that no browser has opened nothing is left`() async throws {
    let folder = TemporaryFolder()
    let command = try command(in: folder.url, status: 3)
    let url = URL(string: "https://id.example.com/authorize?state=unopened")!
    await #expect(throws: AuthenticationError(.browserUnavailable, "")) {
      try await SystemBrowser.open(url, by: command) { try $0.runAlone() }
    }
    let path = try text("arguments", in: folder.url).dropFirst("file://".count).dropLast()
    #expect(!FileManager.default.fileExists(atPath: String(path)))
  }

  @Test func `an address cannot break out of the page`() async throws {
    let folder = TemporaryFolder()
    let url = URL(string: "https://id.example.com/?a='%22b&c=%3Cd")!
    defer { SystemBrowser.forget(url) }
    try await SystemBrowser.open(url, by: command(in: folder.url)) { try $0.runAlone() }
    #expect(try text("page", in: folder.url).contains("url=https://id.example.com/?a=&#39;%22b&amp;c=%3Cd\""))
  }

  @Test(arguments: [false, true])
  func `the file is gone when the sign-in ends, however it ends`(isCancelled: Bool) async throws {
    let folder = TemporaryFolder()
    let command = try command(in: folder.url)
    let opened = Gate()
    let port = Mutex<UInt16>(0)
    let attempt = Task {
      let presenter = SystemBrowserPresenter(clock: ManualClock()) { url throws(AuthenticationError) in
        try await SystemBrowser.open(url, by: command) { try $0.runAlone() }
        await opened.pass()
      }
      return try await presenter.present(redirectingTo: .loopback(), answering: "s") { redirectURI in
        port.withLock { $0 = UInt16(URL(string: redirectURI)!.port!) }
        return URL(string: "https://id.example.com/authorize?\(redirectURI.utf8.count)\(isCancelled)")!
      }
    }
    await opened.waitForArrivals(1)
    let path = try text("arguments", in: folder.url).dropFirst("file://".count).dropLast()
    #expect(FileManager.default.fileExists(atPath: String(path)))
    if isCancelled {
      attempt.cancel()
    } else {
      let number = port.withLock { $0 }
      Thread.detachNewThread { _ = Browser.ask(number, Browser.get("/callback?code=1&state=s", number)) }
    }
    _ = await attempt.result
    #expect(!FileManager.default.fileExists(atPath: String(path)))
  }
}
#endif
