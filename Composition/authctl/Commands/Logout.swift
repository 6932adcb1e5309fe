import ArgumentParser
import AuthenticationKit

struct Logout: Command {
  static let configuration = CommandConfiguration(
    abstract: "Erase the session here, then end it at the provider.")

  @Flag(help: "Only erase; tell the provider nothing.")
  var local = false

  @OptionGroup var options: ProfileOptions

  var json: Bool { false }

  func perform(on console: Console) async throws {
    guard try ProfileFolder(options.profile).load() != nil else { return console.say("Nobody was signed in.") }
    let opened = try OpenProfile.saved(options, console: console)
    let manager = opened.root.manager
    if local {
      try await manager.clear()
      try? opened.forgetClientSecret()
      return console.say("Signed out here.")
    }
    let stored = try opened.store.read()
    let isSomebody = stored.map { $0.session != nil || !$0.pendingRevocations.isEmpty } ?? false
    let isErased = (try? await manager.signOut()) != nil
    let failures = await manager.deliverRevocations(within: .seconds(30))
    // Once the provider has heard of it there is nothing left to store, so that a full disk may no longer matter.
    if !isErased { try await manager.signOut() }
    let isQueued = await manager.hasPendingRevocations
    if isQueued, try opened.store.read() == nil { throw AuthenticationError.notQueued }
    if isQueued {
      return console.say(
        "Signed out here. The provider cannot be reached; it is told by the next command that reaches it.")
    }
    try? opened.forgetClientSecret()
    if !isSomebody { return console.say("Nobody was signed in.") }
    console.say(
      failures.contains(where: { $0.code == .unsupportedMethod })
        ? "Signed out here. The provider was asked to end the session, but revokes no tokens for this client."
        : "Signed out here and at the provider.")
  }
}

extension AuthenticationError {
  fileprivate static let notQueued = Self(
    .storageUnavailable, "Signed out here, but the provider could not be told, nor the telling be stored for later.",
    suggestion: "Make room, or end the session at the provider.")
}
