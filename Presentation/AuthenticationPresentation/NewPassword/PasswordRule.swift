import AuthenticationDomain

/// What a new password must be like: an open set, shown before anything is typed.
public struct PasswordRule: Sendable, Hashable, Identifiable {
  /// Stable identifier; the words have its sentence as `password.rule.` and this.
  public let id: String
  /// A number in its sentence, such as the fewest characters; nil if there is none.
  public let count: Int?
  private let isMetByIts: @Sendable (String) -> Bool

  /// A rule of your own.
  public init(id: String, count: Int? = nil, isMet: @escaping @Sendable (String) -> Bool) {
    self.id = id
    self.count = count
    isMetByIts = isMet
  }

  /// Whether a password meets it. Characters are counted, whatever their alphabet.
  public func isMet(by password: String) -> Bool { isMetByIts(password) }

  /// At least so many characters (Unicode code points).
  public static func length(_ count: Int) -> Self {
    Self(id: "length", count: count) { $0.unicodeScalars.count >= count }
  }
  /// An upper-case letter.
  public static let uppercase = Self(id: "uppercase") { $0.contains(where: \.isUppercase) }
  /// A lower-case letter.
  public static let lowercase = Self(id: "lowercase") { $0.contains(where: \.isLowercase) }
  /// A digit.
  public static let digit = Self(id: "digit") { $0.contains(where: \.isNumber) }
  /// A character that is neither letter nor digit.
  public static let symbol = Self(id: "symbol") { text in
    text.contains { !$0.isLetter && !$0.isNumber && !$0.isWhitespace }
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id && lhs.count == rhs.count }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(count)
  }
}
