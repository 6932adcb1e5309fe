/// An e-mail address to which the provider sends a code or a link; what came is then given as a ``ChallengeAnswer``.
public struct EmailCredentials: Credentials {
  /// As typed: the part before the @ may depend on upper and lower case.
  public let address: String
  /// ``SignInMethod/emailCode`` or ``SignInMethod/emailLink``.
  public let method: SignInMethod
  /// The link that came, if it was opened where no attempt waited for it: both together sign in.
  public let link: Secret?

  /// Accepts anything; ``validate()`` checks it.
  public init(address: String, method: SignInMethod = .emailCode, link: Secret? = nil) {
    self.address = address
    self.method = method
    self.link = link
  }

  /// Checks the shape alone: one @ between two parts without spaces.
  ///
  /// - Throws: ``AuthenticationError/Code/invalidEmailAddress`` if it has another one.
  public func validate() throws(AuthenticationError) {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    let hasParts = parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    let isPrintable = address.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.properties.generalCategory != .control
    }
    guard hasParts, isPrintable, address.utf8.count <= 254 else { throw .invalidEmailAddress }
  }
}

extension Credentials where Self == EmailCredentials {
  /// An address to which the provider sends a code.
  public static func emailCode(_ address: String) -> Self { EmailCredentials(address: address) }
  /// An address to which the provider sends a link.
  public static func emailLink(_ address: String) -> Self { EmailCredentials(address: address, method: .emailLink) }
}
