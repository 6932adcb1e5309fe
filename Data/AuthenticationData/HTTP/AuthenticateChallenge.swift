/// One challenge of a `WWW-Authenticate` header (RFC 9110 §11.6.1).
package struct AuthenticateChallenge: Sendable, Equatable {
  /// In lower case, because schemes and parameter names are compared without case.
  package let scheme: String
  package var parameters: [String: String] = [:]

  /// Returns every challenge of a header's value. Malformed ones are skipped; of a repeated parameter the first counts.
  package static func parse(_ value: String) -> [AuthenticateChallenge] {
    var scanner = Scanner(rest: value.utf8.prefix(8_192))
    var challenges: [AuthenticateChallenge] = []
    while !scanner.rest.isEmpty {
      scanner.skip { $0 == UInt8(ascii: ",") || $0.isBlank }
      let name = scanner.token().lowercased()
      if name.isEmpty {
        scanner.skipOne()
        continue
      }
      scanner.skip(\.isBlank)
      if scanner.takes(UInt8(ascii: "=")), !challenges.isEmpty {
        scanner.skip(\.isBlank)
        let value = scanner.takes(UInt8(ascii: "\"")) ? scanner.quoted() : scanner.token()
        let index = challenges.count - 1
        if challenges[index].parameters[name] == nil { challenges[index].parameters[name] = value }
      } else {
        challenges.append(AuthenticateChallenge(scheme: name))
      }
    }
    return challenges
  }

  func list(_ name: String) -> [String] {
    (parameters[name] ?? "").split(separator: " ").prefix(32).map(String.init)
  }

  private struct Scanner {
    var rest: Substring.UTF8View

    mutating func skipOne() { rest = rest.dropFirst() }
    mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

    mutating func takes(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      skipOne()
      return true
    }

    mutating func token() -> String {
      let token = rest.prefix { !$0.isBlank && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") && $0 != 0x22 }
      rest = rest.dropFirst(token.count)
      return String(Substring(token))
    }

    mutating func quoted() -> String {
      var text: [UInt8] = []
      while let byte = rest.first {
        skipOne()
        if byte == 0x22 { break }
        if byte == 0x5C, let escaped = rest.first {
          text.append(escaped)
          skipOne()
        } else {
          text.append(byte)
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }
}
