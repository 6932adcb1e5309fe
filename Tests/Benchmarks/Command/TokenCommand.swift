import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import Foundation

/// `authctl token` with a session that is valid, as a process of its own; its issuer is not there, so that it cannot be
/// asked.
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
      times.append((try run(authctl, ["token"], home, answer: token + "\n"), try run(empty, [], home, answer: "")))
    }
    return [
      Figure("authctl token, the whole process, no network", times.map(\.ours).median, .milliseconds, atMost: 25),
      Figure("  a process that does nothing", times.map(\.bare).median, .milliseconds),
    ]
  }

  private static let empty = URL(filePath: "/bin/true")

  private static func prepare(_ home: URL) throws {
    let folder = home.appending(path: "profiles/default")
    let profile = """
      {"provider":"openid","allowedOrigins":[],"storage":"file","openID":{"issuer":"\(issuer)","clientID":"app",
      "scopes":["openid"],"flow":"browser","redirectPath":"/callback","hasSecret":false}}
      """
    try FileStorage(folder: folder).write(Data(profile.utf8), for: "profile")
    let access = try AccessToken(Secret(token), receivedAt: Date(), lifetime: .seconds(3_600))
    let session = AuthSession(
      user: User(id: "ada"), tokens: SessionTokens(access: access, refresh: RefreshToken(Secret("refresh"))))
    try SessionStorage.files(in: folder).place("openid \(issuer) app").store.save(SessionRecord(session: session))
  }

  /// Milliseconds from the start to the end of the output.
  private static func run(_ program: URL?, _ arguments: [String], _ home: URL, answer: String) throws -> Double {
    let child = Process()
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
    guard child.terminationStatus == 0, text == answer else { throw CocoaError(.fileReadCorruptFile) }
    return time
  }
}
