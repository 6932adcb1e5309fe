#if os(Linux)
import AuthenticationDomain
import Foundation
import Synchronization

/// One thread with libcurl's multi interface: runs every transfer it is given, keeps the connections, and ends with
/// this object.
@safe final class CurlLoop: Sendable {
  private let inbox: CurlInbox

  /// Nil if there is no memory for it.
  init?(_ library: Libcurl) {
    guard let inbox = CurlInbox(library) else { return nil }
    self.inbox = inbox
    let thread = Thread { CurlDriver(inbox, library).run() }
    thread.name = "AuthenticationKit.HTTP"
    thread.stackSize = 512 * 1_024
    thread.start()
  }

  deinit { inbox.close() }

  func start(_ call: CurlCall, _ caller: CheckedContinuation<CurlCall.Answer, Never>) {
    if call.begin(caller) { inbox.add(call) }
  }

  func abandon(_ call: CurlCall, _ reason: AuthenticationError) {
    if call.abandon(reason) { inbox.abandon(call) }
  }
}

extension CurlLoop {
  private struct Reference {
    weak var loop: CurlLoop?
  }

  private static let current = Mutex(Reference())

  /// The loop that all clients with the system's trust share; created again after the last of them is gone.
  static func shared(_ library: Libcurl) -> CurlLoop? {
    current.withLock { reference in
      if let loop = reference.loop { return loop }
      let loop = CurlLoop(library)
      reference.loop = loop
      return loop
    }
  }
}
#endif
