import AuthenticationAccount
import ArgumentParser
import AuthenticationKit
import Foundation

extension Account {
  struct Factors: AccountCommand {
    static let ability = AccountAbility.factors
    static let configuration = CommandConfiguration(
      commandName: "factors", abstract: "List the second factors and passkeys; enrol or remove one.",
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

    func perform(in dialogue: AccountDialogue) async throws {
      let account = dialogue.account
      if enrol != nil || continues {
        return try await dialogue.lead(continuing: continues, "It is added.") {
          { try await account.perform(.enrol(Challenge.Kind(id: enrol ?? ""))) }
        }
      }
      let factors = try await account.factors()
      if let remove {
        try await account.perform(.remove(try factors.with(id: remove, listedBy: "account factors")))
        return dialogue.console.done("It is removed.")
      }
      dialogue.console.list(factors) { factor in
        let since = factor.createdAt.map { "since \($0.formatted(.iso8601))" }
        return (
          [factor.id, factor.kind.id, factor.label, since],
          ["id": factor.id, "kind": factor.kind.id, "label": factor.label, "created_at": factor.createdAt]
        )
      }
    }
  }
}

extension Account {
  struct Link: AccountCommand {
    static let ability = AccountAbility.link
    static let configuration = CommandConfiguration(
      commandName: "link", abstract: "List the ways to sign in to the account, or add one with --method.")

    @Option(help: "What to add: password, email-code, email-link or phone-code.")
    var method: String?

    @Option(help: "The user name, address or number; asked for where it is missing.")
    var username: String?

    @Flag(help: "Read the password from standard input, one line.")
    var passwordStdin = false

    @Flag(name: .customLong("continue"), help: "Go on with the step that --method left waiting.")
    var continues = false

    @Flag(help: "Print an object a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    private static let methods = [SignInMethod.password, .emailCode, .emailLink, .phoneCode]

    func validate() throws {
      if continues, method != nil { throw ValidationError("Give at most one of --method and --continue.") }
      if let method, !Self.methods.contains(where: { $0.id == method }) {
        throw ValidationError("--method is one of: \(Self.methods.map(\.id).joined(separator: ", ")).")
      }
    }

    func perform(in dialogue: AccountDialogue) async throws {
      let (account, console) = (dialogue.account, dialogue.console)
      guard continues || method != nil else {
        return console.list(try await account.linkedMethods()) {
          ([$0.id, $0.method.id, $0.label], ["id": $0.id, "method": $0.method.id, "label": $0.label])
        }
      }
      try await dialogue.lead(continuing: continues, "The account can be signed in to with it, too.") {
        let credentials = try credentials(for: Self.methods.first { $0.id == method } ?? .password, console)
        return { try await account.perform(.link(credentials)) }
      }
    }

    private func credentials(for method: SignInMethod, _ console: Console) throws -> any Credentials {
      let name = try console.userName(username)
      switch method {
      case .password:
        return PasswordCredentials(userName: name, password: try console.password(fromInput: passwordStdin))
      case .phoneCode: return PhoneCredentials(phoneNumber: name)
      default: return EmailCredentials(address: name, method: method)
      }
    }
  }

  struct Unlink: AccountCommand {
    static let ability = AccountAbility.link
    static let configuration = CommandConfiguration(
      commandName: "unlink", abstract: "Remove a way to sign in to the account.")

    @Argument(help: "Its id, as 'authctl account link' lists it.")
    var id: String

    @Flag(help: "Print an event a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    func perform(in dialogue: AccountDialogue) async throws {
      let linked = try await dialogue.account.linkedMethods()
      try await dialogue.account.perform(.unlink(try linked.with(id: id, listedBy: "account link")))
      dialogue.console.done("The account can no longer be signed in to with '\(id)'.")
    }
  }
}

extension Array where Element: Identifiable, Element.ID == String {
  /// - Parameter command: the command that lists the ids.
  func with(id: String, listedBy command: String) throws -> Element {
    guard let element = first(where: { $0.id == id }) else {
      throw ValidationError("There is no '\(id)' among what 'authctl \(command)' lists.")
    }
    return element
  }
}
