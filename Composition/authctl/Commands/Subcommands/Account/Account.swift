import AuthenticationAccount
import ArgumentParser
import AuthenticationKit
import Foundation

struct Account: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Sign up, and look after the account of who is signed in.",
    discussion: """
      What the profile's provider cannot do is refused, and nothing is sent. Where it asks for a step, a user types the \
      answer, and a script gives it as one line of standard input; where that ends, --continue goes on later.
      """,
    subcommands: [
      SignUp.self, ResetPassword.self, ChangePassword.self, Verify.self, Link.self, Unlink.self, Factors.self,
      Sessions.self, Delete.self,
    ])
}

/// A subcommand of `account` for the signed-in user.
protocol AccountCommand: Command {
  static var ability: AccountAbility { get }
  var options: ProfileOptions { get }
  func perform(in dialogue: AccountDialogue) async throws
}

extension AccountCommand {
  /// Refused before anything is asked or sent where the provider does not offer it, or no user is signed in.
  func perform(on console: Console) async throws {
    let opened = try OpenProfile.saved(options, console: console)
    try await opened.offering(Self.ability, as: Self._commandName) {
      let dialogue = try AccountDialogue(opened, command: Self._commandName)
      try await opened.deliveringAfterwards {
        _ = try await opened.root.manager.validSession()
        try await perform(in: dialogue)
      }
      if let unsaved = opened.root.manager.state.activeSession?.unsaved { throw unsaved }
    }
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
    guard root.manager.account.abilities.contains(ability) else { throw cannot }
    do {
      return try await work()
    } catch let error as AuthenticationError where error == .endpointMissing {
      throw cannot
    }
  }
}

extension Console {
  /// The last line of a command that lists nothing.
  func done(_ sentence: String) {
    if isJSON { out(json: ["event": "done"]) } else { say(sentence) }
  }

  /// One line for each element: an object, or its members, apart by two spaces, its id first.
  func list<Element>(_ elements: [Element], _ entry: (Element) -> (words: [String?], json: JSONObject)) {
    for element in elements {
      let (words, json) = entry(element)
      out(words.compactMap(\.self).joined(separator: "  "), json: json)
    }
  }
}

extension ProviderOptions {
  /// The service of an account without a session: by default the profile's.
  ///
  /// - Parameter old: the profile as it is; nil if it is new.
  func profile(_ old: Profile?, in folder: ProfileFolder) throws -> Profile {
    guard isUsed || old != nil else {
      throw ValidationError("Where the account is, is missing: --provider with its options, such as --base-url.")
    }
    let storage = folder.storageKind(replacing: old)
    var profile = Profile(provider: kind.name, settings: settings, caFile: caFile ?? old?.caFile, storage: storage)
    guard let old, !isUsed || old.realm == profile.realm else { return profile }
    profile = isUsed ? profile : old
    (profile.allowedOrigins, profile.storage) = (old.allowedOrigins, storage)
    return profile
  }
}

extension Account {
  struct Delete: AccountCommand {
    static let ability = AccountAbility.delete
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete the account for ever, and sign out here.")

    @Flag(help: "Ask nothing; needed where there is no terminal.")
    var yes = false

    @Flag(help: "Print an event a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    func validate() throws {
      guard yes || isatty(STDIN_FILENO) != 0 else {
        throw ValidationError("Deleting an account cannot be undone: say --yes.")
      }
    }

    func perform(in dialogue: AccountDialogue) async throws {
      if !yes, let user = dialogue.opened.root.currentUser {
        dialogue.console.ask("Type '\(user.id.printable)' to delete this account for ever: ")
        guard try StandardInput.nextLine("The answer").isSame(as: user.id) else {
          throw AuthenticationError(.declined, "The account was not deleted.").with(\.reason, .ownAdvice)
        }
      }
      try await dialogue.account.perform(.deleteAccount)
      try await PendingAccountStep(of: dialogue.opened.profile, in: dialogue.opened.folder).removeAny()
      dialogue.console.done("The account is deleted; signed out here.")
    }
  }
}

extension Account {
  struct ResetPassword: Command {
    static let configuration = CommandConfiguration(
      commandName: "reset-password", abstract: "Choose another password for who forgot it, after a code or a link.")

    @Option(help: "The user name or address; asked for where it is missing.")
    var username: String?

    @Flag(name: .customLong("continue"), help: "Go on with the step that this command left waiting.")
    var continues = false

    @OptionGroup var at: ProviderOptions

    @Flag(help: "Print an event a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    func perform(on console: Console) async throws {
      let folder = ProfileFolder(options, console)
      let profile = try at.profile(try folder.load(), in: folder)
      let opened = try OpenProfile(profile, in: folder, clientSecret: try at.client.secret(console))
      try await opened.offering(.resetPassword, as: Self._commandName) {
        let dialogue = try AccountDialogue(opened, command: Self._commandName)
        try await dialogue.lead(continuing: continues, "The password is changed. Log in with it.") {
          let name = try console.userName(username)
          return { try await dialogue.account.perform(.resetPassword(of: name)) }
        }
      }
    }
  }

  struct ChangePassword: AccountCommand {
    static let ability = AccountAbility.changePassword
    static let configuration = CommandConfiguration(
      commandName: "change-password", abstract: "Change the password of who is signed in.",
      discussion: "The old one is asked for, then the new one.")

    @Flag(help: "Read both from standard input, a line each.")
    var passwordStdin = false

    @Flag(name: .customLong("continue"), help: "Go on with the step that this command left waiting.")
    var continues = false

    @Flag(help: "Print an event a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    func perform(in dialogue: AccountDialogue) async throws {
      try await dialogue.lead(continuing: continues, "The password is changed.") {
        let (old, new) = try (password("Old", dialogue.console), password("New", dialogue.console))
        return { try await dialogue.account.perform(.changePassword(from: old, to: new)) }
      }
    }

    private func password(_ which: String, _ console: Console) throws -> Secret {
      try console.password(fromInput: passwordStdin, asking: "\(which) password: ")
    }
  }
}

extension Account {
  struct Sessions: AccountCommand {
    static let ability = AccountAbility.sessions
    static let configuration = CommandConfiguration(
      commandName: "sessions", abstract: "List the sessions of the account, or end one.")

    @Option(help: ArgumentHelp("What to end, by its id in the list.", valueName: "id"))
    var end: String?

    @Flag(help: "Print an object a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    func perform(in dialogue: AccountDialogue) async throws {
      let sessions = try await dialogue.account.sessions()
      guard let end else {
        return dialogue.console.list(sessions) { session in
          let (isCurrent, lastUse) = (session.isCurrent, session.lastUsedAt)
          return (
            [
              session.id, isCurrent ? "this one" : nil, session.label,
              lastUse.map { "last used \($0.formatted(.iso8601))" },
            ], ["id": session.id, "current": isCurrent, "label": session.label, "last_used_at": lastUse]
          )
        }
      }
      let session = try sessions.with(id: end, listedBy: "account sessions")
      try await dialogue.account.perform(.end(session))
      if session.isCurrent { try await dialogue.opened.root.manager.signOut(losing: .anonymousAccount) }
      dialogue.console.done(session.isCurrent ? "This session is over: signed out here." : "That session is over.")
    }
  }
}

extension Account {
  struct SignUp: Command {
    static let configuration = CommandConfiguration(
      commandName: "sign-up", abstract: "Create an account, and sign in to it.",
      discussion: "Where the provider asks for a step and the input ends, 'authctl login --continue' goes on.")

    @Option(help: "The user name; asked for where it is missing.")
    var username: String?

    @Flag(help: "Read the password from standard input, one line.")
    var passwordStdin = false

    @OptionGroup var at: ProviderOptions

    @Option(help: "How many seconds to wait; by default 60, and longer for who looks for a code.")
    var timeout: Int?

    @Flag(help: "Print an event a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    func validate() throws { try timeout?.checkTimeout() }

    func perform(on console: Console) async throws {
      let folder = ProfileFolder(options, console)
      let old = try folder.loadSettingAside()
      let profile = try at.profile(old, in: folder)
      try folder.checkSaving(profile.storage)
      let secret = try at.client.secret(console) ?? folder.clientSecret(of: profile)
      let opened = try OpenProfile(profile, in: folder, clientSecret: secret)
      try await opened.offering(.signUp, as: Self._commandName) {
        var input = SignInInput([.userName: try console.userName(username)])
        input.fields[.password] = try console.password(fromInput: passwordStdin)
        try await opened.keepSession(secret: secret, replacing: old) {
          try await opened.limit(to: timeout) { [input, root = opened.root] in
            try await SignInDialogue(console: console).signUp(at: root, input)
          }
        }
      }
    }
  }
}

extension Account {
  struct Verify: AccountCommand {
    static let ability = AccountAbility.verify
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Change to an address or phone number, or verify it.")

    @Option(help: "An e-mail address.")
    var email: String?

    @Option(help: "A phone number, like +491701234567.")
    var phone: String?

    @Flag(name: .customLong("continue"), help: "Go on with the step that this command left waiting.")
    var continues = false

    @Flag(help: "Print an event a line, as JSON.")
    var json = false

    @OptionGroup var options: ProfileOptions

    func validate() throws {
      guard [email != nil, phone != nil, continues].count(where: \.self) == 1 else {
        throw ValidationError("Give one of --email, --phone and --continue.")
      }
    }

    func perform(in dialogue: AccountDialogue) async throws {
      try await dialogue.lead(continuing: continues, "The address is verified.") {
        let address = email.map(AccountAddress.email) ?? .phone(phone ?? "")
        return { try await dialogue.account.perform(.verify(address)) }
      }
    }
  }
}
