#if !canImport(Security)
import Foundation
import Synchronization
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

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

  private struct Contents {
    var lastWatch = 0
    var watches: [Int: Watch] = [:]
  }

  let descriptor = inotify_init1(Int32(IN_CLOEXEC))
  private let contents = Mutex(Contents())

  init() {
    guard descriptor >= 0 else { return }
    Thread.detachNewThread { [self] in InotifyEvent.forEach(from: descriptor) { tell($0) } }
  }

  /// An element each time after the file was created, written or removed, and after a folder on the path to it was
  /// created or removed. Nil if nothing can be watched.
  func changes(of name: String, in folder: String) -> AsyncStream<Void>? {
    guard descriptor >= 0 else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id: Int? = contents.withLock { contents in
      guard let place = WatchedPlace.nearest(to: name, in: folder, by: descriptor) else { return nil }
      contents.lastWatch += 1
      contents.watches[contents.lastWatch] = Watch(
        name: name, folder: folder, continuation: continuation, place: place)
      return contents.lastWatch
    }
    guard let id else { return nil }
    continuation.onTermination = { [weak self] _ in self?.end(id) }
    return stream
  }

  private func end(_ id: Int) {
    contents.withLock { contents in
      guard let watch = contents.watches.removeValue(forKey: id) else { return }
      leave(watch.place.number, contents)
    }
  }

  private func leave(_ number: Int32, _ contents: Contents) {
    if !contents.watches.values.contains(where: { $0.place.number == number }) { inotify_rm_watch(descriptor, number) }
  }

  func tell(_ event: InotifyEvent) {
    let (told, lost) = contents.withLock { contents in
      let told = contents.watches.filter { event.concerns($0.value.place) }
      for (id, watch) in told where event.changesTheWay(to: watch.place) {
        let place = WatchedPlace.nearest(to: watch.name, in: watch.folder, by: descriptor)
        if let place { contents.watches[id]?.place = place } else { contents.watches[id] = nil }
      }
      leave(event.number, contents)
      return (told, told.filter { contents.watches[$0.key] == nil })
    }
    for watch in told.values { watch.continuation.yield() }
    for watch in lost.values { watch.continuation.finish() }
  }
}
#endif
