import AuthenticationKit
import Foundation

/// An app from its launch on, by the step that a user takes.
struct App {
  let baseURL: URL
  let folder: URL

  func run(_ step: String) async throws {
    let root = try MainRoot(.api(baseURL: baseURL)) { $0.storage = .files(in: folder) }
    await root.manager.restore()
    switch step {
    case "sign-in":
      try await root.useCase.login(username: "ada", password: "correct horse")
      tell(root.currentUser?.id)
      kill(getpid(), SIGKILL)
    case "call":
      tell("\(try await root.apiClient.send(HTTPRequest(.get, baseURL.appending(path: "api/notes"))).status)")
    case "sign-out":
      try await root.manager.signOut()
      await root.manager.deliverRevocations()
      tell(root.currentUser?.id)
    default: tell(root.currentUser?.id)
    }
  }

  /// At once, since the app may be killed.
  private func tell(_ line: String?) {
    try? FileHandle.standardOutput.write(contentsOf: Data(((line ?? "none") + "\n").utf8))
  }
}
