import AuthenticationKit
import AuthenticationPasskeys
import Foundation

/// An app with accounts at a backend built on django-allauth. A step each launch, like an app that is opened,
/// killed and opened again:
///
///     accounts BASE-URL FOLDER STEP [ARGUMENT …]
///
/// Prints the events, a word and a value a line, then stays open until its standard input ends.
enum Accounts {
  static func run(_ arguments: [String]) async throws {
    guard arguments.count >= 3 else { exit(64) }
    let folder = URL(filePath: arguments[1])
    let isAnswered = arguments[2] != "passkey-unanswered"
    let passkeys = KeptPasskeys(in: folder, origin: arguments[0])
    let root = try MainRoot(.djangoAllauth(baseURL: arguments[0])) {
      $0.storage = .files(in: folder)
      $0.methods = [
        .password, .emailCode, .phoneCode,
        .passkey(relyingPartyID: "localhost") { _ in
          HesitatingAuthenticator(upstream: passkeys.authenticator, isAnswered: isAnswered)
        },
      ]
    }
    await passkeys.restore()
    let steps = Steps(root: root, pending: PendingStep(in: folder), passkeys: passkeys)
    do throws(AuthenticationError) {
      try await steps.take(arguments[2], Array(arguments.dropFirst(3)))
    } catch {
      tell("failed", error.code)
      // The password first, then the same step again: another question stands before it.
      if let asked = error.challenge { steps.pending.push(asked) }
    }
    tell("user", await root.manager.restore().user?.id ?? "none")
    while readLine() != nil {}
  }
}
