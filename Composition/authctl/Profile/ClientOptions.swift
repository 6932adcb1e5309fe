import ArgumentParser
import AuthenticationKit

/// How this program is registered, at an issuer or at another provider.
struct ClientOptions: ParsableArguments {
  @Option(name: .customLong("client-id"), help: "The client id that the provider gave this program.")
  var clientID: String?

  @Option(help: "A file with the client's secret, where it has one.")
  var clientSecretFile: String?

  @Option(help: "The API the token is for, where the provider asks for it.")
  var audience: String?

  /// Whether anything was named.
  var isUsed: Bool { clientID != nil || clientSecretFile != nil || audience != nil }

  func secret(_ console: Console) throws -> Secret? {
    try clientSecretFile.map { try ClientSecretFile(path: $0).read(console) }
  }
}
