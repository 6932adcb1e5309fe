public import AuthenticationPresentation

extension Language {
  /// English with accents, in brackets, a third longer, and written from right to left: texts that a screen does not
  /// take from the words, and those that it cuts, are seen at once.
  public static let pseudo = Language(
    "ar-XB", isRightToLeft: true,
    table: Language.english.table.mapValues(accented))

  private static func accented(_ sentence: String) -> String {
    let accents: [Character: Character] = [
      "a": "á", "e": "é", "i": "í", "o": "ó", "u": "ú", "A": "Á", "E": "É", "I": "Í", "O": "Ó", "U": "Ú", "n": "ñ",
      "c": "ç", "s": "š", "y": "ý",
    ]
    let text = String(sentence.map { accents[$0] ?? $0 })
    return "⟦\(text)\(String(repeating: "·", count: sentence.count / 3 + 1))⟧"
  }
}
