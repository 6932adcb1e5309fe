/// A phone number to which the provider sends a code; the code is then given as a ``ChallengeAnswer``.
public struct PhoneCredentials: Credentials {
  /// E.164: a plus sign and up to 15 digits.
  public let phoneNumber: String

  /// Accepts anything; ``validate()`` checks it.
  public init(phoneNumber: String) {
    self.phoneNumber = phoneNumber
  }

  public var method: SignInMethod { .phoneCode }

  /// Checks that the number is in E.164 form: a plus sign and 7 to 15 digits, the first of them not 0.
  ///
  /// - Throws: ``AuthenticationError/Code/invalidPhoneNumber`` if it is not.
  public func validate() throws(AuthenticationError) {
    let digits = phoneNumber.dropFirst()
    let isWellFormed =
      phoneNumber.first == "+" && (7...15).contains(digits.count)
      && digits.allSatisfy { ("0"..."9").contains($0) } && digits.first != "0"
    if !isWellFormed { throw .invalidPhoneNumber }
  }
}

extension Credentials where Self == PhoneCredentials {
  /// A phone number in E.164 form, for `signIn(with:)`.
  public static func phone(_ number: String) -> Self { PhoneCredentials(phoneNumber: number) }
}
