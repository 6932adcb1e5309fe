import AuthenticationKit
import Foundation

/// The step of an account service that waits for the person between two commands. It holds no password and no code.
struct PendingAccountStep {
  private let store: SecurePendingSignIns
  private let command: String
  private let person: String

  /// - Parameters:
  ///   - command: whose step it is; another one does not see it.
  ///   - person: who asked for it; nobody else sees it. Nil if nobody is signed in.
  init(of profile: Profile, in folder: ProfileFolder, command: String = "", person: User? = nil) throws {
    let secrets = try folder.storage(profile.storage).place(profile.realm).secrets
    store = SecurePendingSignIns(PrefixedStorage(secrets, prefix: "account-"), realm: profile.realm)
    self.command = command
    self.person = person?.id ?? ""
  }

  func save(_ challenge: Challenge, receivedAt: Date) async {
    await store.save(
      PendingSignIn(attempt: person, method: command, challenge: challenge, receivedAt: receivedAt))
  }

  /// Nil also if the provider no longer accepts an answer: such a step is deleted, of any command and user.
  func step() async -> (challenge: Challenge, receivedAt: Date)? {
    guard let step = await store.pending() else { return nil }
    guard step.isAccepted(at: Date()) else {
      await removeAny()
      return nil
    }
    return step.method == command && step.attempt == person ? (step.challenge, step.receivedAt) : nil
  }

  func remove() async { await store.remove(person) }

  /// That of any command: whoever is signed in next has not asked for it.
  func removeAny() async { await store.removeAll() }
}
