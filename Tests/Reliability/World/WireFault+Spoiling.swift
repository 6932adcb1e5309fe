import Foundation

extension WireFault {
  /// Whether this was all: the server is not asked.
  func endsBeforeProcessing(_ connection: Socket) -> Bool {
    switch self {
    case .resetBeforeProcessing:
      connection.reset()
    case .answer(let body, let status, let headers):
      let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
      connection.transmit(Data((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
      connection.close()
    case .garbage:
      connection.transmit(Data("\u{1}\u{2}nothing that HTTP knows\r\n\r\n".utf8))
      connection.close()
    case .hang:
      while connection.receive() != nil {}
      connection.close()
    default:
      return false
    }
    return true
  }

  func spoil(_ answer: HTTPMessage, on connection: Socket) {
    switch self {
    case .resetAfterProcessing:
      return connection.reset()
    case .truncatedHead:
      connection.transmit(Data(answer.head.utf8.prefix(20)))
    case .truncatedBody:
      connection.transmit(Data(answer.head.utf8) + answer.body.prefix(answer.body.count / 2))
    case .halfJSON:
      let half = answer.body.prefix(answer.body.count / 2)
      let head = answer.head.replacing("Content-Length: \(answer.body.count)", with: "Content-Length: \(half.count)")
      connection.transmit(Data(head.utf8) + half)
    case .garbageBody:
      connection.transmit(Data(answer.head.utf8) + Data(answer.body.map { $0 ^ 0xA5 }))
    case .drip:
      for byte in answer.data {
        guard connection.transmit(Data([byte])) else { break }
        Thread.sleep(forTimeInterval: 0.1)
      }
    default:
      break
    }
    connection.close()
  }
}
