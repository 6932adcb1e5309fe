#if os(macOS) || os(Linux)
import AuthenticationDomain
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Wakes a thread that waits in `poll`, with a pipe. May be called from any thread.
final class WakeUp: Sendable {
  let descriptor: Int32
  private let bell: Int32

  init() throws(AuthenticationError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw AuthenticationError(
        .redirectPortBusy, "This process has too many open files to listen for the redirect.",
        cause: AuthenticationError.Cause(domain: "errno", code: Int(errno)))
    }
    (descriptor, bell) = (ends[0], ends[1])
    for end in ends { POSIXSocket.keepPrivate(end) }
  }

  deinit {
    POSIXSocket.close(descriptor)
    POSIXSocket.close(bell)
  }

  /// Never blocks: if the pipe is full, the thread wakes as well.
  func ring() {
    var byte: UInt8 = 1
    _ = unsafe write(bell, &byte, 1)
  }

  func quieten() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
  }
}

/// Runs a closure once, for the first caller.
final class Once: Sendable {
  private let isDone = Atomic(false)

  func perform(_ body: () -> Void) {
    if !isDone.exchange(true, ordering: .acquiringAndReleasing) { body() }
  }
}
#endif
