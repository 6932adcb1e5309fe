public import AuthenticationDomain

/// How one input is cleaned before it is sent, and what can be wrong with it: nothing that only the provider can know.
public struct FieldRule: Sendable {
  private let clean: @Sendable (String) -> String
  private let check: @Sendable (String) -> AuthenticationError.Code?

  /// A rule of your own.
  ///
  /// - Parameters:
  ///   - clean: what is sent of what was typed; by default all of it.
  ///   - check: what is wrong with what is sent; nil if nothing is. Its sentence is the words' for that code.
  public init(
    clean: @escaping @Sendable (String) -> String = { $0 },
    check: @escaping @Sendable (String) -> AuthenticationError.Code?
  ) {
    self.clean = clean
    self.check = check
  }

  func cleaned(_ text: String) -> String { clean(text) }
  func problem(with text: String) -> AuthenticationError.Code? { check(clean(text)) }
}

extension FieldRule {
  /// Not blank; without white space and invisible characters around it.
  public static let userName = FieldRule(clean: { $0.trimmedName }, check: { $0.isEmpty ? .blankUserName : nil })

  /// Not empty; nothing is trimmed or cut. The same letters are sent the same way, however they were typed
  /// (NIST SP 800-63B-4 §3.1.1.2).
  public static let password = FieldRule(clean: { $0.composed }, check: { $0.isEmpty ? .emptyPassword : nil })

  /// One @ between two parts without white space: any alphabet, and no list of domains.
  public static let emailAddress = FieldRule(
    clean: { $0.trimmedName }, check: { code(of: EmailCredentials(address: $0)) })

  /// A number in E.164 form, however it was written.
  ///
  /// - Parameter country: whose numbers need no country code; nil if each needs one.
  public static func phoneNumber(in country: PhoneCountry?) -> Self {
    FieldRule(
      clean: { PhoneCountry.international($0, in: country) },
      check: { code(of: PhoneCredentials(phoneNumber: $0)) })
  }

  private static func code(of credentials: some Credentials) -> AuthenticationError.Code? {
    do throws(AuthenticationError) {
      try credentials.validate()
      return nil
    } catch {
      return error.code
    }
  }
}
