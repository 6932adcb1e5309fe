import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import Foundation

/// The list of accounts as it is stored, which several processes read and change.
struct StoredAccounts: Sendable {
  /// An account, or a root without a session, which has no user.
  struct Entry: Equatable {
    let id: String
    var asked: String?
    /// The registry that has returned this root, which has no user: only there one may sign in with it.
    var holder: String?
    var providerName = ""
    var realm = ""
    var user: User?
    /// Without a user: when its holder took it, or was about to store a session there.
    var lastUsed = Date(timeIntervalSinceReferenceDate: 0)
    var isSignedIn = false

    var account: KnownAccount? {
      user.map {
        KnownAccount(id: id, user: $0, provider: asked ?? providerName, lastUsed: lastUsed, isSignedIn: isSignedIn)
      }
    }
  }

  private static let heading = "AuthenticationKit accounts 1"

  private let shared: StorageLocation.Realm.Shared

  init(_ shared: StorageLocation.Realm.Shared) { self.shared = shared }

  func read() throws(AuthenticationError) -> [Entry] {
    guard let data = try shared.storage.read(shared.key) else { return [] }
    guard let fields = StoredFields.read(data, heading: Self.heading) else { throw .unreadableList }
    var accounts: [[String: String]] = []
    for (name, value) in fields {
      if name == "account" { accounts.append([:]) }
      if !accounts.isEmpty { accounts[accounts.endIndex - 1][name] = value }
    }
    return accounts.map(Self.entry(of:))
  }

  /// Reads the list and writes it again, with no change by another process in between; writes nothing if the change
  /// leaves the list as it is.
  ///
  /// - Throws: ``AuthenticationError/storageUnavailable`` also if another process holds the lock for 2 seconds.
  func update<Result>(
    _ change: (inout [Entry]) -> Result
  ) throws(AuthenticationError) -> (result: Result, hasChanged: Bool) {
    let known = try read()
    var unlocked = known
    let result = change(&unlocked)
    if unlocked == known { return (result, false) }
    try shared.lock.acquire(within: .seconds(2))
    defer { shared.lock.release() }
    var entries = try read()
    let final = change(&entries)
    defer { shared.signal.raise() }
    try shared.storage.write(Self.encoded(entries), for: shared.key)
    return (final, true)
  }

  /// An element after each change, and once a storage that was locked is open; nil if changes cannot be observed now.
  func changes() -> AsyncStream<Void>? {
    shared.signal.changes().map { $0.merged(with: shared.storage.unlockSignals()) }
  }

  private static func entry(of fields: [String: String]) -> Entry {
    let user = fields["user"].map {
      User(
        id: $0, name: fields["name"], email: fields["email"], picture: fields["picture"],
        isAnonymous: fields["anonymous"] != nil)
    }
    return Entry(
      id: fields["account"] ?? "", asked: fields["asked"], holder: fields["holder"],
      providerName: fields["provider"] ?? "", realm: fields["realm"] ?? "", user: user,
      lastUsed: Date(timeIntervalSinceReferenceDate: fields["used"].flatMap(Double.init) ?? 0),
      isSignedIn: fields["signed-in"] != nil)
  }

  private static func encoded(_ entries: [Entry]) -> Data {
    var writer = StoredFields.Writer(heading: heading)
    for entry in entries {
      writer.add("account", entry.id)
      writer.add("asked", entry.asked)
      writer.add("holder", entry.holder)
      writer.add("provider", entry.providerName)
      writer.add("realm", entry.realm)
      writer.add("used", "\(entry.lastUsed.timeIntervalSinceReferenceDate)")
      writer.add("signed-in", entry.isSignedIn ? "yes" : nil)
      writer.add("user", entry.user?.id)
      writer.add("name", entry.user?.name)
      writer.add("email", entry.user?.email)
      writer.add("picture", entry.user?.picture)
      writer.add("anonymous", entry.user?.isAnonymous == true ? "yes" : nil)
    }
    return writer.finished()
  }
}

extension AuthenticationError {
  fileprivate static let unreadableList = Self(
    .storageCorrupt, "The list of accounts cannot be read; it was left as it is, and so was each session.",
    suggestion: "See what wrote to this key: a later version of the app can read its own list.")
}
