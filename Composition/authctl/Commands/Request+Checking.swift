import ArgumentParser
import AuthenticationKit
import Foundation

extension HTTPMethod {
  /// A method is a token (RFC 9110 §9.1).
  init(checking text: String) throws {
    guard text.isHTTPToken else { throw ValidationError("A method is a word like GET.") }
    self.init(rawValue: text)
  }
}

extension HTTPHeaders {
  /// Adds a field written "Name: value" (RFC 9110 §5).
  mutating func add(checking field: String) throws {
    let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard parts.count == 2, name.isHTTPToken else { throw ValidationError("A header is written \"Name: value\".") }
    let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    guard value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
      throw ValidationError("A header's value has no line break and no control character.")
    }
    append(name, value)
  }
}

extension String {
  /// RFC 9110 §5.6.2.
  fileprivate var isHTTPToken: Bool {
    !isEmpty && utf8.allSatisfy { Self.tokenBytes.contains($0) }
  }

  private static let tokenBytes = Set(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
