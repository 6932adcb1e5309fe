/// The format of a code: enough to refuse one that cannot be right, and to choose a keyboard.
public struct CodeFormat: Sendable, Hashable {
  /// Which characters a code is made of.
  public enum Alphabet: Sendable {
    /// 0 to 9.
    case digits
    /// Letters of either case, and 0 to 9.
    case lettersAndDigits
  }

  /// How many characters it has.
  public let length: ClosedRange<Int>
  /// Which characters it is made of.
  public let alphabet: Alphabet

  /// A code of these lengths and characters.
  public init(length: ClosedRange<Int>, alphabet: Alphabet = .digits) {
    self.length = length
    self.alphabet = alphabet
  }

  /// So many digits.
  public static func digits(_ count: Int) -> Self { Self(length: count...count) }

  /// The typed or pasted text as the provider expects it: without spaces and dashes, with ASCII digits in place
  /// of full-width, Arabic-Indic and other ones.
  ///
  /// Letters stay as they are: whether upper and lower case differ is the provider's to say.
  package static func cleaned(_ text: String) -> String {
    String(
      text.compactMap { character -> Character? in
        if character.isWhitespace || isDash(character) { return nil }
        guard let digit = character.wholeNumberValue, character.unicodeScalars.first?.properties.numericType == .decimal
        else { return isInvisible(character) ? nil : character }
        return Character(String(digit))
      })
  }

  /// Whether a cleaned code can be one of this format.
  package func matches(_ code: String) -> Bool {
    length.contains(code.count)
      && code.allSatisfy { $0.isASCII && ($0.isNumber || (alphabet == .lettersAndDigits && $0.isLetter)) }
  }

  private static func isDash(_ character: Character) -> Bool {
    character.unicodeScalars.first?.properties.generalCategory == .dashPunctuation || character == "\u{2212}"
  }

  private static func isInvisible(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { [.format, .control].contains($0.properties.generalCategory) }
  }
}
