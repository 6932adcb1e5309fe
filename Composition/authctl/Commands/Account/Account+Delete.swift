import ArgumentParser
import AuthenticationKit
import Foundation

extension Account {
  struct Delete: AccountCommand {
    static let ability = AccountAbility.delete
    static let configuration = CommandConfiguration(abstract: "Delete the account for ever, and sign out here.")

    @Flag(help: "Ask nothing; needed where nobody can be asked.")
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
      try await opened.root.account.deleteAccount()
      try await PendingAccountStep(of: opened.profile, in: ProfileFolder(options.profile)).removeAny()
      console.done("The account is deleted; signed out here.")
    }
  }
}

extension AuthenticationError {
  fileprivate static let kept = Self(.declined, "The account was not deleted.")
}
