import AuthenticationData
import AuthenticationDomain
public import AuthenticationKit
import Foundation
import Synchronization

/// Tells why the last session ended, also after a relaunch, and in whichever process that shares the store it ended.
///
/// The events of the state machine are kept in the session's storage, without tokens and users: the latest 256 of all
/// processes, in at most 64 KiB. They are written in the background after a sign-in, a refresh, a sign-out or a failure;
/// reading a valid session records nothing. A storage that cannot be written loses them, and nothing else.
///
/// ```swift
/// let diagnostics = Diagnostics()
/// let root = try MainRoot(.api(baseURL: "https://api.example.com")) { $0.record(to: diagnostics) }
/// log(await diagnostics.report().sentence)
/// ```
public final class Diagnostics: Sendable {
  private struct Contents {
    var log: EventLog?
    weak var manager: AuthManager?
  }

  private let contents = Mutex(Contents())

  /// Diagnostics of the root that is made with ``AuthenticationKit/MainRoot/Options/record(to:)``, one for each root.
  public init() {}

  /// Diagnostics of a process that has no manager: it looks at the store, and changes nothing.
  package init(_ realm: StorageLocation.Realm) {
    let log = EventLog(realm)
    log.recorder.read(realm.store, at: SystemClock().now)
    contents.withLock { $0.log = log }
  }

  /// Begins to record the events of a manager of this realm.
  fileprivate func begin(_ realm: StorageLocation.Realm) -> @Sendable (SessionChange) -> Void {
    let log = EventLog(realm)
    contents.withLock { $0 = Contents(log: log) }
    return { log.recorder.record($0) }
  }

  fileprivate func follow(_ manager: AuthManager) { contents.withLock { $0.manager = manager } }

  /// Why the last session ended, with the events that show it. It waits for the storage, and for no network.
  ///
  /// - Parameter namingUser: whether the report may name the signed-in user, or the one whose session was lost with a
  ///   response: ask the user first. By default it says nothing about the user.
  ///
  /// - Returns: a report of nothing if no root records to it.
  public func report(namingUser: Bool = false) async -> DiagnosticReport {
    let (log, manager) = contents.withLock { ($0.log, $0.manager) }
    var user: User?
    if namingUser, let manager {
      user = manager.state.user
      if user == nil { user = await manager.formerUser }
    }
    return await log?.report(of: user) ?? DiagnosticReport(lines: [])
  }

  /// Writes the events that are not written yet: for a process that is about to exit.
  package func keep() async {
    let (log, manager) = contents.withLock { ($0.log, $0.manager) }
    // Between an event and the write that it leads to, the store does not hold the session as recorded, and nothing is
    // kept.
    for _ in 1...3 {
      _ = await manager?.formerUser
      if await log?.keep() ?? true { return }
    }
  }
}

extension MainRoot.Options {
  /// Records why sessions end, for ``Diagnostics/report(namingUser:)``.
  ///
  /// ```swift
  /// let root = try MainRoot(.api(baseURL: "https://api.example.com")) { $0.record(to: diagnostics) }
  /// ```
  public mutating func record(to diagnostics: Diagnostics) {
    observer = { realm in (diagnostics.begin(realm), { diagnostics.follow($0) }) }
  }
}

/// The recorded events of one realm: those that are stored, and those of this process that are not yet.
actor EventLog {
  private static let key = "log"
  private static let mostSteps = 256
  private static let mostBytes = 64 << 10

  nonisolated let recorder: SessionRecorder
  private let realm: StorageLocation.Realm
  private let names = NoteNames()
  private let executor = BlockingExecutor(label: "AuthenticationKit.EventLog")
  private let due: AsyncStream<Void>.Continuation
  /// Of this process; the last of them are not stored yet.
  private var own: [Data] = []
  private var unsaved = 0
  private var isStoreUsable = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ realm: StorageLocation.Realm) {
    // Several events that are due during one write are written together by the next.
    let (stream, due) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.realm = realm
    self.due = due
    recorder = SessionRecorder(run: RecordID.random().description) { due.yield() }
    Task.detached(priority: .utility) { [weak self] in
      for await _ in stream { await self?.keep() }
    }
  }

  deinit { due.finish() }

  func report(of user: User?) -> DiagnosticReport {
    take()
    return DiagnosticReport(lines: (try? lines()) ?? own, of: user)
  }

  /// Appends to the events that other processes have written meanwhile. Events that cannot be written now are written
  /// with the next ones.
  ///
  /// - Returns: whether nothing is left to write.
  @discardableResult
  func keep() -> Bool {
    take()
    if unsaved == 0 { return true }
    guard isStoreUsable, (try? realm.events.lock.acquire(within: .seconds(2))) != nil else { return false }
    defer { realm.events.lock.release() }
    guard let lines = try? lines() else { return false }
    if (try? realm.events.storage.write(Data(lines.joined(separator: [UInt8(ascii: "\n")])), for: Self.key)) != nil {
      unsaved = 0
    }
    return unsaved == 0
  }

  private func take() {
    let (steps, isUsable) = recorder.drain()
    isStoreUsable = isUsable
    let lines = steps.compactMap { DiagnosticReport.line(of: $0, names: names) }
    own = Self.bounded(own + lines)
    unsaved = min(unsaved + lines.count, own.count)
  }

  /// The stored events and those that are not stored yet; if the storage was erased, all that this process still knows.
  private func lines() throws(AuthenticationError) -> [Data] {
    guard let data = try realm.events.storage.read(Self.key), !data.isEmpty else { return own }
    return Self.bounded(data.split(separator: UInt8(ascii: "\n")).map { Data($0) } + own.suffix(unsaved))
  }

  private static func bounded(_ lines: [Data]) -> [Data] {
    var size = 0
    return lines.suffix(mostSteps).reversed().prefix { line in
      size += line.count + 1
      return size <= mostBytes
    }.reversed()
  }
}
