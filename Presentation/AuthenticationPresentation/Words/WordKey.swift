/// The name of a sentence: `flow.step.element`, or `error.` and the code of an error. Stable, and never shown.
public struct WordKey: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The name without its plural category.
  package let id: String
  /// Which of a language's forms is wanted, where a number is told; nil where none is.
  package let plural: PluralCategory?

  package init(_ id: String, plural: PluralCategory? = nil) {
    self.id = id
    self.plural = plural
  }

  public init(stringLiteral value: String) { self.init(value) }

  /// As the tables have it, such as `code.entry.left.one`.
  public var description: String { plural.map { "\(id).\($0.rawValue)" } ?? id }
}

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
