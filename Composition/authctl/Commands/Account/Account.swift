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

/// A subcommand of `account` for the user who is signed in.
protocol AccountCommand: Command {
  static var ability: AccountAbility { get }
  var options: ProfileOptions { get }
  func perform(at opened: OpenProfile, on console: Console) async throws
}

extension AccountCommand {
  /// Refused before anything is asked or sent where the provider does not offer it, or no user is signed in.
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

  /// One line for each element: an object, or what it has, apart by two spaces, its id first.
  func list<Element>(_ elements: [Element], _ entry: (Element) -> (words: [String?], json: JSONObject)) {
    for element in elements {
      let (words, json) = entry(element)
      out(words.compactMap(\.self).joined(separator: "  "), json: json)
    }
  }
}

extension ProviderOptions {
  /// Where the account of who is not signed in is: by default where the profile's is.
  ///
  /// - Parameter old: the profile as it is; nil if it is new.
  func profile(_ old: Profile?, _ options: ProfileOptions, _ console: Console) throws -> Profile {
    if isUsed {
      var profile = Profile(
        provider: kind.name, settings: settings, storage: options.storage ?? old?.storage ?? .best(telling: console))
      if let old, old.realm == profile.realm { profile.allowedOrigins = old.allowedOrigins }
      return profile
    }
    guard var profile = old else {
      throw ValidationError("Where the account is, is missing: --provider with its options, such as --base-url.")
    }
    profile.storage = options.storage ?? profile.storage
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

    func perform(at opened: OpenProfile, on console: Console) async throws {
      if !yes, let user = opened.root.currentUser {
        console.ask("Type '\(user.id.printable)' to delete this account for ever: ")
        guard readLine() == user.id else { throw AuthenticationError.kept }
      }
      try await opened.root.manager.account.perform(.deleteAccount)
      try await PendingAccountStep(of: opened.profile, in: ProfileFolder(options.profile)).removeAny()
      console.done("The account is deleted; signed out here.")
    }
  }
}

extension AuthenticationError {
  fileprivate static let kept = Self(.declined, "The account was not deleted.")
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
      let folder = ProfileFolder(options.profile)
      let profile = try at.profile(try folder.load(), options, console)
      let opened = try OpenProfile(
        profile, in: folder, options: options, console: console, clientSecret: try at.client.secret(console))
      try await opened.offering(.resetPassword, as: Self._commandName) {
        let dialogue = try AccountDialogue(opened, options, console, command: Self._commandName)
        if continues {
          try await dialogue.goOn()
        } else {
          let name = try UserNamePrompt.read(username, console: console)
          try await dialogue.finish { try await opened.root.manager.account.perform(.resetPassword(of: name)) }
        }
      }
      console.done("The password is changed. Log in with it.")
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

    func perform(at opened: OpenProfile, on console: Console) async throws {
      let dialogue = try dialogue(at: opened, console)
      if continues {
        try await dialogue.goOn()
      } else {
        let old = try PasswordPrompt.read(fromInput: passwordStdin, console: console, asking: "Old password: ")
        let new = try PasswordPrompt.read(fromInput: passwordStdin, console: console, asking: "New password: ")
        try await dialogue.finish { try await opened.root.manager.account.perform(.changePassword(from: old, to: new)) }
      }
      console.done("The password is changed.")
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

    func perform(at opened: OpenProfile, on console: Console) async throws {
      let account = opened.root.manager.account
      let sessions = try await account.sessions()
      guard let end else {
        return console.list(sessions) { session in
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
      try await account.perform(.end(session))
      if session.isCurrent { try await opened.root.manager.signOut(losing: .anonymousAccount) }
      console.done(session.isCurrent ? "This session is over: signed out here." : "That session is over.")
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
      let folder = ProfileFolder(options.profile)
      let old = try folder.loadSettingAside()
      let profile = try at.profile(old, options, console)
      try folder.checkSaving(profile.storage)
      let secret = try at.client.secret(console) ?? folder.clientSecret(of: profile)
      let opened = try OpenProfile(profile, in: folder, options: options, console: console, clientSecret: secret)
      try await opened.offering(.signUp, as: Self._commandName) {
        var input = SignInInput([.userName: try UserNamePrompt.read(username, console: console)])
        input.fields[.password] = try PasswordPrompt.read(fromInput: passwordStdin, console: console)
        try await folder.begin(profile, secret: secret, options: options, console: console)
        defer { if opened.root.attempts.current?.state.challenge == nil { folder.endLogin() } }
        let user = try await LimitedSignIn(root: opened.root, timeout: timeout).run { [input] in
          try await SignInDialogue(console: console).signUp(at: opened.root, input)
        }
        try await NewSession(opened: opened, folder: folder, options: options, console: console)
          .keep(user, secret: secret, replacing: old)
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

    func perform(at opened: OpenProfile, on console: Console) async throws {
      let dialogue = try dialogue(at: opened, console)
      if let address = email.map(AccountAddress.email) ?? phone.map(AccountAddress.phone) {
        try await dialogue.finish { try await opened.root.manager.account.perform(.verify(address)) }
      } else {
        try await dialogue.goOn()
      }
      console.done("The address is verified.")
    }
  }
}
