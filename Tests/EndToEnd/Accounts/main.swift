import AuthenticationKit
import AuthenticationPasskeys
import DjangoAllauth
import Foundation

/// An app with accounts of its own backend, built on django-allauth. A step each launch, like an app that is opened,
/// killed and opened again:
///
///     Accounts BASE-URL FOLDER STEP [ARGUMENT …]
///
/// Prints what happened, a word and a value a line, then stays open until its standard input ends.
let arguments = CommandLine.arguments
guard arguments.count >= 4 else { exit(64) }
let folder = URL(filePath: arguments[2])
let passkeys = KeptPasskeys(in: folder, origin: arguments[1])
let root = try MainRoot(.djangoAllauth(baseURL: arguments[1])) {
  $0.storage = .files(in: folder)
  $0.methods = [
    .password, .emailCode, .phoneCode,
    .passkey(relyingPartyID: "localhost") { _ in
      HesitatingAuthenticator(upstream: passkeys.authenticator, isAnswered: arguments[3] != "passkey-unanswered")
    },
  ]
}
await passkeys.restore()
let steps = Steps(root: root, pending: PendingStep(in: folder), passkeys: passkeys)

do throws(AuthenticationError) {
  try await steps.take(arguments[3], Array(arguments.dropFirst(4)))
} catch {
  tell("failed", error.code.description)
  // The password first, then the same step again: what is asked instead stands before it.
  if let asked = error.challenge { steps.pending.push(asked) }
}
tell("user", await root.manager.restore().user?.id ?? "nobody")
while readLine() != nil {}

/// At once: whoever reads it waits for it.
func tell(_ word: String, _ value: String) { FileHandle.standardOutput.write(Data("\(word) \(value)\n".utf8)) }
