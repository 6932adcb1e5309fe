extension String {
  /// Without what would move a terminal's cursor, colour it, begin a line or turn the text around: names come from
  /// servers.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.filter(\.isPrintable)))
  }

  /// The same JSON text (RFC 8259 §7), in which no such character stands as it is. In what an encoder has written, they
  /// stand in strings only.
  var escapingUnprintable: String {
    var escaped = ""
    for scalar in unicodeScalars {
      if scalar.isPrintable {
        escaped.unicodeScalars.append(scalar)
      } else {
        for unit in scalar.utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return escaped
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: !properties.isBidiControl
    }
  }
}
