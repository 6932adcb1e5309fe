#if canImport(Security)
import Dispatch
import Foundation
import Security
import Synchronization
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder, or the nearest existing one above it until it exists.
final class FollowedFolder: Sendable {
  private struct Contents {
    var isOver = false
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
      while !contents.isOver, let found = openNearest() {
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
      contents.isOver = true
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
#endif
