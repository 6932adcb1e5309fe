/// A rule for a new password, shown before the user types.
public enum PasswordRule: Sendable, Identifiable {
  /// At least so many characters (Unicode code points).
  case length(Int)
  /// An upper-case letter.
  case uppercase
  /// A lower-case letter.
  case lowercase
  /// A digit.
  case digit
  /// A character that is neither letter nor digit.
  case symbol
  /// A custom rule.
  case custom(id: String, isMet: @Sendable (_ password: String) -> Bool)

  /// Stable identifier; the words have its sentence as `password.rule.` and this.
  public var id: String {
    switch self {
    case .length: "length"
    case .uppercase: "uppercase"
    case .lowercase: "lowercase"
    case .digit: "digit"
    case .symbol: "symbol"
    case .custom(let id, _): id
    }
  }

  /// The number in its sentence; nil if there is none.
  package var count: Int? { if case .length(let count) = self { count } else { nil } }

  /// Whether a password meets it. Characters are counted, of any alphabet.
  package func isMet(by password: String) -> Bool {
    switch self {
    case .length(let count): password.unicodeScalars.count >= count
    case .uppercase: password.contains(where: \.isUppercase)
    case .lowercase: password.contains(where: \.isLowercase)
    case .digit: password.contains(where: \.isNumber)
    case .symbol: password.contains { !$0.isLetter && !$0.isNumber && !$0.isWhitespace }
    case .custom(_, let isMet): isMet(password)
    }
  }
}

extension PasswordRule: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id && lhs.count == rhs.count }
}
