/// A language with its sentences: an open set.
///
/// ```swift
/// let polish = Language("pl", plural: { polishCategory($0) }, table: ["form.submit.button": "Zaloguj się"])
/// ```
public struct Language: Sendable {
  /// A BCP 47 tag.
  public let tag: String
  /// Whether it is written from right to left.
  public let isRightToLeft: Bool
  /// Whether a native speaker has read the sentences; a String Catalog marks them as to be reviewed otherwise.
  public let isReviewed: Bool
  /// The sentences, by ``WordKey/description``; a missing one is shown in English.
  package let table: [String: String]
  private let pluralCategory: @Sendable (Int) -> PluralCategory

  /// A language.
  ///
  /// - Parameters:
  ///   - tag: BCP 47.
  ///   - isRightToLeft: whether it is written from right to left; false by default.
  ///   - isReviewed: whether a native speaker has read the sentences; true by default.
  ///   - plural: the form of a number; by default `one` for 1, and `other`.
  ///   - table: the sentences, by ``WordKey/description``. `%1$@` stands for the first argument.
  public init(
    _ tag: String, isRightToLeft: Bool = false, isReviewed: Bool = true,
    plural: @escaping @Sendable (Int) -> PluralCategory = { $0 == 1 ? .one : .other }, table: [String: String]
  ) {
    self.tag = tag
    self.isRightToLeft = isRightToLeft
    self.isReviewed = isReviewed
    self.table = table
    pluralCategory = plural
  }

  package func plural(of count: Int) -> PluralCategory { pluralCategory(count) }
}

extension Language {
  /// English, which is complete.
  public static let english = Language("en", table: sentences["en"] ?? [:])
  /// German, which is complete.
  public static let german = Language("de", table: sentences["de"] ?? [:])

  /// Returns the language of a list of tags, the best first, such as `Accept-Language` or `LANG` name them; English if
  /// none is known.
  public static func best(of tags: [String], among languages: [Language] = [.english, .german]) -> Language {
    for tag in tags {
      if let language = languages.first(where: { $0.isRead(by: tag.lowercased()) }) { return language }
    }
    return .english
  }

  /// Whether a reader of the tag's language reads this one: the region does not matter, the script of Chinese does.
  private func isRead(by wanted: String) -> Bool {
    let own = tag.lowercased()
    guard own.prefix(while: \.isLetter) == wanted.prefix(while: \.isLetter) else { return false }
    let isTraditional = ["hant", "tw", "hk", "mo"].contains { wanted.split { !$0.isLetter }.contains($0[...]) }
    return !(own.hasSuffix("-hans") && isTraditional)
  }

  /// The sentences by the tag of their language, from rows whose cells are separated by `|`: the key, or several,
  /// then a sentence for each language of the first row.
  static func tables(_ rows: String) -> [String: [String: String]] {
    let cells = rows.split(separator: "\n").map { row in
      row.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
    }
    var tables: [String: [String: String]] = [:]
    for row in cells.dropFirst() {
      for key in row[0].split(separator: " ") {
        for (tag, sentence) in zip(cells[0], row).dropFirst() { tables[tag, default: [:]][String(key)] = sentence }
      }
    }
    return tables
  }
}
