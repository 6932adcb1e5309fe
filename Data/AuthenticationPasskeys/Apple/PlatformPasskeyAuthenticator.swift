// watchOS and tvOS have no window over which to ask.
#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
public import AuthenticationDomain
public import AuthenticationServices

/// The passkeys of the system (iCloud Keychain, and other apps that keep passkeys), and of phones near by.
///
/// The app needs the associated domain `webcredentials:DOMAIN`, and the domain
/// `/.well-known/apple-app-site-association` with `{"webcredentials": {"apps": ["TEAMID.bundle"]}}`, which Apple's servers
/// fetch up to a day late.
public struct PlatformPasskeyAuthenticator: PasskeyAuthenticator {
  private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

  /// - Parameter anchor: the window over which to ask, called each time.
  public init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) { self.anchor = anchor }

  /// Creates a passkey in the system's sheet.
  ///
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` if the app is not associated with the domain.
  public func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    guard options.algorithms.contains(-7) else { throw .unsupportedAlgorithms }
    let relyingPartyID = try options.relyingPartyID.orInvalid
    return try await PlatformPasskeyRequest(anchor).registration(options, of: relyingPartyID)
  }

  /// Signs in the system's sheet, or with a suggestion for a text field whose content type is a user name.
  ///
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` if the app is not associated with the domain, and
  ///   ``AuthenticationError/Code/unsupportedMethod`` for suggestions on macOS.
  public func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    let relyingPartyID = try options.relyingPartyID.orInvalid
    return try await PlatformPasskeyRequest(anchor).assertion(options, of: relyingPartyID, presentation)
  }
}

extension String? {
  fileprivate var orInvalid: String {
    get throws(AuthenticationError) {
      guard let self else {
        throw AuthenticationError(
          .invalidRequest, "The options name no domain.", suggestion: "Ask through checking(relyingPartyID:).")
      }
      return self
    }
  }
}

extension AuthenticationError {
  fileprivate static let unsupportedAlgorithms = Self(
    .unsupportedMethod, "The system creates ES256 passkeys, and the server does not accept those.",
    suggestion: "Add -7 to the server's pubKeyCredParams.")
}
#endif
