import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// Prompts at a real terminal: passwords, above all.
@Suite(.serialized) struct AuthCTLPromptTests {
  let authctl: AuthCTL
  let server = LoopbackIdentityServer()
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    url = try await server.start()
  }

  @Test(.timeLimit(.minutes(10)))
  func `control-C at the prompt ends the login and leaves the terminal as it was`() async throws {
    let (status, rest) = try await login(typing: "corr\u{3}")
    #expect(status == 1)
    #expect(rest.hasPrefix("\nauthctl: "))
    #expect(rest.split(separator: "\n").count == 1)
    #expect(server.counters.requests(on: .signIn) == 0)
  }

  @Test(.timeLimit(.minutes(10)), arguments: ["correct horse\n", "x\u{15}correct horsé\u{7F}x\u{8}e\r"])
  func `a password is typed unseen, with corrections`(keys: String) async throws {
    let (status, rest) = try await login(typing: keys)
    #expect(status == 0)
    #expect(!rest.contains("horse"))
  }

  @Test(.timeLimit(.minutes(10))) func `both passwords of a change are typed unseen`() async throws {
    _ = try await authctl.login(url)
    let (status, rest) = try await run(
      ["account", "change-password"],
      typing: [("Old password: ", "correct horse\n"), ("New password: ", "a longer horse\n")])
    #expect(status == 0)
    #expect(rest == "\nThe password is changed.\n")
    #expect(try await authctl.login(url, password: "a longer horse").status == 0)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [("no\n", 4), ("ada\n", 0)] as [(String, Int32)])
  func `an account is deleted once its name was typed`(keys: String, expected: Int32) async throws {
    _ = try await authctl.login(url)
    let (status, _) = try await run(
      ["account", "delete"], typing: [("Type 'ada' to delete this account for ever: ", keys)], isHidden: false)
    #expect(status == expected)
    #expect(server.counters.requests(on: .account) == (expected == 0 ? 1 : 0))
  }

  @Test(.timeLimit(.minutes(10)), arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func `a signal at the prompt ends the command and leaves the terminal as it was`(signal: Int32) async throws {
    let (terminal, process, ended) = try await prompted()
    #expect(kill(process.processIdentifier, signal) == 0)
    for await _ in ended {}
    #expect(process.terminationStatus == signal && terminal.showsWhatIsTyped)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a command that is stopped at the prompt leaves the terminal as it was until it goes on`()
    async throws
  {
    let (terminal, process, ended) = try await prompted()
    #expect(kill(process.processIdentifier, SIGTSTP) == 0)
    // As a shell does: a signal that comes before the process has stopped would be lost.
    while !process.isStopped { await Task.yield() }
    #expect(terminal.showsWhatIsTyped)
    #expect(kill(process.processIdentifier, SIGCONT) == 0)
    while terminal.showsWhatIsTyped { await Task.yield() }
    try terminal.type("correct horse\n")
    for await _ in ended {}
    #expect(process.terminationStatus == 0 && terminal.showsWhatIsTyped)
  }

  /// A login that asks for the password.
  private func prompted() async throws -> (Terminal, ChildProcess, AsyncStream<Void>) {
    let terminal = try Terminal()
    let process = authctl.process(["login", "--base-url", url.absoluteString, "--username", "ada"])
    let errors = Pipe()
    process.standardInput = terminal.input
    process.standardError = errors
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.runAlone()
    #expect(await errors.text { $0.hasSuffix("Password: ") } == "Password: ")
    #expect(!terminal.showsWhatIsTyped)
    return (terminal, process, ended)
  }

  private func login(typing keys: String) async throws -> (status: Int32, rest: String) {
    try await run(["login", "--base-url", url.absoluteString, "--username", "ada"], typing: [("Password: ", keys)])
  }

  private func run(
    _ arguments: [String], typing: [(prompt: String, keys: String)], isHidden: Bool = true
  ) async throws -> (status: Int32, rest: String) {
    let terminal = try Terminal()
    let process = authctl.process(arguments)
    let errors = Pipe()
    process.standardInput = terminal.input
    process.standardError = errors
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.runAlone()
    for (prompt, keys) in typing {
      let text = await errors.text { $0.hasSuffix(prompt) }
      #expect(text.trimmingPrefix("\n") == prompt)
      #expect(terminal.showsWhatIsTyped != isHidden)
      try terminal.type(keys)
    }
    for await _ in ended {}
    if process.isRunning {  // The time is over.
      process.terminate()
      process.waitUntilExit()
    }
    #expect(terminal.showsWhatIsTyped)
    return (process.terminationStatus, await errors.text { _ in false })
  }
}

extension ChildProcess {
  /// Whether a signal has stopped it, and none has continued it.
  fileprivate var isStopped: Bool {
    var state = unsafe siginfo_t()
    let result = unsafe waitid(P_PID, id_t(processIdentifier), &state, WSTOPPED | WNOHANG | WNOWAIT)
    return unsafe result == 0 && state.si_signo == SIGCHLD
  }
}

extension Pipe {
  /// The bytes until they suffice, or the other side ends.
  fileprivate func text(until isEnough: @escaping @Sendable (String) -> Bool) async -> String {
    let handle = fileHandleForReading
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var text = ""
        while !isEnough(text), case let data = handle.availableData, !data.isEmpty {
          text += String(decoding: data, as: UTF8.self)
        }
        continuation.resume(returning: text)
      }
    }
  }
}
