#if os(Linux)
import AuthenticationDomain

/// The head of a response, read line by line (RFC 9112 §2.1, §4, §5), or of an HTTP/2 response written as one.
///
/// Informational responses and trailer fields are skipped. Head and trailers together may have 64 KiB and 200 fields.
struct ResponseHead {
  enum Fault: Error {
    case tooLarge
    case malformed
  }

  static let maximumSize = 65_536
  static let maximumCount = 200

  private(set) var status = 0
  private(set) var headers: HTTPHeaders = [:]
  /// Whether the empty line that ends the head of a final response has been read.
  private(set) var isComplete = false
  /// The value of `Content-Length`, in bytes; a value above `Int.max` is read as `Int.max`.
  private(set) var length: Int?
  private var size = 0
  private var count = 0

  /// Reads one line, including its line ending.
  mutating func read(_ line: String) throws(Fault) {
    size += line.utf8.count
    count += 1
    guard size <= Self.maximumSize, count <= Self.maximumCount else { throw .tooLarge }
    guard line.utf8.last == UInt8(ascii: "\n") else { throw .malformed }
    if isComplete { return }
    var content = line.utf8.dropLast()
    if content.last == UInt8(ascii: "\r") { content.removeLast() }
    guard !content.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else { throw .malformed }
    if content.isEmpty { return try end() }
    let text = Substring(content)
    if status == 0 { return try readStatus(text) }
    readField(text)
  }

  /// `HTTP/1.1 200 OK`; the reason phrase may be missing.
  private mutating func readStatus(_ line: Substring) throws(Fault) {
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count > 1, parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3, let code = Int(parts[1]),
      (100...999).contains(code)
    else { throw .malformed }
    status = code
  }

  /// Skips a line without a valid name; one that begins with white space continues the field before it (RFC 9112 §5.2).
  private mutating func readField(_ line: Substring) {
    if line.utf8.first?.isBlank == true {
      headers.continueLast(with: line.trimmed)
    } else if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), line[..<colon].isToken {
      headers.append(String(line[..<colon]), String(line[line.utf8.index(after: colon)...].trimmed))
    }
  }

  private mutating func end() throws(Fault) {
    guard status != 0 else { throw .malformed }
    if status < 200 {
      (status, headers) = (0, [:])
      return
    }
    length = try framedLength()
    isComplete = true
  }

  /// Throws if contradicting lengths, or a transfer coding, make it unclear where a body ends (RFC 9112 §6.3).
  private func framedLength() throws(Fault) -> Int? {
    let lengths = Set(headers.values(of: "Content-Length").flatMap { $0.split(separator: ",").map(\.trimmed) })
    guard let length = lengths.first else {
      if headers["Content-Length"] != nil { throw .malformed }
      return nil
    }
    guard lengths.count == 1, headers["Transfer-Encoding"] == nil, !length.isEmpty, length.utf8.allSatisfy(\.isDigit)
    else { throw .malformed }
    return Int(length) ?? .max
  }
}

extension HTTPHeaders {
  fileprivate mutating func continueLast(with text: Substring) {
    guard let last = fields.last else { return }
    replaceLast(value: last.value.isEmpty ? String(text) : "\(last.value) \(text)")
  }
}

extension Substring {
  /// Without the spaces and tabs around it (RFC 9110 §5.6.3).
  fileprivate var trimmed: Substring {
    let head = utf8.drop(while: \.isBlank)
    let last = head.lastIndex { !$0.isBlank }
    return self[head.startIndex..<(last.map { head.index(after: $0) } ?? head.startIndex)]
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
#endif
