import Foundation

extension String {
  /// Without white space and invisible characters at both ends.
  var trimmedName: String {
    let start = firstIndex { !$0.isBlank } ?? endIndex
    let end = lastIndex { !$0.isBlank }.map(index(after:)) ?? endIndex
    return start < end ? String(self[start..<end]) : ""
  }

  /// In Unicode normalization form C: one spelling of the letters that can be typed in two ways.
  var composed: String { precomposedStringWithCanonicalMapping }
}

extension Character {
  /// Format and control characters: zero-width, direction marks.
  var isInvisible: Bool {
    unicodeScalars.allSatisfy { [.format, .control].contains($0.properties.generalCategory) }
  }

  fileprivate var isBlank: Bool { isWhitespace || isInvisible }
}
