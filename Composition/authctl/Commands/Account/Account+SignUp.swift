import ArgumentParser
import AuthenticationKit

extension Account {
  struct SignUp: Command {
    static let configuration = CommandConfiguration(
      abstract: "Create an account, and sign in to it.",
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

    func validate() throws {
      if let timeout, !(1...86_400).contains(timeout) {
        throw ValidationError("--timeout is a number of seconds, at least 1 and at most a day.")
      }
    }

    func perform(on console: Console) async throws {
      let folder = ProfileFolder(options.profile)
      let old = try folder.loadSettingAside()
      let profile = try at.profile(old, options, console)
      try folder.checkSaving(profile.storage)
      let secret = try at.client.secret(console) ?? folder.clientSecret(of: profile)
      let opened = try OpenProfile(
        profile, in: folder, options: options, console: console, clientSecret: secret)
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
