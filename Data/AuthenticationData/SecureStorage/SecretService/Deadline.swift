#if os(Linux)
import Dispatch
import Synchronization

/// Ends a call into libsecret that takes too long, from a thread of its own: the caller's is blocked in it.
///
/// `@unchecked`: a `GCancellable` may be cancelled from any thread, and the pointer never changes.
@safe final class Deadline: @unchecked Sendable {
  let cancellable: OpaquePointer?
  private let library: Libsecret
  private let hasPassed = Atomic(false)

  var isOver: Bool { hasPassed.load(ordering: .acquiring) }

  init(after limit: Duration, _ library: Libsecret) {
    self.library = library
    unsafe cancellable = library.newCancellable()
    let (seconds, attoseconds) = limit.components
    DispatchQueue(label: "secret-service.deadline").asyncAfter(
      deadline: .now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
    ) { [weak self] in self?.pass() }
  }

  private func pass() {
    hasPassed.store(true, ordering: .releasing)
    if let cancellable = unsafe cancellable { unsafe library.cancel(cancellable) }
  }

  deinit {
    if let cancellable = unsafe cancellable { unsafe library.unref(cancellable) }
  }
}
#endif
