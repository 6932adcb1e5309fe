import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

/// `authctl token` as a separate process: with a session that is valid, whose issuer is not there, so that it cannot
/// be asked; and with one that is refreshed at a server on this machine.
enum TokenCommand {
  private static let issuer = "http://127.0.0.1:9"
  private static let token = "a-valid-access-token"

  @Sendable static func figures() async throws -> [Figure] {
    let home = FileManager.default.temporaryDirectory.appending(path: "token-command-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    try prepare(home)
    let authctl = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "authctl")
    var times: [(ours: Double, bare: Double)] = []
    for _ in 0..<31 {
      let (ours, bare) = (try run(authctl, ["token"], home), try run(empty, [], home))
      guard ours.output == token + "\n" else { throw CocoaError(.fileReadCorruptFile) }
      times.append((ours.time, bare.time))
    }
    let service = try await ofService(authctl)
    return [
      Figure("authctl token, the whole process, no network", times.map(\.ours).median, .milliseconds, atMost: 25),
      Figure("  a process that does nothing", times.map(\.bare).median, .milliseconds),
      Figure("  of a service", service, .milliseconds),
      Figure("  of a service to that of a user", service / times.map(\.ours).median, .times, atMost: 1.2),
      Figure("  with a refresh over loopback, stored before it ends", try await refreshing(authctl), .milliseconds),
    ]
  }

  /// With a token that is valid, whose issuer is not there.
  private static func ofService(_ authctl: URL?) async throws -> Double {
    let home = FileManager.default.temporaryDirectory.appending(path: "token-command-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    var options = LoopbackOpenIDIssuer.Options()
    options.clientSecret = "s3cret"
    let server = LoopbackOpenIDIssuer(options)
    try await server.start()
    let secret = home.appending(path: "secret")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    try Data("s3cret".utf8).write(to: secret)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.path)
    let login = [
      "login", "--provider", "service", "--issuer", server.identifier, "--client-id", "app", "--client-secret-file",
      secret.path, "--storage", "file",
    ]
    _ = try await onThread { try run(authctl, login, home) }
    await server.stop()
    var times: [Double] = []
    for _ in 0..<31 {
      let (time, output) = try run(authctl, ["token"], home)
      guard !output.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
      times.append(time)
    }
    return times.median
  }

  private static func refreshing(_ authctl: URL?) async throws -> Double {
    let home = FileManager.default.temporaryDirectory.appending(path: "token-command-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    let server = LoopbackIdentityServer()
    let url = try await server.start().absoluteString
    let folder = home.appending(path: "profiles/default")
    try FileStorage(folder: folder).write(
      Data(#"{"provider":"api","settings":{"base-url":"\#(url)"},"allowedOrigins":[],"storage":"file"}"#.utf8),
      for: "profile")
    _ = try await MainRoot(.api(baseURL: url)) { $0.storage = .files(in: folder) }
      .manager.login(username: "ada", password: "correct horse")
    var times: [Double] = []
    var tokens: Set<String> = []
    for _ in 0..<31 {
      let (time, output) = try await onThread { try run(authctl, ["token", "--min-ttl", "100000"], home) }
      guard tokens.insert(output).inserted else { throw CocoaError(.fileReadCorruptFile) }
      times.append(time)
    }
    await server.stop()
    return times.median
  }

  /// The server answers on the threads that tasks run on.
  private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { done in
      Thread.detachNewThread { done.resume(with: Result { try work() }) }
    }
  }

  private static let empty = URL(filePath: "/bin/true")

  private static func prepare(_ home: URL) throws {
    let folder = home.appending(path: "profiles/default")
    let profile = """
      {"provider":"openid","settings":{},"allowedOrigins":[],"storage":"file","openID":{"issuer":"\(issuer)","clientID":"app",
      "scopes":["openid"],"flow":"browser","redirectPath":"/callback","hasSecret":false}}
      """
    try FileStorage(folder: folder).write(Data(profile.utf8), for: "profile")
    let access = try AccessToken(Secret(token), receivedAt: Date(), lifetime: .seconds(3_600))
    let session = AuthSession(
      user: User(id: "ada"), tokens: SessionTokens(access: access, refresh: Secret("refresh")))
    try StorageLocation.files(in: folder).realm("openid \(issuer) app").store.save(SessionRecord(session: session))
  }

  /// Milliseconds from the start to the end of the output.
  private static func run(_ program: URL?, _ arguments: [String], _ home: URL) throws -> (time: Double, output: String)
  {
    let child = ChildProcess()
    let output = Pipe()
    child.executableURL = program
    child.arguments = arguments
    child.environment = ["AUTHCTL_HOME": home.path, "HOME": home.path, "PATH": "/usr/bin:/bin"]
    child.standardOutput = output
    let start = ContinuousClock.now
    try child.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let time = start.duration(to: .now) / .milliseconds(1)
    child.waitUntilExit()
    guard child.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
    return (time, text)
  }
}
