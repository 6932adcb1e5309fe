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
