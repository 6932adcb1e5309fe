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

  /// For a first login: a keyring that is locked is not passed over in silence. The person is asked to unlock it where that
  /// can be asked, and told otherwise.
  static func best(telling console: Console) -> StorageKind {
    #if os(Linux)
    let keyring = SecretServiceStorage(service: "authctl")
    guard keyring.availability == .locked else { return best }
    if (try? keyring.unlock()) != nil { return .secretService }
    console.say(
      "The keyring is locked: the session will be kept in a file that only you can read. To keep it in the keyring, "
        + "unlock that and log in again with --storage secret-service.")
    return .file
    #else
    return best
    #endif
  }
}
