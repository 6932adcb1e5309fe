#if canImport(Security)
import Security

/// Changes that any process, this one included, makes to the entries of a folder (`DispatchSource`).
///
/// Type-checked on Linux against hand-written stubs (`Tests/AppleStubs/check`).
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
#endif
