#if !canImport(Security)
import Foundation
import Synchronization
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What other processes, and this one, do to named files (`inotify`). One descriptor serves the whole process: a user
/// has no more than 128 of them by default.
final class FileChanges: Sendable {
  static let shared = FileChanges()

  private struct Watch {
    let name: String
    let continuation: AsyncStream<Void>.Continuation
  }

  private struct Contents {
    var lastWatch = 0
    /// By the kernel's number of the folder, then by our number of the watch.
    var watches: [Int32: [Int: Watch]] = [:]
  }

  private let descriptor = inotify_init1(Int32(IN_CLOEXEC))
  private let contents = Mutex(Contents())

  private init() {
    guard descriptor >= 0 else { return }
    Thread.detachNewThread { [self] in readEvents() }
  }

  /// An element after each time the file was put in place, written or removed; it ends with the folder. Nil where the
  /// folder cannot be watched, above all because it does not exist yet.
  func changes(of name: String, in folder: String) -> AsyncStream<Void>? {
    guard descriptor >= 0 else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let place: (folder: Int32, id: Int)? = contents.withLock { contents in
      let events = UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_ONLYDIR)
      let number = unsafe inotify_add_watch(descriptor, folder, events)
      guard number >= 0 else { return nil }
      contents.lastWatch += 1
      contents.watches[number, default: [:]][contents.lastWatch] = Watch(name: name, continuation: continuation)
      return (number, contents.lastWatch)
    }
    guard let place else { return nil }
    continuation.onTermination = { [weak self] _ in self?.end(place.id, in: place.folder) }
    return stream
  }

  private func end(_ id: Int, in folder: Int32) {
    contents.withLock { contents in
      contents.watches[folder]?[id] = nil
      guard contents.watches[folder]?.isEmpty == true else { return }
      contents.watches[folder] = nil
      inotify_rm_watch(descriptor, folder)
    }
  }

  private func readEvents() {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      var position = 0
      let header = MemoryLayout<inotify_event>.size
      while position + header <= count {
        let event = unsafe buffer.withUnsafeBytes {
          unsafe $0.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
        }
        let name = buffer[(position + header)..<(position + header + Int(event.len))].prefix { $0 != 0 }
        position += header + Int(event.len)
        tell(event.wd, String(decoding: name, as: UTF8.self), event.mask)
      }
    }
  }

  private func tell(_ folder: Int32, _ name: String, _ mask: UInt32) {
    let isOverflow = mask & UInt32(IN_Q_OVERFLOW) != 0
    let isEnd = mask & UInt32(IN_IGNORED) != 0
    let concerned: [Watch] = contents.withLock { contents in
      if isOverflow { return contents.watches.values.flatMap(\.values) }
      defer { if isEnd { contents.watches[folder] = nil } }
      return (contents.watches[folder] ?? [:]).values.filter { isEnd || $0.name == name }
    }
    for watch in concerned {
      if isEnd { watch.continuation.finish() } else { watch.continuation.yield() }
    }
  }
}
#endif
