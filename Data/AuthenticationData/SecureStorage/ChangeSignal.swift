import AuthenticationDomain
import Dispatch
import Foundation
import Synchronization
#if canImport(Security)
import Security
#endif

/// Notifies all users of a store that it has changed.
///
/// A notification instead of a check of the store before each use: reading a valid session must cost no system call,
/// and a screen without any activity must still show a sign-out in another process.
package struct ChangeSignal: Sendable {
  package let raise: @Sendable () -> Void
  package let changes: @Sendable () -> AsyncStream<Void>?

  /// The signal of a simulated store.
  package init(raise: @escaping @Sendable () -> Void, changes: @escaping @Sendable () -> AsyncStream<Void>?) {
    self.raise = raise
    self.changes = changes
  }

  /// Creates a signal between the managers of one process.
  package static func withinProcess() -> Self {
    let raised = Broadcast<Void>()
    return Self(raise: { raised.send(()) }, changes: { raised.values(keeping: 1) })
  }

  /// Creates a signal between processes: an empty file that is replaced after each change.
  static func file(_ name: String, in folder: String) -> Self {
    Self {
      let made = "\(folder)/\(name).new"
      let descriptor = OwnedFile.openFile(made, O_WRONLY | O_CREAT)
      guard descriptor >= 0 else { return }
      close(descriptor)
      // Apple platforms report changes of a folder's entries, but not of a file's content.
      _ = unsafe rename(made, "\(folder)/\(name)")
    } changes: {
      FileChanges.shared.changes(of: name, in: folder)
    }
  }

  /// A signal between processes: the file itself whose content changes.
  static func contents(of name: String, in folder: String) -> Self {
    Self {
    } changes: {
      FileChanges.shared.changes(of: name, in: folder)
    }
  }
}

#if canImport(Security)
/// Changes that any process, this one included, makes to the entries of a folder (`DispatchSource`).
///
/// Type-checked for Apple platforms, never run there (`Tests/AppleStubs/check`).
final class FileChanges: Sendable {
  static let shared = FileChanges()

  /// An element after each change in the folder, whichever file it concerns, and after a folder on the path to it was
  /// created or removed. Nil if nothing can be watched.
  func changes(of name: String, in folder: String) -> AsyncStream<Void>? {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let followed = FollowedFolder(folder, telling: continuation)
    continuation.onTermination = { _ in followed.end() }
    guard followed.arrive() else {
      continuation.finish()
      return nil
    }
    return stream
  }
}

/// A folder, or the nearest existing one above it until it exists.
final class FollowedFolder: Sendable {
  private struct Contents {
    var hasEnded = false
    var watched: (descriptor: Int32, source: any DispatchSourceFileSystemObject)?
  }

  private let path: String
  private let continuation: AsyncStream<Void>.Continuation
  private let contents = Mutex(Contents())
  private let queue = DispatchQueue(label: "AuthenticationKit.FileChanges")

  init(_ path: String, telling continuation: AsyncStream<Void>.Continuation) {
    self.path = path
    self.continuation = continuation
  }

  /// Watches the nearest existing folder, then checks again for folders that were created before the watch began.
  func arrive() -> Bool {
    contents.withLock { contents in
      while !contents.hasEnded, let found = openNearest() {
        if let watched = contents.watched, Self.isSame(watched.descriptor, found) {
          close(found)
          return true
        }
        contents.watched?.source.cancel()
        contents.watched = (found, watch(found))
      }
      return false
    }
  }

  func end() {
    contents.withLock { contents in
      contents.hasEnded = true
      contents.watched?.source.cancel()
      contents.watched = nil
    }
  }

  private func watch(_ descriptor: Int32) -> any DispatchSourceFileSystemObject {
    let source = DispatchSource.makeFileSystemObjectSource(
      fileDescriptor: descriptor, eventMask: [.write, .delete, .rename], queue: queue)
    source.setEventHandler { [self] in
      let hasArrived = arrive()
      continuation.yield()
      if !hasArrived { continuation.finish() }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    return source
  }

  private func openNearest() -> Int32? {
    var url = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
    while true {
      let descriptor = unsafe open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
      if descriptor >= 0 { return descriptor }
      guard errno == ENOENT else { return nil }
      let above = url.deletingLastPathComponent().standardizedFileURL
      if above == url { return nil }
      url = above
    }
  }

  private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    return unsafe fstat(one, &first) == 0 && fstat(other, &second) == 0
      && first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }
}
#else
/// Changes that any process, this one included, makes to named files (`inotify`). One descriptor serves the whole
/// process: a user has no more than 128 of them by default.
final class FileChanges: Sendable {
  static let shared = FileChanges()

  private struct Watch {
    let name: String
    let folder: String
    let continuation: AsyncStream<Void>.Continuation
    var place: WatchedPlace
  }

  let descriptor = inotify_init1(Int32(IN_CLOEXEC))
  private let watches = Mutex<[UUID: Watch]>([:])

  init() {
    guard descriptor >= 0 else { return }
    Thread.detachNewThread { [self] in InotifyEvent.forEach(from: descriptor) { notify($0) } }
  }

  /// An element each time after the file was created, written or removed, and after a folder on the path to it was
  /// created or removed. Nil if nothing can be watched.
  func changes(of name: String, in folder: String) -> AsyncStream<Void>? {
    guard descriptor >= 0 else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    let isWatched = watches.withLock { watches in
      guard let place = WatchedPlace.nearest(to: name, in: folder, by: descriptor) else { return false }
      watches[id] = Watch(name: name, folder: folder, continuation: continuation, place: place)
      return true
    }
    guard isWatched else { return nil }
    continuation.onTermination = { [weak self] _ in self?.end(id) }
    return stream
  }

  private func end(_ id: UUID) {
    watches.withLock { watches in
      guard let watch = watches.removeValue(forKey: id) else { return }
      leave(watch.place.number, watches)
    }
  }

  private func leave(_ number: Int32, _ watches: [UUID: Watch]) {
    if !watches.values.contains(where: { $0.place.number == number }) { inotify_rm_watch(descriptor, number) }
  }

  func notify(_ event: InotifyEvent) {
    let (concerned, lost) = watches.withLock { watches in
      let concerned = watches.filter { event.concerns($0.value.place) }
      for (id, watch) in concerned where event.changesPath(to: watch.place) {
        let place = WatchedPlace.nearest(to: watch.name, in: watch.folder, by: descriptor)
        if let place { watches[id]?.place = place } else { watches[id] = nil }
      }
      leave(event.number, watches)
      return (concerned, concerned.filter { watches[$0.key] == nil })
    }
    for watch in concerned.values { watch.continuation.yield() }
    for watch in lost.values { watch.continuation.finish() }
  }
}

/// The folder of a file, or the nearest existing folder above it.
struct WatchedPlace {
  /// The kernel's watch descriptor for the folder.
  let number: Int32
  /// The entry that is watched for: the file, or the next folder on the path to it.
  let entry: String
  var isFolderOfFile = true

  private static let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVE_SELF | IN_ONLYDIR)

  /// Begins to watch. Nil if the nearest existing folder cannot be watched.
  static func nearest(to entry: String, in folder: String, by descriptor: Int32) -> Self? {
    let number = unsafe inotify_add_watch(descriptor, folder, events)
    if number >= 0 { return Self(number: number, entry: entry) }
    guard errno == ENOENT, let (parent, name) = split(folder),
      var place = nearest(to: name, in: parent, by: descriptor)
    else { return nil }
    // Folders created before the parent was watched are not reported.
    if OwnedFile.exists(folder) { return nearest(to: entry, in: folder, by: descriptor) }
    place.isFolderOfFile = false
    return place
  }

  private static func split(_ folder: String) -> (parent: String, name: String)? {
    let names = folder.split(separator: "/")
    guard let name = names.last else { return nil }
    return ((folder.hasPrefix("/") ? "/" : "./") + names.dropLast().joined(separator: "/"), String(name))
  }
}

/// An event that the kernel reports for one watched folder (inotify(7)).
struct InotifyEvent: Equatable {
  let number: Int32
  let mask: UInt32
  /// The name of an entry of the folder; empty if the event concerns the folder itself.
  let name: String

  /// The kernel's queue overflowed: any event may be lost.
  var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }

  /// The folder was removed or moved.
  var isEndOfFolder: Bool { mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 }

  /// An event without a name concerns the folder itself.
  func concerns(_ place: WatchedPlace) -> Bool {
    isOverflow || number == place.number && (name == place.entry || isEndOfFolder)
  }

  func changesPath(to place: WatchedPlace) -> Bool { isOverflow || isEndOfFolder || !place.isFolderOfFile }

  /// Blocks the thread until nothing more can be read.
  static func forEach(from descriptor: Int32, _ notify: (Self) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      for event in events(in: buffer[..<count]) { notify(event) }
    }
  }

  private static func events(in bytes: ArraySlice<UInt8>) -> [Self] {
    let size = MemoryLayout<inotify_event>.size
    var events: [Self] = []
    var rest = bytes
    while rest.count >= size {
      let header = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
      let name = rest.dropFirst(size).prefix(Int(header.len))
      events.append(
        Self(number: header.wd, mask: header.mask, name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
      rest = rest.dropFirst(size + Int(header.len))
    }
    return events
  }
}
#endif

extension AsyncStream<Void> {
  /// The elements of both, of which the latest is kept; ends with this one.
  package func merged(with other: AsyncStream<Void>?) -> AsyncStream<Void> {
    guard let other else { return self }
    let (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let tasks = [
      Task.detached {
        for await _ in self { continuation.yield() }
        continuation.finish()
      },
      Task.detached { for await _ in other { continuation.yield() } },
    ]
    continuation.onTermination = { _ in for task in tasks { task.cancel() } }
    return stream
  }
}
