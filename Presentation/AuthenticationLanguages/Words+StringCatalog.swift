public import AuthenticationPresentation

extension Words {
  /// The sentences as a String Catalog, for Xcode and translators: one string for each key, in each of these languages.
  ///
  /// ```swift
  /// try Words().stringCatalog().write(to: URL(filePath: "SignIn.xcstrings"), atomically: true, encoding: .utf8)
  /// let translated = Words(.english) { key, _ in
  ///   let text = Bundle.main.localizedString(forKey: "\(key)", value: nil, table: "SignIn")
  ///   return text == "\(key)" ? nil : text  // a key that is missing comes back as it is
  /// }
  /// ```
  ///
  /// - Parameter languages: those of the library by default. The sentences that an app replaces are not in it.
  /// - Returns: the JSON of an `.xcstrings` file, its keys sorted.
  public func stringCatalog(of languages: [Language] = [.english, .german]) -> String {
    let tables = languages.map { language in
      (language.tag, language.isReviewed ? "translated" : "needs_review", language.table)
    }
    let strings = Set(tables.flatMap { $0.2.keys }).sorted().map { key in
      let values = tables.compactMap { tag, state, table in
        table[key].map { #""\#(tag)": {"stringUnit": {"state": "\#(state)", "value": "\#($0.escapedForJSON)"}}"# }
      }
      return
        #"    "\#(key.escapedForJSON)": {"extractionState": "manual", "localizations": {\#(values.joined(separator: ", "))}}"#
    }
    return """
      {
        "sourceLanguage": "en",
        "strings": {
      \(strings.joined(separator: ",\n"))
        },
        "version": "1.0"
      }

      """
  }
}

extension String {
  fileprivate var escapedForJSON: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20: "\\u00" + String(scalar.value + 0x100, radix: 16).dropFirst()
      default: String(scalar)
      }
    }.joined()
  }
}
