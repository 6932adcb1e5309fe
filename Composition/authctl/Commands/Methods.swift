import ArgumentParser
import AuthenticationKit

struct Methods: Command {
  static let configuration = CommandConfiguration(
    abstract: "List the ways to sign in of the profile's provider, or of the one that is named.")

  @OptionGroup(title: "Another provider than the profile's") var at: ProviderOptions

  @Flag(help: "Print an object a line, as JSON.")
  var json = false

  @OptionGroup var options: ProfileOptions

  func perform(on console: Console) async throws {
    let methods =
      try at.isUsed ? at.root(console).methods : OpenProfile.saved(options, console: console).root.methods
    for method in methods {
      if json { console.out(json: MethodOutput(method)) } else { console.out(method.id) }
    }
  }
}

private struct MethodOutput: Encodable {
  let id: String
  let name: String
  let needs: [String]

  init(_ method: SignInMethod) {
    id = method.id
    name = method.displayName
    needs = method.needs.map(\.id)
  }
}
