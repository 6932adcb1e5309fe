public import AuthenticationDomain

/// The rule of each input; an app replaces some, or adds those of its own needs.
///
/// ```swift
/// flows.rules[.inviteCode] = FieldRule { $0.count == 8 ? nil : .inviteCodeLength }
/// ```
public struct FieldRules: Sendable {
  private var rules: [SignInMethod.Need: FieldRule]

  /// The standard rules.
  ///
  /// - Parameter country: whose phone numbers need no country code; nil if each needs one.
  public init(country: PhoneCountry? = nil) {
    rules = [
      .userName: .userName, .password: .password, .emailAddress: .emailAddress,
      .phoneNumber: .phoneNumber(in: country),
    ]
  }

  /// Anything will do where there is no rule.
  public subscript(need: SignInMethod.Need) -> FieldRule {
    get { rules[need] ?? FieldRule { _ in nil } }
    set { rules[need] = newValue }
  }
}
