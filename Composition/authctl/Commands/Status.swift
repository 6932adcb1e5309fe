import ArgumentParser
import AuthenticationKit
import Foundation

struct Status: Command {
  static let configuration = CommandConfiguration(
    abstract: "Tell who is signed in. Makes no network call.")

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func perform(on console: Console) async throws {
    let folder = ProfileFolder(options.profile)
    guard var profile = try folder.load() else {
      let output = StatusOutput(
        state: "signed_out", reason: "absent", provider: "none", storage: options.storage ?? .best)
      return try show(output, console)
    }
    if let storage = options.storage { profile.storage = storage }
    let place = try folder.storage(profile.storage).place(profile.realm)
    try show(StatusOutput(profile, place.store), console)
  }

  private func show(_ output: StatusOutput, _ console: Console) throws {
    if json { console.out(json: output) } else { output.lines.forEach(console.out) }
    switch output.state {
    case "signed_out": throw ExitStatus.signedOut.exitCode
    case "unavailable":
      console.say("authctl: The stored session cannot be read now (\(output.reason ?? "")). Nothing was erased.")
      throw ExitStatus.storage.exitCode
    default: break
    }
  }
}

/// What `status` prints; read from the store alone, so that nothing is sent.
private struct StatusOutput: Encodable {
  var state: String
  var reason: String?
  var user: UserOutput?
  var provider: String
  var expires_at: Date?
  var scopes: [String] = []
  var storage: StorageKind

  init(state: String, reason: String?, provider: String, storage: StorageKind) {
    self.state = state
    self.reason = reason
    self.provider = provider
    self.storage = storage
  }

  init(_ profile: Profile, _ store: any SessionStore) {
    self.init(state: "signed_out", reason: "absent", provider: profile.provider, storage: profile.storage)
    do {
      guard let session = try store.read()?.session else { return }
      let token = session.accessToken
      let isOver = token.expiresAt.map { $0 <= Date() } ?? false
      state = isOver ? "stale" : "signed_in"
      reason = isOver ? (session.tokens.refresh == nil ? "expired" : "renewal_needed") : nil
      user = UserOutput(session.user)
      expires_at = token.expiresAt
      scopes = token.scopes
    } catch {
      state = "unavailable"
      reason = error.code.description
    }
  }

  var lines: [String] {
    var lines = ["state: \(state)\(reason.map { " (\($0))" } ?? "")"]
    if let user { lines.append("user: \(user.name.map { "\($0) (\(user.id))" } ?? user.id)") }
    lines.append("provider: \(provider)")
    if let expires_at { lines.append("access token until: \(expires_at.formatted(.iso8601))") }
    lines.append("storage: \(storage.rawValue)")
    return lines
  }
}
