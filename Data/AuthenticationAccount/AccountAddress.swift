package import AuthenticationDomain

/// An address to change to, or to verify.
public enum AccountAddress: Sendable, Hashable {
  /// An e-mail address.
  case email(String)
  /// A phone number with its country code (E.164).
  case phone(String)

  package func validate() throws(AuthenticationError) {
    switch self {
    case .email(let address): try EmailCredentials(address: address).validate()
    case .phone(let number): try PhoneCredentials(phoneNumber: number).validate()
    }
  }
}
