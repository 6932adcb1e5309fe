#if os(macOS) || os(Linux)
import AuthenticationDomain
import Foundation

/// One browser's connection to a ``CallbackListener``: one request, one answer. Nothing here blocks.
struct CallbackConnection {
  let descriptor: Int32
  let startedAt: Duration
  private(set) var isOver = false
  private var received: [UInt8] = []
  /// Set when the answer was sent: what still comes is thrown away, so that the answer is not lost with a reset.
  private var isAnswered = false

  init(descriptor: Int32, startedAt: Duration) {
    self.descriptor = descriptor
    self.startedAt = startedAt
  }

  /// Takes in what has come, and answers it where it is a request; nil until then.
  mutating func advance(_ expectation: CallbackExpectation) -> CallbackExpectation.Verdict? {
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
      answer(verdict)
      return verdict
    }
  }

  /// Looks only at what is new: a head that comes byte by byte costs no more than another.
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

  /// A page is smaller than any socket's buffer: it goes out at once, or the browser is gone.
  private mutating func answer(_ verdict: CallbackExpectation.Verdict) {
    let page =
      switch verdict {
      case .callback(_, let page): page
      case .overlong: CallbackPage.tooLong
      case .refused(let page): page
      }
    POSIXSocket.send(page.bytes, to: descriptor)
    POSIXSocket.finishSending(descriptor)
    isAnswered = true
    received = []
  }

  func close() { POSIXSocket.close(descriptor) }
}
#endif
