extension String {
  /// Without what would move a terminal's cursor, colour it, begin a line or turn the text around: names come from
  /// servers.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.filter(\.isPrintable)))
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
