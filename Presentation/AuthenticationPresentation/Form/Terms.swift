public import Foundation

/// Terms that a user agrees to when an account is created, in the version that is shown: a checkbox of the form.
///
/// The version is sent as an attribute of the sign-up, which a backend keeps with the account.
///
/// ```swift
/// flows.terms = [
///   Terms("terms.use", version: "2026-03", title: "Terms of use", url: url),
///   Terms("terms.newsletter", version: "1", title: "Newsletter", isRequired: false),
/// ]
/// ```
public struct Terms: Sendable, Hashable {
  /// The name of the attribute (``AuthenticationDomain/SignInRequest/attributes``), different from those of other terms
  /// and from the inputs of the form, which otherwise shows the first alone. A JSON backend gets those that begin
  /// with `terms.`; at Cognito it is `userAttributes.custom:NAME`.
  public let attribute: String
  /// The id by which the consent is sent and kept.
  public let version: String
  /// Their name, in the user's language.
  public let title: String
  /// Where they can be read; nil if nowhere.
  public let url: URL?
  /// Whether there is no account without the user's consent.
  public let isRequired: Bool

  /// Creates terms.
  ///
  /// - Parameters:
  ///   - attribute: the name under which the version is sent, such as `terms.use`.
  ///   - version: of the text that is shown.
  ///   - title: their name, in the user's language.
  ///   - url: where they can be read. By default nowhere.
  ///   - isRequired: whether there is no account without the user's consent. By default true.
  public init(_ attribute: String, version: String, title: String, url: URL? = nil, isRequired: Bool = true) {
    self.attribute = attribute
    self.version = version
    self.title = title
    self.url = url
    self.isRequired = isRequired
  }
}
