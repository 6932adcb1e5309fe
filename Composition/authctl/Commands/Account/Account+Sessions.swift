import ArgumentParser
import AuthenticationKit
import Foundation

extension Account {
  struct Sessions: AccountCommand {
    static let ability = AccountAbility.sessions
    static let configuration = CommandConfiguration(abstract: "List the sessions of the account, or end one.")

    @Option(help: ArgumentHelp("What to end, by its id in the list.", valueName: "id"))
    var end: String?

    @Flag(help: "Print an object a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    func perform(at opened: OpenProfile, on console: Console) async throws {
      let account = opened.root.account
      let sessions = try await account.sessions()
      guard let end else { return console.list(sessions.map(SessionEntry.init)) }
      let session = try sessions.with(id: end, listedBy: "account sessions")
      try await account.end(session)
      if session.isCurrent { try await opened.root.manager.signOut(losing: .anonymousAccount) }
      console.done(session.isCurrent ? "This session is over: signed out here." : "That session is over.")
    }
  }
}

private struct SessionEntry: AccountEntry {
  let id: String
  let current: Bool
  let label: String?
  let last_used_at: Date?

  init(_ session: RemoteSession) {
    id = session.id
    current = session.isCurrent
    label = session.label
    last_used_at = session.lastUsedAt
  }

  var words: [String?] {
    [id, current ? "this one" : nil, label, last_used_at.map { "last used \($0.formatted(.iso8601))" }]
  }
}
