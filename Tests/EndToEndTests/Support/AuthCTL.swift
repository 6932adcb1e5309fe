import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

/// The built `authctl`, run as a separate process with a separate home.
struct AuthCTL {
  struct Outcome {
    let status: Int32
    let out: String
    let err: String

    /// The lines of stdout, each of which must be a JSON object.
    func events() throws -> [[String: String]] {
      try out.split(separator: "\n").map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        return object.mapValues { "\($0)" }
      }
    }
  }

  let home: TemporaryFolder

  /// Next to the test bundle, where the build puts every product.
  private let executable: URL

  /// - Parameter program: another program whose streams and exit codes are looked at in the same way.
  init(program: String = "authctl") throws {
    home = TemporaryFolder()
    executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: program)
  }

  func run(_ arguments: String..., input: String = "") async throws -> Outcome {
    try await run(arguments, input: input)
  }

  func run(_ arguments: [String], input: String = "") async throws -> Outcome {
    try await run(process(arguments), input: input)
  }

  /// Runs a line of shell in which `"$0"` is the command.
  ///
  /// - Parameters:
  ///   - path: where the line finds other programs; by default those of the system.
  ///   - variables: added to the environment.
  func shell(_ line: String, path: String? = nil, variables: [String: String] = [:]) async throws -> Outcome {
    let process = process(["-c", line, executable.path])
    process.executableURL = URL(filePath: "/bin/sh")
    if let path { process.environment?["PATH"] = path }
    process.environment?.merge(variables) { $1 }
    return try await run(process)
  }

  private func run(_ process: ChildProcess, input: String = "") async throws -> Outcome {
    let files = TemporaryFolder()
    process.standardInput = try files.file("in", input)
    process.standardOutput = try files.file("out", "")
    process.standardError = try files.file("err", "")
    await withCheckedContinuation { ended in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.runAlone() } catch { ended.resume() }
    }
    return Outcome(status: process.terminationStatus, out: try files.text("out"), err: try files.text("err"))
  }

  /// Runs a command, and acts on each line of stdout, as it comes, as a user would.
  func run(_ arguments: [String], _ act: (String) async throws -> Void) async throws -> Outcome {
    let files = TemporaryFolder()
    let process = process(arguments)
    process.standardError = try files.file("err", "")
    let command = try RunningCommand(process)
    var out = ""
    for await line in command.lines {
      out += line + "\n"
      try await act(line)
    }
    return Outcome(status: await command.status(), out: out, err: try files.text("err"))
  }

  /// Expects that a command, which has just run, delivers a revocation. It waits 5 seconds for that, so it is repeated
  /// on a machine that is too busy for them.
  func delivers(by command: [String] = ["token"], _ isDelivered: () throws -> Bool) async throws {
    for _ in 0..<20 where try !isDelivered() { _ = try await run(command) }
    #expect(try isDelivered())
  }

  /// Starts a command that does not end by itself.
  func start(_ arguments: String...) throws -> RunningCommand {
    try RunningCommand(process(arguments))
  }

  /// Starts a command whose messages to users go to a pipe.
  func start(_ arguments: [String], telling pipe: Pipe) throws -> RunningCommand {
    let process = process(arguments)
    // The handle, and not the pipe: a process closes the pipe that it is given.
    process.standardError = pipe.fileHandleForWriting
    return try RunningCommand(process)
  }

  func process(_ arguments: [String]) -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ["AUTHCTL_HOME": home.url.path, "PATH": "/usr/bin:/bin", "HOME": home.url.path]
    return process
  }

  func login(_ server: URL, as name: String = "ada", password: String = "correct horse") async throws -> Outcome {
    try await run(
      "login", "--provider", "api", "--base-url", server.absoluteString, "--username", name, "--password-stdin",
      "--json", input: password + "\n")
  }

  /// The default profile's session, as another process would see it.
  func store(_ server: URL) -> any SessionStore {
    StorageLocation.files(in: home.url.appending(path: "profiles/default"))
      .realm("api \(server.absoluteString)").store
  }

  /// Makes the stored access token one that was received two hours ago.
  func ageStoredSession(_ server: URL) throws {
    let store = store(server)
    guard var record = try store.read(), let session = record.session else { return }
    let token = session.accessToken
    let old = try AccessToken(
      token.value, receivedAt: token.receivedAt.addingTimeInterval(-7_200), lifetime: token.lifetime)
    record.session = session.refreshed(with: SessionTokens(access: old))
    try store.save(record)
  }

  /// The files of the profile that hold a session or the tokens of a service; not the record of pending work.
  func sessionFiles(_ profile: String = "default") throws -> [URL] {
    let folder = home.url.appending(path: "profiles/\(profile)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
      $0.lastPathComponent.hasPrefix("session.") && !$0.lastPathComponent.hasSuffix("pending%20log")
    }
  }

  /// From now on nothing can be written in the profile's folder; its files can be read, and deleted.
  func refuseWrites(_ profile: String = "default") throws {
    let folder = home.url.appending(path: "profiles/\(profile)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    for name in names + ["session.probe"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: ".\(name).unfinished"), withIntermediateDirectories: false)
    }
  }

  func permitWrites(_ profile: String = "default") throws {
    let folder = home.url.appending(path: "profiles/\(profile)")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".unfinished") {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }

  func setProfileFolder(_ name: String = "default", mode: Int) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: home.url.appending(path: "profiles/\(name)").path)
  }
}

extension TemporaryFolder {
  fileprivate func file(_ name: String, _ text: String) throws -> FileHandle {
    let url = url.appending(path: name)
    try Data(text.utf8).write(to: url)
    return try FileHandle(forUpdating: url)
  }

  fileprivate func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
  }
}
