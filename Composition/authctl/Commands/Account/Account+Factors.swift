import ArgumentParser
import AuthenticationKit
import Foundation

extension Account {
  struct Factors: AccountCommand {
    static let ability = AccountAbility.factors
    static let configuration = CommandConfiguration(
      abstract: "List the second factors and passkeys; enrol or remove one.",
      discussion: """
        The key of an authenticator app is shown at a terminal only. For a passkey the event has the options, and the \
        answer is an authenticator's response as JSON.
        """)

    @Option(help: ArgumentHelp("What to add, such as otp, sms or passkey.", valueName: "kind"))
    var enrol: String?

    @Option(help: ArgumentHelp("What to remove, by its id in the list.", valueName: "id"))
    var remove: String?

    @Flag(name: .customLong("continue"), help: "Go on with the step that --enrol left waiting.")
    var continues = false

    @Flag(help: "Print an object a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    func validate() throws {
      guard [enrol != nil, remove != nil, continues].count(where: \.self) <= 1 else {
        throw ValidationError("Give at most one of --enrol, --remove and --continue.")
      }
    }

    func perform(at opened: OpenProfile, on console: Console) async throws {
      let account = opened.root.account
      let dialogue = try dialogue(at: opened, console)
      if let remove {
        try await account.remove(try await account.factors().with(id: remove, listedBy: "account factors"))
        return console.done("It is removed.")
      }
      if let enrol {
        try await dialogue.finish { try await account.enrol(Challenge.Kind(id: enrol)) }
      } else if continues {
        try await dialogue.goOn()
      } else {
        return console.list(try await account.factors().map(FactorEntry.init))
      }
      console.done("It is added.")
    }
  }
}

private struct FactorEntry: AccountEntry {
  let id: String
  let kind: String
  let label: String?
  let created_at: Date?

  init(_ factor: EnrolledFactor) {
    id = factor.id
    kind = factor.kind.id
    label = factor.label
    created_at = factor.createdAt
  }

  var words: [String?] { [id, kind, label, created_at.map { "since \($0.formatted(.iso8601))" }] }
}
