#if os(Linux)
import CurlInterface
import Synchronization

/// What callers put down for a loop's thread. It is woken only by who finds the inbox empty.
@safe final class CurlInbox: @unchecked Sendable {
  struct Contents {
    var arrivals: [CurlCall] = []
    var abandoned: [CurlCall] = []
    var isClosed = false

    var isEmpty: Bool { arrivals.isEmpty && abandoned.isEmpty && !isClosed }
  }

  /// Only the thread uses it, but for waking, which any may do as long as the inbox is not closed: the thread frees it
  /// after that.
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

  /// Nothing may be put down after this. Wakes under the lock, since the thread frees what is woken.
  func close() {
    contents.withLock { contents in
      contents.isClosed = true
      wake()
    }
  }

  /// All that came since the last time.
  func takeAll() -> Contents {
    contents.withLock { contents in
      let taken = contents
      if !taken.isEmpty { contents = Contents(isClosed: taken.isClosed) }
      return taken
    }
  }

  /// Whether waking works at all: libcurl may have had no descriptors left for it.
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
