public import AuthenticationDomain
import Foundation

/// How one input is cleaned before it is sent, and checked: without rules that only the provider knows.
public struct FieldRule: Sendable {
  let clean: @Sendable (String) -> String
  private let check: @Sendable (String) -> AuthenticationError?

  /// A custom rule.
  ///
  /// - Parameters:
  ///   - clean: returns the text to send; by default all of the input.
  ///   - check: returns the problem of the text to send; nil if there is none. Its sentence is the words' for that
  ///     code.
  public init(
    clean: @escaping @Sendable (String) -> String = { $0 },
    check: @escaping @Sendable (String) -> AuthenticationError?
  ) {
    self.clean = clean
    self.check = check
  }

  func problem(with text: String) -> AuthenticationError? { check(clean(text)) }
}

/// The rule of each input; an app replaces some, or adds those of custom needs.
///
/// ```swift
/// flows.rules[.inviteCode] = FieldRule { $0.count == 8 ? nil : .inviteCodeLength }
/// ```
public struct FieldRules: Sendable {
  private var rules: [SignInMethod.Need: FieldRule]

  /// The standard rules.
  ///
  /// - Parameters:
  ///   - countryCode: of the country whose phone numbers need none (ITU-T E.164), such as `49`; nil if each needs one.
  ///   - trunkPrefix: the prefix of a number inside of that country; empty if there is none.
  public init(countryCode: String? = nil, trunkPrefix: String = "0") {
    rules = [
      .userName: FieldRule(clean: { $0.trimmedName }, check: { $0.isEmpty ? .blankUserName : nil }),
      // Nothing is trimmed or cut. The same letters are sent the same way, however they were typed
      // (NIST SP 800-63B-4 §3.1.1.2).
      .password: FieldRule(
        clean: { $0.precomposedStringWithCanonicalMapping }, check: { $0.isEmpty ? .emptyPassword : nil }),
      // One @ between two parts without white space: any alphabet, and no list of domains.
      .emailAddress: FieldRule(
        clean: { $0.trimmedName }, check: { Self.problem(with: EmailCredentials(address: $0)) }),
      .phoneNumber: FieldRule(
        clean: { $0.phoneNumber(countryCode: countryCode, trunkPrefix: trunkPrefix) },
        check: { Self.problem(with: PhoneCredentials(phoneNumber: $0)) }),
    ]
  }

  private static func problem(with credentials: some Credentials) -> AuthenticationError? {
    do throws(AuthenticationError) {
      try credentials.validate()
      return nil
    } catch {
      return error
    }
  }

  /// Anything will do where there is no rule.
  public subscript(need: SignInMethod.Need) -> FieldRule {
    get { rules[need] ?? FieldRule { _ in nil } }
    set { rules[need] = newValue }
  }
}

extension String {
  /// A number in E.164 form, as far as it can be told: `+` and `00` win over the country.
  fileprivate func phoneNumber(countryCode: String?, trunkPrefix: String) -> String {
    let kept = compactMap { character -> Character? in
      if character == "+" || character == "\u{FF0B}" { return "+" }
      if let digit = character.wholeNumberValue, digit < 10 { return Character(String(digit)) }
      return character.isPhonePunctuation ? nil : character
    }
    let number = String(kept)
    if number.hasPrefix("+") { return number }
    if number.hasPrefix("00") { return "+" + number.dropFirst(2) }
    guard let countryCode, !number.isEmpty else { return number }
    let national = number.hasPrefix(trunkPrefix) ? number.dropFirst(trunkPrefix.count) : number[...]
    return "+" + countryCode + national
  }

  /// Without white space and invisible characters at both ends.
  var trimmedName: String {
    let start = firstIndex { !$0.isBlank } ?? endIndex
    let end = lastIndex { !$0.isBlank }.map(index(after:)) ?? endIndex
    return start < end ? String(self[start..<end]) : ""
  }
}

extension Character {
  /// Format and control characters: zero-width, direction marks.
  var isInvisible: Bool {
    unicodeScalars.allSatisfy { [.format, .control].contains($0.properties.generalCategory) }
  }

  fileprivate var isBlank: Bool { isWhitespace || isInvisible }

  fileprivate var isPhonePunctuation: Bool {
    "()[]/.".contains(self) || isBlank || unicodeScalars.first?.properties.generalCategory == .dashPunctuation
  }
}
