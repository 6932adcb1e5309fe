import Foundation

/// A request or an answer as it came: a head, and a body as long as its Content-Length says.
struct HTTPMessage {
  let head: String
  let body: Data

  /// Nil where it does not come whole.
  init?(from socket: Socket) {
    var data = Data()
    while true {
      guard let more = socket.receive() else { return nil }
      data.append(more)
      guard let end = data.firstRange(of: Data("\r\n\r\n".utf8)) else { continue }
      let head = String(decoding: data[..<end.upperBound], as: UTF8.self)
      guard data.count - end.upperBound >= head.contentLength else { continue }
      self.head = head
      body = Data(data[end.upperBound...])
      return
    }
  }

  var data: Data { Data(head.utf8) + body }

  /// Of a request.
  var path: String {
    let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
    return words.count > 1 ? String(words[1]) : ""
  }

  /// The tokens in the JSON of an answer.
  var secrets: [String] {
    let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    return (object ?? [:]).compactMap { name, value in name.hasSuffix("Token") ? value as? String : nil }
  }
}

extension String {
  fileprivate var contentLength: Int {
    let field = lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
    return field.flatMap { Int($0.dropFirst(15).filter(\.isNumber)) } ?? 0
  }
}
