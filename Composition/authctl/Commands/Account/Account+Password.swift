import ArgumentParser
import AuthenticationKit

extension Account {
  struct ResetPassword: Command {
    static let configuration = CommandConfiguration(
      abstract: "Choose another password for who forgot it, after a code or a link.")

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
          try await dialogue.finish { try await opened.root.account.resetPassword(of: name) }
        }
      }
      console.done("The password is changed. Log in with it.")
    }
  }

  struct ChangePassword: AccountCommand {
    static let ability = AccountAbility.changePassword
    static let configuration = CommandConfiguration(
      abstract: "Change the password of who is signed in.", discussion: "The old one is asked for, then the new one.")

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
        try await dialogue.finish { try await opened.root.account.changePassword(from: old, to: new) }
      }
      console.done("The password is changed.")
    }
  }
}
