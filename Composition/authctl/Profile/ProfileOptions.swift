import ArgumentParser
import AuthenticationKit

/// The options every command has.
struct ProfileOptions: ParsableArguments {
  @Option(help: "Which of several sessions side by side.")
  var profile = "default"

  @Option(help: "Where the session is kept: keychain, secret-service or file. By default the best at the first login.")
  var storage: StorageKind?

  @Flag(help: "Tell on stderr what is done. Shows no secret.")
  var verbose = false

  mutating func validate() throws {
    guard !profile.isEmpty, profile.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }),
      profile.first != "."
    else { throw ValidationError("A profile's name has letters, digits, '-', '_' and '.' only.") }
  }
}

enum StorageKind: String, ExpressibleByArgument, Codable, CaseIterable {
  case keychain
  case secretService = "secret-service"
  case file

  /// The best that answers on this machine now. Asks nobody to unlock anything.
  static var best: StorageKind {
    #if canImport(Security)
    // A program that is not signed with a keychain access group is refused.
    do { _ = try KeychainStorage(service: "authctl").read("probe") } catch { return .file }
    return .keychain
    #elseif os(Linux)
    return SecretServiceStorage(service: "authctl").isOpen ? .secretService : .file
    #else
    return .file
    #endif
  }
}
