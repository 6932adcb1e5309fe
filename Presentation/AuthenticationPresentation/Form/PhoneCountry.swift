/// A country whose people may write their phone numbers without its code.
public struct PhoneCountry: Sendable, Hashable {
  /// Its code (ITU-T E.164), such as `49`.
  public let code: String
  /// What precedes a number inside of it, such as `0`; empty if nothing does.
  public let trunkPrefix: String

  /// A country.
  public init(code: String, trunkPrefix: String = "0") {
    self.code = code
    self.trunkPrefix = trunkPrefix
  }

  /// A number in E.164 form, as far as it can be told: `+` and `00` win over the country.
  static func international(_ text: String, in country: PhoneCountry?) -> String {
    let kept = text.compactMap { character -> Character? in
      if character == "+" || character == "\u{FF0B}" { return "+" }
      if let digit = character.wholeNumberValue, digit < 10 { return Character(String(digit)) }
      return character.isPhonePunctuation ? nil : character
    }
    let number = String(kept)
    if number.hasPrefix("+") { return number }
    if number.hasPrefix("00") { return "+" + number.dropFirst(2) }
    guard let country, !number.isEmpty else { return number }
    let national = number.hasPrefix(country.trunkPrefix) ? number.dropFirst(country.trunkPrefix.count) : number[...]
    return "+" + country.code + national
  }
}

extension Character {
  fileprivate var isPhonePunctuation: Bool {
    isWhitespace || "()[]/.".contains(self) || isInvisible
      || unicodeScalars.first?.properties.generalCategory == .dashPunctuation
  }
}
