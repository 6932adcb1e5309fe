public import AuthenticationData
public import AuthenticationDomain
public import AuthenticationKit
import Foundation
import Synchronization

/// The accounts of an app, each with a session and a ``MainRoot``, and the one in use.
///
/// The list is one record of the location, which all processes there share: each sees the changes of the others. A user
/// who signs in becomes an account; one who signs in a second time stays one account. An account stays in the list when
/// its session has ended.
///
/// ```swift
/// let accounts = try AccountRegistry(in: .platformDefault(), for: .api(baseURL: url)) { $0.refreshPolicy = .onDemand }
/// let root = try await accounts.current()
/// let other = try await accounts.add()
/// ```
public actor AccountRegistry: AccountList {
  /// Makes the root of one account.
  ///
  /// - Parameters:
  ///   - provider: the name that ``AccountRegistry/add(_:)`` was given; nil if it was given none.
  ///   - storage: where this account's session is kept: the root has to use it.
  public typealias MakeRoot =
    @Sendable (_ provider: String?, _ storage: StorageLocation) throws(AuthenticationError) -> MainRoot

  private typealias Entry = StoredAccounts.Entry

  private struct Open {
    let root: MainRoot
    let realm: String
    let store: any SessionStore
    let following: Task<Void, Never>
  }

  private let storage: StorageLocation
  private let accounts: StoredAccounts
  private let clock: any AuthenticationClock
  private let makeRoot: MakeRoot
  /// Names this registry as the holder of a root without a session.
  private let holder = RecordID.random().description
  private let executor = BlockingExecutor(label: "AuthenticationKit.AccountRegistry")
  private nonisolated let changed = Broadcast<Void>()
  private var roots: [String: Open] = [:]
  /// Roots without a session that were made here; each is listed before a session is stored there, so that it is found
  /// if this process ends after that.
  private var drafts: [Entry] = []
  /// Roots whose session is being moved to the account of its user.
  private var moving: [String: Task<Result<Void, AuthenticationError>, Never>] = [:]
  /// Seconds for which a root without a user is left to the process that holds it. At the first look all are read.
  private var holdTime = -TimeInterval.infinity

  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Composes the registry of an app with several providers; reads nothing yet.
  ///
  /// - Parameters:
  ///   - storage: holds the list, and each account's session under a separate key; not one of an app's own stores.
  ///   - clock: the time; replace it in a test.
  ///   - makeRoot: makes the root of one account, with the storage that it is given.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a location of an app's own stores.
  public init(
    in storage: StorageLocation, clock: any AuthenticationClock = SystemClock(), makeRoot: @escaping MakeRoot
  ) throws(AuthenticationError) {
    guard let shared = storage.realm("list of accounts").shared else { throw .ownLocation }
    self.storage = storage
    accounts = StoredAccounts(shared)
    self.clock = clock
    self.makeRoot = makeRoot
  }

  /// Composes the registry of an app with one provider; reads nothing yet.
  ///
  /// - Parameters:
  ///   - storage: holds the list, and each account's session under a separate key; not one of an app's own stores.
  ///   - configuration: names the provider.
  ///   - change: replaces some of the parts of each root, all but its storage.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a location of an app's own stores.
  public init(
    in storage: StorageLocation, for configuration: AuthProviderConfiguration,
    _ change: @escaping @Sendable (inout MainRoot.Options) -> Void = { _ in }
  ) throws(AuthenticationError) {
    try self.init(in: storage) { _, location throws(AuthenticationError) in
      try MainRoot(configuration) {
        change(&$0)
        $0.storage = location
      }
    }
  }

  deinit { for opened in roots.values { opened.following.cancel() } }

  public func list() async throws(AuthenticationError) -> [KnownAccount] {
    try? await noteSignIns()
    return try accounts.read().compactMap(\.account)
  }

  public nonisolated func changes() -> AsyncStream<Void> { changed.values(keeping: 1).merged(with: accounts.changes()) }

  /// The root of an account, the same each time.
  ///
  /// - Parameter id: of the account.
  /// - Throws: ``AuthenticationError/invalidRequest`` if there is no such account, and as ``list()`` does.
  public func root(of id: String) throws(AuthenticationError) -> MainRoot {
    guard let entry = try accounts.read().first(where: { $0.id == id && $0.user != nil }) else { throw .unknownAccount }
    return try opened(entry).root
  }

  /// The root of the account in use; if there is no account, one of a user to be.
  ///
  /// - Throws: as ``list()`` does.
  public func current() async throws(AuthenticationError) -> MainRoot {
    try await noteSignIns()
    guard let entry = try accounts.read().first(where: { $0.user != nil }) else { return try await add() }
    return try opened(entry).root
  }

  /// A root without a session. The user who signs in with it becomes an account, and the one in use; if that user is an
  /// account already, the session goes to that account, and this root is signed out.
  ///
  /// - Parameter provider: the app's name for it, which the closure of the registry is given; by default none.
  /// - Returns: the same root again until a user has signed in with it.
  /// - Throws: as ``list()`` does.
  public func add(_ provider: String? = nil) async throws(AuthenticationError) -> MainRoot {
    while true {
      try await noteSignIns()
      let opened = try opened(update { entries in draft(provider, in: &entries) })
      // A session that another process has stored there, before it was killed for example, becomes an account and is
      // not replaced.
      guard case .signedIn = await opened.root.manager.restore() else { return opened.root }
    }
  }

  public func use(_ id: String) throws(AuthenticationError) {
    let now = clock.now
    let isKnown = try update { entries in
      guard let index = entries.firstIndex(where: { $0.id == id && $0.user != nil }) else { return false }
      var entry = entries.remove(at: index)
      entry.lastUsed = now
      entries.insert(entry, at: 0)
      return true
    }
    if !isKnown { throw .unknownAccount }
  }

  public func remove(_ id: String, losing loss: SignOutLoss? = nil) async throws(AuthenticationError) {
    guard let entry = try accounts.read().first(where: { $0.id == id && $0.user != nil }) else { return }
    let manager = try opened(entry).root.manager
    if case .unavailable(let error) = await manager.restore() { throw error }
    try await manager.signOut(losing: loss)
    // It leaves a root without a session, from which the provider is told of the sign-out after a relaunch, too.
    try update { entries in
      guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
      (entries[index].user, entries[index].isSignedIn, entries[index].holder) = (nil, false, nil)
    }
  }
}

/// The roots, and the sessions that they get.
extension AccountRegistry {
  private func opened(_ entry: Entry) throws(AuthenticationError) -> Open {
    if let opened = roots[entry.id] { return opened }
    let used = UsedRealm()
    let root = try makeRoot(
      entry.asked,
      StorageLocation { [storage, accounts, clock, id = entry.id] realm in
        var own = storage.realm("\(realm) \(id)")
        own.store = ListedStore(own.store) { () throws(AuthenticationError) in
          _ = try accounts.update { entries in
            if !entries.contains(where: { $0.id == id }) { entries.append(entry) }
            if let index = entries.firstIndex(where: { $0.id == id && $0.user == nil }) {
              entries[index].lastUsed = clock.now
            }
          }
        }
        used.realm.withLock { [store = own.store] in $0 = (realm, store) }
        return own
      })
    guard let (realm, store) = used.realm.withLock({ $0 }) else { throw .otherStorage }
    let states = root.manager.states()
    let following = Task { [weak self, id = entry.id] in
      // One that fails is noted at the next call.
      for await state in states { try? await self?.note(state, of: id) }
    }
    let opened = Open(root: root, realm: realm, store: store, following: following)
    roots[entry.id] = opened
    return opened
  }

  /// Notes the state of each root now, and the sessions of processes that were killed after a sign-in: at the first
  /// call at once, later after a minute, in which a process that runs notes its own. Removes a root that a process has
  /// left a day ago with nothing in its store. A root that cannot be made, or whose session cannot be moved, does not
  /// keep the others from use.
  private func noteSignIns() async throws(AuthenticationError) {
    let listedBefore = clock.now - holdTime
    for entry in try accounts.read() where entry.user == nil && entry.holder != holder && entry.lastUsed < listedBefore
    {
      guard let opened = try? opened(entry) else { continue }
      await opened.root.manager.restore()
      // A process that runs after all lists its root again before it stores a session.
      if entry.holder != nil, entry.lastUsed < clock.now - 86_400,
        let record = try? opened.store.read() ?? SessionRecord(), record.session == nil,
        record.pendingRevocations.isEmpty
      {
        try? update { entries in entries.removeAll { $0 == entry } }
      }
    }
    holdTime = 60
    for (id, opened) in roots { try? await note(opened.root.manager.state, of: id) }
  }

  /// A root without a session, which no other registry returns: one that is free or this one's, or else a new one.
  private func draft(_ provider: String?, in entries: inout [Entry]) -> Entry {
    let unlisted = drafts.filter { draft in !entries.contains { $0.id == draft.id } }
    let known = (entries + unlisted).first {
      $0.user == nil && $0.asked == provider && [nil, holder].contains($0.holder)
        && roots[$0.id]?.root.manager.state.session == nil
    }
    var draft = known ?? Entry(id: RecordID.random().description, asked: provider)
    if draft.holder == nil { (draft.holder, draft.lastUsed) = (holder, clock.now) }
    if let index = entries.firstIndex(where: { $0.id == draft.id }) { entries[index] = draft }
    if !drafts.contains(where: { $0.id == draft.id }) { drafts.append(draft) }
    return draft
  }

  private func update<Result>(_ change: (inout [Entry]) -> Result) throws(AuthenticationError) -> Result {
    let (result, hasChanged) = try accounts.update(change)
    if hasChanged { changed.send(()) }
    return result
  }

  private func note(_ state: AuthenticationState, of id: String) async throws(AuthenticationError) {
    switch state {
    case .signedIn(let active):
      if let move = moving[id] { return try await move.value.get() }
      guard let home = try place(active, of: id) else { return }
      let move = Task {
        await Result.of { () async throws(AuthenticationError) in
          try await self.move(active.session, from: id, to: home)
        }
      }
      moving[id] = move
      defer { moving[id] = nil }
      try await move.value.get()
    case .signedOut:
      try update { entries in
        if let index = entries.firstIndex(where: { $0.id == id }) { entries[index].isSignedIn = false }
      }
    case .unknown, .unavailable, .challenged: break
    }
  }

  /// Notes whose session a root has.
  ///
  /// - Returns: the account that the session belongs to; nil if that is this root's own.
  private func place(_ active: ActiveSession, of id: String) throws(AuthenticationError) -> Entry? {
    guard let opened = roots[id] else { return nil }
    let (user, now) = (active.session.user, clock.now)
    let home = try update { entries in
      let index = entries.firstIndex { $0.id == id } ?? entries.endIndex
      if index == entries.endIndex { entries.append(drafts.first { $0.id == id } ?? Entry(id: id)) }
      let isNew = !user.isSame(as: entries[index].user)
      // A session that another process has erased meanwhile is neither listed nor moved again.
      if isNew, !user.isSame(as: (try? opened.store.read())?.session?.user) { return entries[index] }
      if let other = entries.first(where: { $0.id != id && $0.realm == opened.realm && user.isSame(as: $0.user) }) {
        // An upgraded account is no longer a separate one.
        if entries[index].user?.isAnonymous == true { entries[index].user = nil }
        return other
      }
      var entry = entries.remove(at: index)
      if isNew, let former = entry.user, !former.isAnonymous {
        // Another user has signed in with the root of an account, which stays in the list.
        entries.insert(entry, at: index)
        return draft(entry.asked, in: &entries)
      }
      (entry.user, entry.holder, entry.isSignedIn) = (user.shown, nil, active.freshness != .expired)
      (entry.realm, entry.providerName) = (opened.realm, opened.root.providerName)
      if isNew { entry.lastUsed = now }
      entries.insert(entry, at: isNew ? 0 : index)
      return entry
    }
    return home.id == id ? nil : home
  }

  /// Has the account of its user take over a session, unless that has a fresh one. A process that is killed meanwhile
  /// does it again: the session is erased last.
  private func move(_ session: AuthSession, from id: String, to home: Entry) async throws(AuthenticationError) {
    guard let source = roots[id] else { return }
    let opened = try opened(home)
    let target = opened.root.manager
    let (kept, moved) = (try opened.store.read(), try source.store.read())
    if let other = kept?.session, !other.user.isSame(as: session.user) {
      // Another user's, which becomes a separate account first.
      await target.restore()
      throw .superseded
    }
    if session.user.isSame(as: kept?.session?.user), let began = moved?.signedInAt, let later = kept?.signedInAt,
      later >= began
    {
      // Moved by a process that was killed: these tokens are in use there, or were refreshed since.
      await target.restore()
    } else {
      try await target.signIn(with: ExistingSession(session, isNewer: true))
      if let active = target.state.activeSession, active.session.accessToken != session.accessToken {
        await target.discard(session)
      }
    }
    guard let adopted = target.state.activeSession else { throw .superseded }
    if let unsaved = adopted.unsaved { throw unsaved }
    try await source.root.manager.erase(session.user, because: .absent)
    _ = try place(adopted, of: home.id)
    try use(home.id)
  }
}

/// The realm that a root asked its location for.
private final class UsedRealm: Sendable {
  let realm = Mutex<(name: String, store: any SessionStore)?>(nil)
}

/// The store of a root, which is in the list before a session is stored.
private final class ListedStore: SessionStore {
  private let upstream: any SessionStore
  private let list: @Sendable () throws(AuthenticationError) -> Void
  private let wasListed = Mutex(false)

  init(_ upstream: any SessionStore, list: @escaping @Sendable () throws(AuthenticationError) -> Void) {
    (self.upstream, self.list) = (upstream, list)
  }

  func read() throws(AuthenticationError) -> SessionRecord? { try upstream.read() }
  func save(_ record: SessionRecord) throws(AuthenticationError) {
    if record.session != nil {
      do throws(AuthenticationError) {
        try list()
        wasListed.withLock { $0 = true }
      } catch {
        // A user whom no list names would be lost; one who was listed is not lost by a list that cannot be read now.
        if !wasListed.withLock({ $0 }) { throw error }
      }
    }
    try upstream.save(record)
  }
  func delete() throws(AuthenticationError) { try upstream.delete() }
  func removeQuarantinedCopies() throws(AuthenticationError) { try upstream.removeQuarantinedCopies() }
  func exclusively(_ body: () -> Void) throws(AuthenticationError) { try upstream.exclusively(body) }
  func changes() -> AsyncStream<Void>? { upstream.changes() }
}

extension User {
  /// The members of a user that a list shows, without the provider's claims.
  fileprivate var shown: User { User(id: id, name: name, email: email, picture: picture, isAnonymous: isAnonymous) }
}

extension AuthenticationError {
  fileprivate static let ownLocation = Self(
    .invalidConfiguration, "A registry of accounts cannot use stores of an app's own.",
    suggestion: "Use StorageLocation.secure with a SecureStorage of your own.")

  fileprivate static let otherStorage = Self(
    .invalidConfiguration, "The root of an account does not use the storage that it was given.",
    suggestion: "Set options.storage to it.")

  fileprivate static let unknownAccount = Self(
    .invalidRequest, "There is no account with this id.", suggestion: "Read the list again: it may have been removed.")
}
