/// What is said to a person, in one language. An app replaces sentences one by one.
///
/// ```swift
/// let words = Words(.german) { key, language in
///   key == "form.submit.button" ? "Los geht's" : nil
/// }
/// ```
public struct Words: Sendable {
  /// The app's own sentence for a key; nil leaves it to the library. It may look into a String Catalog.
  public typealias Override = @Sendable (WordKey, Language) -> String?

  /// Something that a sentence names.
  public enum Argument: Sendable {
    /// A text that came from a person or a provider: it cannot turn the sentence around.
    case text(String)
    /// A number, which also chooses the form of the sentence.
    case count(Int)
    /// A sentence of these words.
    case words(String)
  }

  /// The language, which may differ between two windows of an app.
  public let language: Language
  private let override: Override

  /// The library's sentences, but for those that the app replaces.
  public init(_ language: Language = .english, override: @escaping Override = { _, _ in nil }) {
    self.language = language
    self.override = override
  }

  /// The sentence of a key: the app's, then the library's in this language, then the library's in English. The key
  /// itself never shows.
  public func callAsFunction(_ key: WordKey, _ arguments: Argument...) -> String {
    filled(pattern(for: key, arguments) ?? "", arguments)
  }

  /// Whether anybody has a sentence for a key.
  func has(_ key: WordKey) -> Bool { pattern(for: key, []) != nil }

  private func pattern(for key: WordKey, _ arguments: [Argument]) -> String? {
    let count = arguments.lazy.compactMap(\.count).first
    for language in [language, .english] {
      let forms = count.map { [language.plural(of: $0), .other] } ?? []
      for form in forms.map({ WordKey(key.id, plural: $0) }) + [key] {
        if let own = override(form, language) ?? language.table[form.description] { return own }
      }
    }
    return nil
  }

  private func filled(_ pattern: String, _ arguments: [Argument]) -> String {
    var text = ""
    var rest = pattern[...]
    while let start = rest.firstIndex(of: "%") {
      text += rest[..<start]
      rest = rest[start...]
      guard let number = rest.dropFirst().first?.wholeNumberValue, arguments.indices.contains(number - 1),
        rest.dropFirst(2).hasPrefix("$@")
      else {
        text += "%"
        rest = rest.dropFirst()
        continue
      }
      text += arguments[number - 1].text
      rest = rest.dropFirst(4)
    }
    return text + rest
  }
}

extension Words.Argument {
  fileprivate var count: Int? {
    if case .count(let count) = self { count } else { nil }
  }

  fileprivate var text: String {
    switch self {
    case .text(let text): "\u{2068}\(text.withoutControls)\u{2069}"
    case .count(let count): "\(count)"
    case .words(let text): text
    }
  }
}

extension String {
  /// Without control characters and direction marks; joiners stay, which some scripts and emoji need.
  var withoutControls: String {
    let joiners: [Unicode.Scalar] = ["\u{200C}", "\u{200D}"]
    let controls: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
    return String(
      unicodeScalars.filter { joiners.contains($0) || !controls.contains($0.properties.generalCategory) })
  }
}
