import AuthenticationKit
import Foundation

/// The step of an account service that waits for the person between two commands. It holds no password and no code.
struct PendingAccountStep {
  private let store: SecurePendingSignIns
  private let command: String

  /// - Parameter command: whose step it is; another one does not see it.
  init(of profile: Profile, in folder: ProfileFolder, command: String = "") throws {
    let secrets = try folder.storage(profile.storage).place(profile.realm).secrets
    store = SecurePendingSignIns(PrefixedStorage(secrets, prefix: "account-"), realm: profile.realm)
    self.command = command
  }

  func save(_ challenge: Challenge, receivedAt: Date) async {
    await store.save(
      PendingSignIn(attempt: command, method: command, challenge: challenge, receivedAt: receivedAt))
  }

  /// Nil also if the provider no longer accepts an answer.
  func step() async -> (challenge: Challenge, receivedAt: Date)? {
    guard let step = await store.pending(), step.method == command, step.isAccepted(at: Date()) else { return nil }
    return (step.challenge, step.receivedAt)
  }

  func remove() async { await store.remove(command) }

  /// That of any command: whoever is signed in next has not asked for it.
  func removeAny() async { await store.removeAll() }
}
