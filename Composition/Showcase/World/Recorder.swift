import AuthenticationDomain
import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Synchronization

/// Collects the events backstage, on any thread.
final class Recorder: Sendable {
  private let contents = Mutex(Backstage())
  private let changed = Broadcast<Void>()

  /// The events until now.
  var backstage: Backstage { contents.withLock { $0 } }

  /// An element for each change; of several that were not received yet, one.
  func changes() -> AsyncStream<Void> { changed.values(keeping: 1) }

  /// A user or a switch sets something in motion: the trail begins anew.
  func begin(_ intent: String) {
    change { $0.trail = Repeated() }
    step(.intent, intent)
  }

  func step(_ station: Backstage.Station, _ title: String, _ detail: String = "") {
    change { $0.trail.append(Backstage.Step(station: station, title: title, detail: detail)) }
  }

  /// Of a server.
  func receive(_ exchange: LoopbackExchange) { change { $0.requests.append(exchange) } }

  func deliver(_ letter: Letter) {
    change { backstage in
      backstage.mailbox.append(letter)
      backstage.mailbox[backstage.mailbox.count - 1].number = backstage.mailbox.count
    }
  }

  /// Something else has changed that a snapshot shows.
  func touch() { change { _ in } }

  private func change(_ change: (inout Backstage) -> Void) {
    contents.withLock { change(&$0) }
    changed.send(())
  }

  /// Records the root's events, for as long as the task is not cancelled.
  func follow(_ root: MainRoot) -> Task<Void, Never> {
    let (events, states) = (root.manager.events(), root.manager.states())
    return Task { [self] in
      async let listening: Void = { for await event in events { record(event) } }()
      for await state in states { record(state) }
      await listening
    }
  }

  private func record(_ event: AuthenticationEvent) {
    let outcome = [event.detail, event.failure.map { "failed: \($0.code)" }].compactMap(\.self)
    let (station, title) = event.name.step
    step(station, title, outcome.joined(separator: " "))
  }

  private func record(_ state: AuthenticationState) {
    switch state {
    case .unknown: step(.state, "not known yet")
    case .unavailable(let error): step(.state, "unavailable", "\(error.code)")
    case .signedOut(let reason): step(.state, "signed out", "\(reason)")
    case .challenged(let challenge): step(.state, "a second step", "\(challenge.kind.id)")
    case .signedIn(let active): step(.state, "signed in", "\(active.session.user.id), \(active.freshness)")
    }
  }
}

extension AuthenticationEvent.Name {
  fileprivate var step: (Backstage.Station, title: String) {
    switch self {
    case .signIn: (.provider, "a sign-in ended")
    case .refresh: (.provider, "a refresh ended")
    case .revocation: (.provider, "tokens were revoked")
    case .retry: (.decorators, "retrying a refresh")
    case .conflict: (.store, "another process wrote")
    case .storage: (.store, rawValue)
    case .signOut: (.state, "the session ended")
    default: (.provider, rawValue)
    }
  }
}

/// Secrets in files, in a place that can be locked, as a keychain is before the device is first unlocked.
final class RecordingStorage: SecureStorage {
  private let upstream: FileStorage
  private let recorder: Recorder?
  private let locked = Mutex(false)

  init(_ upstream: FileStorage, recorder: Recorder? = nil) {
    self.upstream = upstream
    self.recorder = recorder
  }

  var isLocked: Bool {
    get { locked.withLock { $0 } }
    set { locked.withLock { $0 = newValue } }
  }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    try open("reading", key)
    return try upstream.read(key)
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try open("writing", key)
    try upstream.write(value, for: key)
  }

  func delete(_ key: String) throws(AuthenticationError) {
    try open("deleting", key)
    try upstream.delete(key)
  }

  /// That of the files: a second process has a separate storage over them.
  var identity: [String]? { upstream.identity }

  private func open(_ access: String, _ key: String) throws(AuthenticationError) {
    let isPending = key.contains(".pending ")
    // Whether a step is pending is asked, and forgotten, at every turn.
    if !isPending || access == "writing" {
      let what = isPending ? "a pending step" : "the session"
      recorder?.step(.store, "\(access) \(what)", isLocked ? "locked" : "")
    }
    if isLocked { throw .storageUnavailable }
  }
}

extension StorageLocation {
  /// The storage, with locks in the same folder that a second process respects.
  static func stage(_ storage: RecordingStorage, in folder: URL) -> Self {
    .secure(storage, locksIn: folder.appending(path: "locks"))
  }
}

extension FileStorage {
  /// Next to the locks of ``StorageLocation/stage(_:in:)``.
  static func stage(in folder: URL) -> Self { Self(folder: folder.appending(path: "session")) }
}

/// Records the requests that leave the app, after all of the root's decorators, and their results.
struct RecordingTransport: HTTPTransport {
  let upstream: SystemHTTPClient
  let recorder: Recorder

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    if let session = request.session {
      recorder.step(.decorators, "authorizing", "attached \(session.accessToken.value.fingerprint)")
    }
    let title = "\(request.method.rawValue) \(request.url.path())"
    do throws(AuthenticationError) {
      let response = try await upstream.send(request)
      recorder.step(.provider, title, "\(response.status)")
      return response
    } catch {
      recorder.step(.provider, title, "\(error.code)")
      throw error
    }
  }
}

/// A code or a link that a provider has sent to a user's mailbox or phone.
struct Letter: Sendable, Equatable {
  /// From 1, in the order of their arrival.
  var number = 0
  let address: String
  /// Its purpose, such as `signup`.
  let type: String
  let code: String?
  var link: URL?
}

/// The latest events; an event that happened several times in a row is one entry.
struct Repeated<Element: Equatable & Sendable>: Sendable, Equatable {
  private static var limit: Int { 60 }

  @dynamicMemberLookup
  struct Entry: Sendable, Equatable {
    let element: Element
    var count = 1

    subscript<Member>(dynamicMember path: KeyPath<Element, Member>) -> Member { element[keyPath: path] }
  }

  private(set) var entries: [Entry] = []

  /// Looks a few entries back, since simultaneous events come in no order.
  mutating func append(_ element: Element) {
    if let known = entries.indices.suffix(4).last(where: { entries[$0].element == element }) {
      entries[known].count += 1
    } else {
      entries.append(Entry(element: element))
      if entries.count > Self.limit { entries.removeFirst() }
    }
  }
}

extension Secret {
  /// Sixteen bits of a digest (FNV-1a), behind four dots: they tell one token from another, and nothing else of it.
  var fingerprint: String {
    let digest = reveal().utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String((digest >> 16) ^ (digest & 0xFFFF), radix: 16)
    return "•••• " + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
