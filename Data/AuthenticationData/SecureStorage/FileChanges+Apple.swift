#if canImport(Security)
import Dispatch
import Security
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What other processes, and this one, do to the entries of a folder (`DispatchSource`).
///
/// Type-checked on Linux against hand-written stubs (`Tests/AppleStubs/check`).
final class FileChanges: Sendable {
  static let shared = FileChanges()

  /// An element after each change in the folder; it does not tell one file from another. Nil where the folder cannot be
  /// watched, above all because it does not exist yet.
  func changes(of name: String, in folder: String) -> AsyncStream<Void>? {
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = DispatchSource.makeFileSystemObjectSource(
      fileDescriptor: descriptor, eventMask: [.write, .delete],
      queue: DispatchQueue(label: "AuthenticationKit.FileChanges"))
    source.setEventHandler { continuation.yield() }
    source.setCancelHandler { close(descriptor) }
    continuation.onTermination = { _ in source.cancel() }
    source.resume()
    return stream
  }
}
#endif
