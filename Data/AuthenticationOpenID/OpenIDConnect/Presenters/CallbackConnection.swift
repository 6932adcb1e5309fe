#if os(macOS) || os(Linux)
import AuthenticationDomain
import Foundation

/// One browser's connection to a ``CallbackListener``: one request, one response. Nothing here blocks.
struct CallbackConnection {
  let descriptor: Int32
  let startedAt: Duration
  private(set) var isOver = false
  private var received: [UInt8] = []
  /// Set when the response was sent: further input is discarded, so that a connection reset does not lose the response.
  private var isAnswered = false

  init(descriptor: Int32, startedAt: Duration) {
    self.descriptor = descriptor
    self.startedAt = startedAt
  }

  /// Reads what has arrived, and responds once it is a request; nil until then.
  ///
  /// - Parameter notice: called with why a redirect is ignored, before the browser gets its page.
  mutating func advance(
    _ expectation: CallbackExpectation, noticing notice: (_ ignored: AuthenticationError) -> Void
  ) -> CallbackExpectation.Verdict? {
    switch POSIXSocket.receive(descriptor) {
    case .nothing: return nil
    case .ended:
      isOver = true
      return nil
    case .bytes(let bytes):
      if isAnswered { return nil }
      let searched = max(received.count - 3, 0)
      received += bytes
      guard let verdict = judge(expectation, from: searched) else { return nil }
      if case .ignored(_, let reason) = verdict { notice(reason) }
      answer(verdict)
      return verdict
    }
  }

  /// Looks only at new bytes: a head that arrives byte by byte costs no more than another.
  private func judge(_ expectation: CallbackExpectation, from start: Int) -> CallbackExpectation.Verdict? {
    let end = Array("\r\n\r\n".utf8)
    let found = (start...max(start, received.count - end.count)).first { received[$0...].starts(with: end) }
    let length = found ?? received.count
    if length > CallbackExpectation.longestHead {
      return expectation.judge(
        tooLong: String(decoding: received[..<length], as: UTF8.self), isWhole: found != nil)
    }
    return found.map { expectation.judge(String(decoding: received[..<$0], as: UTF8.self)) }
  }

  /// A page is smaller than any socket's buffer: it is sent immediately, or the browser has disconnected.
  private mutating func answer(_ verdict: CallbackExpectation.Verdict) {
    let page =
      switch verdict {
      case .callback(_, let page): page
      case .overlong: CallbackPage.tooLong
      case .refused(let page), .ignored(let page, _): page
      }
    POSIXSocket.send(page.bytes, to: descriptor)
    POSIXSocket.finishSending(descriptor)
    isAnswered = true
    received = []
  }

  func close() { POSIXSocket.close(descriptor) }
}
#endif
