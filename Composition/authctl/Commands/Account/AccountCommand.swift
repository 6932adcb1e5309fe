import ArgumentParser
import AuthenticationKit

/// A subcommand of `account` for the person who is signed in.
protocol AccountCommand: Command {
  static var ability: AccountAbility { get }
  var options: ProfileOptions { get }
  func perform(at opened: OpenProfile, on console: Console) async throws
}

extension AccountCommand {
  /// Refused before anything is asked or sent where the provider does not offer it, or nobody is signed in.
  func perform(on console: Console) async throws {
    let opened = try OpenProfile.saved(options, console: console)
    try await opened.offering(Self.ability, as: Self._commandName) {
      _ = try await opened.root.manager.validSession()
      try await opened.deliveringAfterwards { try await perform(at: opened, on: console) }
      if let unsaved = opened.root.manager.state.activeSession?.unsaved { throw unsaved }
    }
  }

  /// Leads the service through the steps that it asks for.
  func dialogue(at opened: OpenProfile, _ console: Console) throws -> AccountDialogue {
    try AccountDialogue(opened, options, console, command: Self._commandName)
  }
}

extension OpenProfile {
  /// Runs a command, unless the provider does not offer the service, or its backend turns out not to know it.
  func offering<Answer>(
    _ ability: AccountAbility, as command: String, _ work: () async throws -> Answer
  ) async throws -> Answer {
    let cannot = AuthenticationError(
      .unsupportedMethod, "The provider '\(profile.provider)' does not offer 'account \(command)'.",
      suggestion: "See its other commands in 'authctl account --help'.")
    guard root.account.abilities.contains(ability) else { throw cannot }
    do {
      return try await work()
    } catch let error as AuthenticationError where error.code == .endpointMissing {
      throw cannot
    }
  }
}

extension Console {
  /// The last line of a command that lists nothing.
  func done(_ sentence: String) {
    if isJSON { out(json: DoneEvent()) } else { say(sentence) }
  }

  /// One line for each entry: an object, or what it has, apart by two spaces.
  func list<Entry: AccountEntry>(_ entries: [Entry]) {
    for entry in entries {
      if isJSON { out(json: entry) } else { out(entry.words.compactMap(\.self).joined(separator: "  ").printable) }
    }
  }
}

/// An entry of a list: its id first.
protocol AccountEntry: Encodable {
  var words: [String?] { get }
}

private struct DoneEvent: Encodable {
  let event = "done"
}
