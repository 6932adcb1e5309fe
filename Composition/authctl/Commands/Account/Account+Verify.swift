import ArgumentParser
import AuthenticationKit

extension Account {
  struct Verify: AccountCommand {
    static let ability = AccountAbility.verify
    static let configuration = CommandConfiguration(abstract: "Change to an address or phone number, or verify it.")

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
        try await dialogue.finish { try await opened.root.account.verify(address) }
      } else {
        try await dialogue.goOn()
      }
      console.done("The address is verified.")
    }
  }
}
