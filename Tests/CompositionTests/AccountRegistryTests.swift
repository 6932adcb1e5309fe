import AuthenticationKit
import AuthenticationMultiAccount
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

/// The accounts of an app over one storage.
@Suite(.timeLimit(.minutes(10))) struct AccountRegistryTests {
  let home = TemporaryFolder()
  let clock = TravelClock()
  let provider = ScriptedAuthProvider()

  static let kinds: [@Sendable (URL) -> StorageLocation] = [
    { _ in .secure(InMemoryStorage()) }, { .files(in: $0) }, { .secure(FileStorage(folder: $0), locksIn: $0) },
  ]

  /// As a separate process has it, with nothing but the location in common.
  func registry(
    in storage: StorageLocation? = nil, at provider: ScriptedAuthProvider? = nil
  ) throws -> AccountRegistry {
    try AccountRegistry(in: storage ?? .files(in: home.url), clock: clock) {
      [provider = provider ?? self.provider, clock] name, storage throws(AuthenticationError) in
      try MainRoot(.custom(provider, realm: name ?? "api")) {
        $0.storage = storage
        $0.clock = clock
        $0.refreshPolicy = .onDemand
      }
    }
  }

  @discardableResult
  func signIn(_ user: User, _ number: Int = 1, with root: MainRoot) async throws -> AuthSession {
    let session = AuthSession(user: user, tokens: .sample(number, receivedAt: clock.now))
    provider.answerSignIn(.success(.session(session)))
    try await root.useCase.login(username: "name", password: "correct horse")
    clock.travel(.seconds(1))
    return session
  }

  @Test(arguments: kinds.indices) func `a user who signs in becomes an account, and the account in use`(kind: Int)
    async throws
  {
    let accounts = try registry(in: Self.kinds[kind](home.url))
    #expect(try await accounts.list() == [])
    let first = try await accounts.current()
    #expect(try await accounts.add() === first)
    try await signIn(.ada, with: first)
    let second = try await accounts.add()
    #expect(second !== first)
    #expect(try await accounts.list().map(\.user.id) == ["ada"])
    try await signIn(.grace, 2, with: second)
    let list = try await accounts.list()
    #expect(list.map(\.user.id) == ["grace", "ada"])
    #expect(list.map(\.user.name) == ["Grace Hopper", "Ada Lovelace"])
    #expect(list.map(\.isSignedIn) == [true, true])
    #expect(list[0].lastUsed > list[1].lastUsed)
    #expect(try await accounts.current() === second)
    try await accounts.use(list[1].id)
    #expect(try await accounts.current() === first)
    #expect(try await accounts.list()[0].lastUsed > list[0].lastUsed)
    #expect(first.currentUser == .ada && second.currentUser?.id == "grace")
  }

  @Test(arguments: [1, 2]) func `another process sees each change, and the sessions`(kind: Int) async throws {
    let location = Self.kinds[kind]
    let (app, other) = (try registry(in: location(home.url)), try registry(in: location(home.url)))
    var changes = other.changes().makeAsyncIterator()
    #expect(try await other.list() == [])
    try await signIn(.ada, with: app.add())
    while try await other.list().isEmpty { await changes.next() }
    let account = try #require(try await other.list().first)
    let root = try await other.root(of: account.id)
    #expect(await root.manager.restore().user == .ada)
    try await app.remove(account.id)
    while try await !other.list().isEmpty { await changes.next() }
    await #expect(throws: AuthenticationError(.invalidRequest, "")) { try await other.root(of: account.id) }
    #expect(await root.manager.restore().session == nil)
  }

  @Test func `eight processes add eight accounts, and none is lost`() async throws {
    let users = (0..<8).map { User(id: "user-\($0)") }
    try await withThrowingTaskGroup { group in
      for user in users {
        group.addTask {
          let root = try await self.registry().add()
          let session = AuthSession(user: user, tokens: .sample(1, receivedAt: self.clock.now))
          try await root.useCase.adopt(session)
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(try await registry().list().map(\.user.id)) == Set(users.map(\.id)))
  }

  @Test(arguments: [1, 2], [false, true]) func `two processes that add at once have a root each, and lose no user`(
    kind: Int, hasFreeRoot: Bool
  ) async throws {
    let location = Self.kinds[kind]
    if hasFreeRoot {
      let former = try registry(in: location(home.url))
      try await signIn(User(id: "former"), 9, with: former.add())
      try await former.remove(try #require(try await former.list().first).id)
    }
    let (app, other) = (try registry(in: location(home.url)), try registry(in: location(home.url)))
    let (first, second) = (try await app.add(), try await other.add())
    #expect(try await app.add() === first)
    #expect(try await other.add() === second)
    try await signIn(.ada, 1, with: first)
    try await signIn(.grace, 2, with: second)
    let later = try registry(in: location(home.url))
    // Each notes the changes of its roots, which the others see then.
    for accounts in [app, other] { _ = try await accounts.list() }
    for accounts in [app, other, later] {
      #expect(Set(try await accounts.list().map(\.user.id)) == ["ada", "grace"])
      for account in try await accounts.list() {
        let root = try await accounts.root(of: account.id)
        await root.manager.restore()
        #expect(root.currentUser?.id == account.user.id)
        let token = account.user.id == "ada" ? "access-1" : "access-2"
        #expect(root.manager.state.session?.accessToken.value == Secret(token))
      }
    }
    for root in [first, second] { await root.manager.deliverRevocations() }
    #expect(!provider.revoked.contains("refresh-1") && !provider.revoked.contains("refresh-2"))
  }

  @Test func `another user's root to be is not one for the session that leaves the root of an account`() async throws {
    let (app, other) = (try registry(), try registry())
    let account = try await app.current()
    try await signIn(.ada, 1, with: account)
    _ = try await app.list()
    let added = try await other.add()
    // Each moves or signs in while the other's is not listed yet.
    try await signIn(.grace, 2, with: account)
    try await signIn(User(id: "lin"), 3, with: added)
    for accounts in [app, other] { _ = try await accounts.list() }
    #expect(Set(try await app.list().map(\.user.id)) == ["ada", "grace", "lin"])
    #expect(Set(try await other.list().map(\.user.id)) == ["ada", "grace", "lin"])
    for root in [account, added] { await root.manager.deliverRevocations() }
    #expect(!provider.revoked.contains("refresh-2") && !provider.revoked.contains("refresh-3"))
  }

  @Test func `a session that another version of the app has stored in a shared root is not replaced`() async throws {
    let storage = RecordedStorage()
    // Known since the launch, before the other process began.
    let app = try registry(in: .secure(storage))
    try await signIn(.ada, 1, with: app.add())
    try await app.remove(try #require(try await app.list().first).id)
    let free = storage.values
    let root = try await registry(in: .secure(storage)).add()
    try await signIn(.grace, 2, with: root)
    let list = try #require(storage.keys.first { $0.contains("list") })
    try storage.write(try #require(free[list]), for: list)
    let added = try await app.add()
    #expect(added.currentUser == nil)
    try await signIn(User(id: "lin"), 3, with: added)
    #expect(Set(try await app.list().map(\.user.id)) == ["grace", "lin"])
  }

  @Test func `an account whose session ended stays in the list as signed out, and signs in again as itself`()
    async throws
  {
    let accounts = try registry()
    let root = try await accounts.current()
    try await signIn(.ada, with: root)
    let id = try await accounts.list()[0].id
    clock.travel(.seconds(7_200))
    provider.answerRefresh(.failure(.sessionRejected))
    _ = try? await root.manager.validSession()
    #expect(try await accounts.list().map(\.isSignedIn) == [false])
    let later = try registry()
    #expect(try await later.list().map(\.id) == [id])
    try await signIn(.ada, 2, with: try await later.root(of: id))
    #expect(try await later.list().map(\.isSignedIn) == [true])
    #expect(try await later.list().map(\.id) == [id])
  }

  @Test func `a user who signs in a second time is one account, and the session that is not needed is revoked`()
    async throws
  {
    let accounts = try registry()
    let first = try await accounts.current()
    try await signIn(.ada, with: first)
    let id = try await accounts.list()[0].id
    let second = try await accounts.add()
    try await signIn(.ada, 2, with: second)
    #expect(try await accounts.list().map(\.id) == [id])
    #expect(second.manager.state.session == nil)
    #expect(first.manager.state.session?.accessToken.value == Secret("access-1"))
    await first.manager.deliverRevocations()
    #expect(provider.revoked == ["refresh-2"])
    #expect(try await accounts.add() === second)
  }

  @Test(arguments: [AuthenticationError.insufficientUserAuthentication, .unreachable])
  func `an account whose session is not refreshed takes the one of its user's next sign-in`(
    failure: AuthenticationError
  ) async throws {
    let accounts = try registry()
    let first = try await accounts.current()
    try await signIn(.ada, with: first)
    clock.travel(.seconds(7_200))
    provider.answerRefresh(.failure(failure))
    _ = try? await first.manager.validSession()
    #expect(first.manager.state.activeSession?.freshness == .stale)
    let second = try await accounts.add()
    try await signIn(.ada, 2, with: second)
    #expect(try await accounts.list().map(\.isSignedIn) == [true])
    #expect(first.manager.state.session?.accessToken.value == Secret("access-2"))
    #expect(first.manager.state.activeSession?.needsInteraction == false)
    #expect(second.manager.state.session == nil)
    await first.manager.deliverRevocations()
    await second.manager.deliverRevocations()
    #expect(provider.revoked == ["refresh-1"])
  }

  @Test func `the session that another user's sign-in with an account's root replaced is revoked after the move, too`()
    async throws
  {
    let accounts = try registry()
    let root = try await accounts.current()
    try await signIn(.ada, with: root)
    _ = try await accounts.list()
    provider.answerRevocation(.failure(.unreachable))
    try await signIn(.grace, 2, with: root)
    #expect(try await accounts.current().currentUser?.id == "grace")
    #expect(root.manager.state == .signedOut(.absent))
    await root.manager.deliverRevocations()
    let failed = provider.revoked.count
    provider.answerRevocation(.success(()))
    while await root.manager.deliverRevocations() != [] {}
    #expect(provider.revoked.count > failed)
    #expect(Set(provider.revoked) == ["refresh-1"])
  }

  @Test func `a process that was killed while it moved a session has the next one end that`() async throws {
    let storage = RecordedStorage()
    let home: String
    do {
      let accounts = try registry(in: .secure(storage))
      let root = try await accounts.current()
      try await signIn(.ada, with: root)
      home = try await accounts.list()[0].id
      try await root.manager.signOut()
      await root.manager.deliverRevocations()
    }
    let draft = try await registry(in: .secure(storage)).add()
    let before = storage.values
    try await signIn(.ada, 2, with: draft)
    let signedIn = storage.values.filter { before[$0.key] != $0.value }
    #expect(try await registry(in: .secure(storage)).list().map(\.id) == [home])
    // As if it had been killed before it erased the moved session.
    for (key, value) in signedIn { try storage.write(value, for: key) }
    clock.travel(.seconds(7_200))
    provider.answerRefresh(.success(.sample(3, receivedAt: clock.now)))
    let later = try registry(in: .secure(storage))
    let root = try await later.root(of: home)
    #expect(try await root.manager.validSession().accessToken.value == Secret("access-3"))
    let left = storage.values
    #expect(try await later.list().map(\.id) == [home])
    #expect(root.manager.state.session?.accessToken.value == Secret("access-3"))
    let moved = try await later.add()
    #expect(moved.manager.state.session == nil)
    for key in signedIn.keys { #expect(storage.values[key] != left[key]) }
    await root.manager.deliverRevocations()
    await moved.manager.deliverRevocations()
    #expect(provider.revoked == ["refresh-1"])
  }

  @Test func `a provider that the app no longer has blocks no other`() async throws {
    do {
      let accounts = try registry()
      try await signIn(.ada, with: accounts.add("api"))
      _ = try await accounts.list()
      _ = try await accounts.add("gone")
      try await signIn(.grace, 2, with: accounts.add("old"))
      _ = try await accounts.list()
      try await accounts.use(try #require(try await accounts.list().last).id)
    }
    let later = try AccountRegistry(in: .files(in: home.url), clock: clock) {
      [provider, clock] name, storage throws(AuthenticationError) in
      if name == "gone" || name == "old" { throw .invalidConfiguration("It is gone.", suggestion: "Use another.") }
      // One realm with that which is gone.
      return try MainRoot(.custom(provider, realm: name == "new" ? "old" : "api")) {
        $0.storage = storage
        $0.clock = clock
        $0.refreshPolicy = .onDemand
      }
    }
    for _ in 0..<2 { #expect(await (try later.current()).manager.restore().user == .ada) }
    let added = try await later.add("new")
    // The account that it belongs to cannot be opened: it stays where it is.
    try await signIn(.grace, 3, with: added)
    for _ in 0..<2 {
      #expect(try await later.current().currentUser == .ada)
      #expect(try await later.list().map(\.user.id) == ["ada", "grace"])
    }
    #expect(added.currentUser?.id == "grace")
    #expect(try await later.add("new") !== added)
  }

  @Test func `an account that is signed out takes the session of its user's next sign-in`() async throws {
    let accounts = try registry()
    let first = try await accounts.current()
    try await signIn(.ada, with: first)
    let id = try await accounts.list()[0].id
    try await first.manager.signOut()
    await first.manager.deliverRevocations()
    let second = try await accounts.add()
    #expect(second !== first)
    try await signIn(.ada, 2, with: second)
    #expect(try await accounts.list().map(\.id) == [id])
    #expect(try await accounts.list().map(\.isSignedIn) == [true])
    #expect(try await accounts.current() === first)
    #expect(first.manager.state.session?.accessToken.value == Secret("access-2"))
    #expect(second.manager.state.session == nil)
    #expect(provider.revoked == ["refresh-1"])
  }

  @Test func `another user with the root of an account is another account`() async throws {
    let accounts = try registry()
    let root = try await accounts.current()
    try await signIn(.ada, with: root)
    let id = try await accounts.list()[0].id
    try await root.manager.signOut()
    try await signIn(.grace, 2, with: root)
    let list = try await accounts.list()
    try #require(list.map(\.user.id) == ["grace", "ada"])
    #expect(list.map(\.isSignedIn) == [true, false])
    #expect(list[1].id == id)
    #expect(root.manager.state.session == nil)
    #expect(try await accounts.current().currentUser?.id == "grace")
    #expect(try await accounts.current() !== root)
  }

  @Test func `one id of two realms is two accounts`() async throws {
    let accounts = try registry()
    for name in ["home", "work"] { try await signIn(.ada, with: try await accounts.add(name)) }
    #expect(try await accounts.list().map(\.provider) == ["work", "home"])
  }

  @Test func `an anonymous account that is upgraded is one account`() async throws {
    let accounts = try registry()
    let root = try await accounts.current()
    try await signIn(User(id: "guest", isAnonymous: true), with: root)
    let id = try await accounts.list()[0].id
    await #expect(throws: AuthenticationError.confirmationRequired(losing: .anonymousAccount)) {
      try await accounts.remove(id)
    }
    try await signIn(.ada, 2, with: root)
    #expect(try await accounts.list().map(\.id) == [id])
    #expect(try await accounts.list().map(\.user.id) == ["ada"])
  }

  @Test func `removing signs out first; the next process delivers a revocation that did not reach the provider`()
    async throws
  {
    let offline = ScriptedAuthProvider()
    for _ in 0..<9 { offline.answerRevocation(.failure(.unreachable)) }
    do {
      let accounts = try registry(at: offline)
      let root = try await accounts.current()
      offline.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
      try await root.useCase.login(username: "name", password: "correct horse")
      let id = try await accounts.list()[0].id
      try await accounts.remove(id)
      try await accounts.remove(id)
      #expect(try await accounts.list() == [])
      #expect(await root.manager.deliverRevocations() == [.unreachable])
    }
    let later = try registry()
    #expect(try await later.list() == [])
    await (try await later.add()).manager.deliverRevocations()
    #expect(provider.revoked == ["refresh-1"])
  }

  @Test func `a sign-in whose process was killed before it was listed is an account of the next one`() async throws {
    let root = try await registry().add()
    // Its registry is gone: nothing follows this root.
    try await signIn(.ada, with: root)
    #expect(try await registry().list().map(\.user.id) == ["ada"])
  }

  @Test func `a process that runs lists a sign-in of one that was killed, a minute later`() async throws {
    let app = try registry()
    #expect(try await app.list() == [])
    let root = try await registry().add()
    try await signIn(.ada, with: root)
    #expect(try await app.list() == [])
    clock.travel(.seconds(60))
    #expect(try await app.list().map(\.user.id) == ["ada"])
    #expect(try await app.current().currentUser == .ada)
  }

  @Test func `a root whose process was killed without a sign-in is removed a day later, once nothing is left in it`()
    async throws
  {
    let storage = RecordedStorage()
    func holders() throws -> Int {
      let list = try #require(storage.values.first { $0.key.contains("list") }?.value)
      return String(decoding: list, as: UTF8.self).split(separator: "\n").count { $0.hasPrefix("holder") }
    }
    for _ in 0..<9 { provider.answerRevocation(.failure(.unreachable)) }
    let app = try registry(in: .secure(storage))
    let root = try await app.add()
    try await signIn(.ada, with: root)
    try await app.remove(try #require(try await app.list().first).id)
    let taken = try await registry(in: .secure(storage)).add()
    #expect(try holders() == 1)
    clock.travel(.seconds(86_401))
    _ = try await app.list()
    #expect(try holders() == 1)
    provider.answerRevocation(.success(()))
    while await root.manager.deliverRevocations() != [] {}
    #expect(provider.revoked.last == "refresh-1")
    for registry in [try registry(in: .secure(storage)), app] { _ = try await registry.list() }
    #expect(try holders() == 0)
    // Its process runs after all.
    try await signIn(.grace, 2, with: taken)
    #expect(try await registry(in: .secure(storage)).list().map(\.user.id) == ["grace"])
  }

  @Test func `users whose ids differ by Unicode normalisation are two accounts`() async throws {
    let ids = ["caf\u{E9}", "cafe\u{301}"]
    let accounts = try registry()
    try await signIn(User(id: ids[0]), with: try await accounts.current())
    try await signIn(User(id: ids[1]), 2, with: try await accounts.add())
    #expect(try await accounts.list().map { Array($0.user.id.utf8) } == [Array(ids[1].utf8), Array(ids[0].utf8)])
    #expect(provider.revoked.isEmpty)
  }

  @Test func `a list that is garbage is an error, and nothing is erased`() async throws {
    let storage = RecordedStorage()
    let accounts = try registry(in: .secure(storage))
    let root = try await accounts.current()
    try await signIn(.ada, with: root)
    let id = try await accounts.list()[0].id
    let list = try #require(storage.keys.first { $0.contains("list") })
    try storage.write(Data("AuthenticationKit accounts 1\naccount 99 x\n".utf8), for: list)
    let before = storage.values
    let corrupt = AuthenticationError(.storageCorrupt, "")
    await #expect(throws: corrupt) { try await accounts.list() }
    await #expect(throws: corrupt) { try await accounts.add() }
    await #expect(throws: corrupt) { try await accounts.current() }
    await #expect(throws: corrupt) { try await accounts.use(id) }
    await #expect(throws: corrupt) { try await accounts.remove(id) }
    #expect(storage.values == before)
    #expect(root.currentUser == .ada)
  }

  @Test func `the list holds no token`() async throws {
    let storage = RecordedStorage()
    let accounts = try registry(in: .secure(storage))
    try await signIn(.ada, with: try await accounts.current())
    _ = try await accounts.list()
    let list = try #require(storage.values.first { $0.key.contains("list") }?.value)
    let text = String(decoding: list, as: UTF8.self)
    #expect(text.contains("Ada Lovelace") && !text.contains("access-1") && !text.contains("refresh-1"))
  }

  @Test func `a root that does not use its storage, and stores of an app's own, are refused`() async throws {
    let wrong = AuthenticationError(.invalidConfiguration, "")
    let accounts = try AccountRegistry(in: .files(in: home.url)) { [provider] _, _ throws(AuthenticationError) in
      try MainRoot(.custom(provider)) { $0.storage = .inMemory }
    }
    await #expect(throws: wrong) { try await accounts.current() }
    #expect(throws: wrong) {
      try self.registry(in: StorageLocation { _ in .init(store: ScriptedSessionStore()) })
    }
  }
}

extension ScriptedAuthProvider {
  /// The refresh tokens that were revoked, in order.
  fileprivate var revoked: [String] {
    messages.compactMap { if case .revoke(let tokens) = $0 { tokens.refresh?.reveal() } else { nil } }
  }
}

/// Secrets in memory, all of which a test can see.
final class RecordedStorage: SecureStorage {
  private let contents = Mutex<[String: Data]>([:])

  /// Without the recorded events, which are written in the background.
  var values: [String: Data] { contents.withLock { $0.filter { !$0.key.hasPrefix("events.") } } }
  var keys: [String] { values.keys.sorted() }

  func read(_ key: String) throws(AuthenticationError) -> Data? { contents.withLock { $0[key] } }
  func write(_ value: Data, for key: String) throws(AuthenticationError) { contents.withLock { $0[key] = value } }
  func delete(_ key: String) throws(AuthenticationError) { contents.withLock { _ = $0.removeValue(forKey: key) } }
}
