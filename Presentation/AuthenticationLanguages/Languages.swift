public import AuthenticationPresentation

extension Language {
  /// Every language of this package, English first.
  ///
  /// ```swift
  /// let words = Words(.best(of: Locale.preferredLanguages, among: .all))
  /// ```
  ///
  /// English and German were written by hand and read; the others are complete, but no native speaker has reviewed them
  /// (``AuthenticationPresentation/Language/isReviewed``).
  public static let all: [Language] = [
    .english, .german, .french, .spanish, .italian, .portuguese, .dutch, .polish, .japanese, .chinese,
  ]
}

extension [Language] {
  /// ``AuthenticationPresentation/Language/all``.
  public static var all: [Language] { Language.all }
}
