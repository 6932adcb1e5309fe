public import AuthenticationPresentation
import Foundation

/// The languages of this package. Their sentences are files, one for each language, which say whether a native speaker
/// has reviewed them (``AuthenticationPresentation/Language/isReviewed``); none has yet.
extension Language {
  /// French.
  public static let french = Language(in: PackageResources.fr_json, plural: upToOne)
  /// Spanish.
  public static let spanish = Language(in: PackageResources.es_json, plural: oneAndOther)
  /// Italian.
  public static let italian = Language(in: PackageResources.it_json, plural: oneAndOther)
  /// Brazilian Portuguese.
  public static let portuguese = Language(in: PackageResources.pt_BR_json, plural: upToOne)
  /// Dutch.
  public static let dutch = Language(in: PackageResources.nl_json, plural: oneAndOther)
  /// Polish.
  public static let polish = Language(in: PackageResources.pl_json, plural: oneFewAndMany)
  /// Japanese.
  public static let japanese = Language(in: PackageResources.ja_json) { _ in .other }
  /// Simplified Chinese.
  public static let chinese = Language(in: PackageResources.zh_Hans_json) { _ in .other }

  /// Every language of this package, English first.
  ///
  /// ```swift
  /// let words = Words(.best(of: Locale.preferredLanguages, among: .all))
  /// ```
  public static let all: [Language] = [
    .english, .german, .french, .spanish, .italian, .portuguese, .dutch, .polish, .japanese, .chinese,
  ]

  private init(in file: [UInt8], plural: @escaping @Sendable (Int) -> PluralCategory) {
    guard let file = try? JSONDecoder().decode(LanguageFile.self, from: Data(file)) else {
      preconditionFailure("A file of sentences of this package cannot be read.")
    }
    self.init(file.language, isReviewed: file.isReviewed, plural: plural, table: file.sentences)
  }

  // The forms of whole numbers (Unicode CLDR, Language Plural Rules).
  private static func oneAndOther(_ count: Int) -> PluralCategory { count == 1 ? .one : .other }

  private static func upToOne(_ count: Int) -> PluralCategory { (0...1).contains(count) ? .one : .other }

  /// 1; 2 to 4, but not 12 to 14; every other number.
  private static func oneFewAndMany(_ count: Int) -> PluralCategory {
    if count == 1 { return .one }
    return (2...4).contains(count % 10) && !(12...14).contains(count % 100) ? .few : .many
  }
}

extension [Language] {
  /// ``AuthenticationPresentation/Language/all``.
  public static var all: [Language] { Language.all }
}

/// The file of one language, as translators edit it.
private struct LanguageFile: Decodable {
  /// A BCP 47 tag.
  let language: String
  /// Whether a native speaker has read the sentences.
  let isReviewed: Bool
  /// The sentences, by ``WordKey/description``.
  let sentences: [String: String]
}
