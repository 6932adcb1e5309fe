#if os(Linux)
import AuthenticationDomain
import CurlInterface
import Foundation

/// What a loop's thread does: every handle of libcurl is used here only.
@safe final class CurlDriver {
  private let inbox: CurlInbox
  private let library: Libcurl
  private var transfers: [ObjectIdentifier: CurlTransfer] = [:]

  init(_ inbox: CurlInbox, _ library: Libcurl) {
    self.inbox = inbox
    self.library = library
  }

  func run() {
    blockSignals()
    let patience: CInt = inbox.wake() ? 60_000 : 10
    while work() { _ = unsafe curl_interface_poll(library.functions, inbox.multi, patience) }
  }

  /// False where the inbox was closed: then nothing is left.
  private func work() -> Bool {
    curl_interface_begin_work()
    defer { curl_interface_end_work() }
    let news = inbox.takeAll()
    for call in news.arrivals { begin(call) }
    for call in news.abandoned { abandon(call) }
    if news.isClosed {
      for transfer in transfers.values { end(transfer, .failure(transfer.closed)) }
      unsafe curl_interface_free_multi(library.functions, inbox.multi)
      return false
    }
    _ = unsafe curl_interface_perform(library.functions, inbox.multi)
    collect()
    return true
  }

  /// A write to a connection that is gone must not end the process, and an app's handlers are not run here.
  private func blockSignals() {
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Each transfer has a handle of its own: libcurl 7.88 reads freed memory if a handle is used again and the first line of
  /// a response's head is a continuation line. Connections are the multi handle's, and are kept.
  private func begin(_ call: CurlCall) {
    if let abandonment = call.abandonment { return call.finish(.failure(abandonment.told(isSent: false, of: call))) }
    guard let handle = CurlHandle(library) else {
      return call.finish(.failure(.outOfResources()))
    }
    let transfer = CurlTransfer(call, handle)
    guard transfer.prepare(), unsafe curl_interface_add(library.functions, inbox.multi, handle.pointer) == 0 else {
      return call.finish(.failure(.outOfResources()))
    }
    transfers[ObjectIdentifier(call)] = transfer
  }

  private func abandon(_ call: CurlCall) {
    guard let transfer = transfers[ObjectIdentifier(call)], let reason = call.abandonment else { return }
    end(transfer, .failure(reason.told(isSent: transfer.isSent, of: call)))
  }

  private func collect() {
    var code: CInt = 0
    while let easy = unsafe curl_interface_ended(library.functions, inbox.multi, &code) {
      guard let owner = unsafe curl_interface_text(library.functions, easy, CurlOption.ownerInfo) else { continue }
      let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(owner).takeUnretainedValue()
      end(transfer, transfer.answer(code))
    }
  }

  /// The caller goes on before libcurl is done: ending a transfer may wait for a name to be resolved.
  private func end(_ transfer: CurlTransfer, _ answer: CurlCall.Answer) {
    transfer.call.finish(answer)
    _ = unsafe curl_interface_remove(library.functions, inbox.multi, transfer.handle.pointer)
    transfers[ObjectIdentifier(transfer.call)] = nil
  }
}

extension AuthenticationError {
  /// A deadline that passes before anything was sent leaves no doubt about what the server has seen.
  fileprivate func told(isSent: Bool, of call: CurlCall) -> Self {
    code == .timedOut && !isSent ? .unreachable(call.origin) : self
  }
}
#endif
