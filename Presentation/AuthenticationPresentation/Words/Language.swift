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
  /// The sentences, by ``WordKey/description``; what is missing is said in English.
  public let table: [String: String]
  private let pluralCategory: @Sendable (Int) -> PluralCategory

  /// A language.
  ///
  /// - Parameters:
  ///   - tag: BCP 47.
  ///   - isRightToLeft: whether it is written from right to left.
  ///   - plural: the form of a number; by default `one` for 1, and `other`.
  ///   - table: the sentences, by ``WordKey/description``. `%1$@` stands for the first argument.
  public init(
    _ tag: String, isRightToLeft: Bool = false,
    plural: @escaping @Sendable (Int) -> PluralCategory = { $0 == 1 ? .one : .other }, table: [String: String]
  ) {
    self.tag = tag
    self.isRightToLeft = isRightToLeft
    self.table = table
    pluralCategory = plural
  }

  func plural(of count: Int) -> PluralCategory { pluralCategory(count) }
}

extension Language {
  /// English, which is complete.
  public static let english = Language("en", table: merged(englishErrors, englishSignIn, englishSteps, englishAccount))
  /// German, which is complete.
  public static let german = Language("de", table: merged(germanErrors, germanSignIn, germanSteps, germanAccount))

  /// The language of a list of tags, the best first, such as `Accept-Language` or `LANG` name them; English if none is
  /// known.
  public static func best(of tags: [String], among languages: [Language] = [.english, .german]) -> Language {
    for tag in tags {
      let primary = tag.lowercased().prefix { $0.isLetter }
      if let language = languages.first(where: { $0.tag.lowercased().prefix { $0.isLetter } == primary }) {
        return language
      }
    }
    return .english
  }

  private static func merged(_ tables: [String: String]...) -> [String: String] {
    tables.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }
}
