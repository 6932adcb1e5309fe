import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

/// Several roots of one process on one storage. // failure row 12
@Suite(.timeLimit(.minutes(10))) struct SharedStorageTests {
  let home = TemporaryFolder()
  let clock = TravelClock()
  let provider = ScriptedAuthProvider()

  static let kinds: [@Sendable (URL) -> StorageLocation] = [{ _ in .inMemory }, { .files(in: $0) }]

  func roots(_ count: Int, on storage: StorageLocation) throws -> [MainRoot] {
    try (0..<count).map { _ in
      try MainRoot(.custom(provider, allowedOrigins: [Origin(URL(string: "https://api.example.com")!)!])) {
        $0.storage = storage
        $0.clock = clock
        $0.refreshPolicy = .onDemand
      }
    }
  }

  func signIn(_ root: MainRoot) async throws {
    provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
  }

  @Test(arguments: kinds.indices) func `eight of them refresh once`(kind: Int) async throws {
    let roots = try roots(8, on: Self.kinds[kind](home.url))
    try await signIn(roots[0])
    clock.travel(.seconds(3_600))
    provider.answerRefresh(.success(.sample(2, receivedAt: clock.now)))
    let tokens = try await withThrowingTaskGroup { group in
      for root in roots { group.addTask { try await root.manager.validSession().accessToken.value } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens == Array(repeating: Secret("access-2"), count: 8))
    #expect(provider.messages.filter { if case .refresh = $0 { true } else { false } }.count == 1)
  }

  /// One storage, for which `.secure` was said anew for each root.
  @Test(arguments: [true, false]) func `eight that were each told of one storage refresh once`(isObject: Bool)
    async throws
  {
    let memory = InMemoryStorage()
    let storage: any SecureStorage = isObject ? memory : PrefixedStorage(memory, prefix: "app ")
    let roots = try (0..<8).map { _ in
      let again: any SecureStorage = isObject ? memory : PrefixedStorage(memory, prefix: "app ")
      return try MainRoot(.custom(provider)) {
        $0.storage = .secure(again)
        $0.clock = clock
        $0.refreshPolicy = .onDemand
      }
    }
    #expect(storage.identity != nil)
    try await signIn(roots[0])
    await roots[7].manager.restore()
    var states = roots[7].manager.states().makeAsyncIterator()
    #expect(await states.next()?.user == .ada)
    clock.travel(.seconds(3_600))
    provider.answerRefresh(.success(.sample(2, receivedAt: clock.now)))
    let tokens = try await withThrowingTaskGroup { group in
      for root in roots { group.addTask { try await root.manager.validSession().accessToken.value } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens == Array(repeating: Secret("access-2"), count: 8))
    #expect(provider.messages.filter { if case .refresh = $0 { true } else { false } }.count == 1)
    try await roots[0].manager.signOut()
    while let state = await states.next(), state.session != nil {}
    #expect(roots[7].manager.state == .signedOut(.elsewhere))
  }

  @Test func `two storages, two keys and two realms have nothing in common`() throws {
    let (memory, other) = (InMemoryStorage(), InMemoryStorage())
    let first = try #require(StorageLocation.secure(memory).realm("a").lock)
    #expect(try first.tryAcquire())
    #expect(try StorageLocation.secure(memory).realm("a").lock?.tryAcquire() == false)
    #expect(try StorageLocation.secure(memory).realm("b").lock?.tryAcquire() == true)
    #expect(try StorageLocation.secure(memory, key: "work").realm("a").lock?.tryAcquire() == true)
    #expect(try StorageLocation.secure(other).realm("a").lock?.tryAcquire() == true)
    first.release()
  }

  @Test(arguments: kinds.indices) func `a sign-in and a sign-out with one root show in the other`(kind: Int)
    async throws
  {
    let roots = try roots(2, on: Self.kinds[kind](home.url))
    try await signIn(roots[0])
    await roots[1].manager.restore()
    var states = roots[1].manager.states().makeAsyncIterator()
    #expect(await states.next()?.user == .ada)
    try await roots[0].manager.signOut()
    #expect(await states.next() == .signedOut(.elsewhere))
  }

  /// Each as a separate process has it, with nothing but the folder in common.
  func processes(_ count: Int) throws -> [MainRoot] {
    try (0..<count).map { _ in try roots(1, on: .files(in: home.url.appending(path: "state/app")))[0] }
  }

  @Test func `the first sign-in of all, in another process, shows here`() async throws {
    let processes = try processes(2)
    #expect(await processes[0].manager.restore() == .signedOut(.absent))
    let states = processes[0].manager.states()
    try await signIn(processes[1])
    #expect(await states.first { $0.user == .ada } != nil)
  }

  /// A widget may have ended it, while the app was closed.
  @Test(arguments: [true, false])
  func `an app learns at its next launch why another process lost the session`(isClosed: Bool) async throws {
    let processes = try processes(3)
    let app = processes[0]
    try await signIn(app)
    var states = app.manager.states().makeAsyncIterator()
    if !isClosed { #expect(await states.next()?.user == .ada) }
    clock.travel(.seconds(3_600))
    var refusal = AuthenticationError.sessionRejected
    refusal.providerCode = "soft_logout"
    provider.answerRefresh(.failure(refusal))
    await #expect(throws: refusal) { try await processes[1].manager.validSession() }
    let state = isClosed ? await processes[2].manager.restore() : await states.next()
    guard case .signedOut(let reason)? = state else { throw refusal }
    #expect(reason == .rejected)
    #expect(reason.providerCode == "soft_logout")
    let asked = provider.messages.count
    let root = isClosed ? processes[2] : app
    do throws(AuthenticationError) {
      _ = try await root.apiClient.send(HTTPRequest(.get, URL(string: "https://api.example.com/notes")!))
      Issue.record("A request was sent.")
    } catch {
      #expect(error == refusal)
      #expect(error.providerCode == "soft_logout")
    }
    #expect(provider.messages.count == asked)
    let files = try FileManager.default.subpathsOfDirectory(atPath: home.url.path)
    let texts = files.map {
      (try? String(decoding: Data(contentsOf: home.url.appending(path: $0)), as: UTF8.self)) ?? ""
    }
    #expect(texts.contains { $0.contains("soft_logout") })
    #expect(texts.allSatisfy { !$0.contains("refresh-1") && !$0.contains("access-1") && !$0.contains("user-id") })
  }

  @Test(arguments: [true, false])
  func `a folder that goes away takes the session with it, and the next one in its place shows`(isMoved: Bool)
    async throws
  {
    let processes = try processes(3)
    try await signIn(processes[1])
    await processes[0].manager.restore()
    var states = processes[0].manager.states().makeAsyncIterator()
    #expect(await states.next()?.user == .ada)
    let folder = home.url.appending(path: "state")
    if isMoved {
      try FileManager.default.moveItem(at: folder.appending(path: "app"), to: folder.appending(path: "elsewhere"))
    } else {
      try FileManager.default.removeItem(at: folder)
    }
    #expect(await states.next() == .signedOut(.elsewhere))
    try await signIn(processes[2])
    #expect(await states.next()?.user == .ada)
  }

  @Test func `processes that share any storage keep out of each other's way`() async throws {
    let storage = InMemoryStorage()
    let folder = home.url.appending(path: "locks")
    let places = (0..<2).map { _ in StorageLocation.secure(storage, locksIn: folder).realm("realm") }
    try places[0].store.save(SessionRecord(formerUser: .ada))
    var changes = try #require(places[0].store.changes()).makeAsyncIterator()
    #expect(try places[0].lock?.tryAcquire() == true)
    #expect(try places[1].lock?.tryAcquire() == false)
    let write = FileStorage(folder: folder).writeLock(for: "session.realm")
    var isFreeMeanwhile: Bool?
    try places[1].store.exclusively { isFreeMeanwhile = try? write.tryAcquire() }
    #expect(isFreeMeanwhile == false)
    try places[1].store.delete()
    #expect(await changes.next() != nil)
    #expect(try places[0].store.read() == nil)
  }
}
