#if os(Linux)
import CurlInterface
import Synchronization

/// The calls that callers pass to a loop's thread. Only the caller that finds the inbox empty wakes the thread.
@safe final class CurlInbox: @unchecked Sendable {
  struct Contents {
    var arrivals: [CurlCall] = []
    var abandoned: [CurlCall] = []
    var isClosed = false

    var isEmpty: Bool { arrivals.isEmpty && abandoned.isEmpty && !isClosed }
  }

  /// Used only by the thread, except for waking, which any thread may do until the inbox is closed; after that the
  /// thread frees it.
  let multi: Libcurl.Handle
  private let library: Libcurl
  private let contents = Mutex(Contents())

  init?(_ library: Libcurl) {
    guard let multi = unsafe curl_interface_multi(library.functions) else { return nil }
    unsafe self.multi = multi
    self.library = library
  }

  func add(_ call: CurlCall) {
    put { $0.arrivals.append(call) }
  }

  func abandon(_ call: CurlCall) {
    put { $0.abandoned.append(call) }
  }

  /// Nothing may be added after this. Wakes under the lock, since the thread frees the object that is woken.
  func close() {
    contents.withLock { contents in
      contents.isClosed = true
      wake()
    }
  }

  /// Returns everything that was added since the last call.
  func takeAll() -> Contents {
    contents.withLock { contents in
      let taken = contents
      if !taken.isEmpty { contents = Contents(isClosed: taken.isClosed) }
      return taken
    }
  }

  /// Whether waking works: libcurl may have had no descriptors left for it.
  @discardableResult
  func wake() -> Bool { unsafe curl_interface_wake(library.functions, multi) == 0 }

  private func put(_ change: (inout Contents) -> Void) {
    let wasEmpty = contents.withLock { contents in
      defer { change(&contents) }
      return contents.isEmpty
    }
    if wasEmpty { wake() }
  }
}
#endif
