/// A form that a word takes with a number (Unicode CLDR, Language Plural Rules).
public enum PluralCategory: String, Sendable, CaseIterable {
  /// As of 0 in Arabic.
  case zero
  /// As of 1 in English.
  case one
  /// As of 2 in Arabic.
  case two
  /// As of 2 to 4 in Polish.
  case few
  /// As of 5 to 21 in Polish.
  case many
  /// Every other number; a language without forms has this one alone.
  case other
}
