// watchOS has no passkeys.
#if canImport(AuthenticationServices) && !os(watchOS)
import AuthenticationData
public import AuthenticationDomain
public import AuthenticationServices
import Foundation

/// The passkeys of the system (iCloud Keychain, and other apps that keep passkeys), and of phones near by.
///
/// The app needs the associated domain `webcredentials:DOMAIN`, and the domain
/// `/.well-known/apple-app-site-association` with `{"webcredentials": {"apps": ["TEAMID.bundle"]}}`, which Apple's
/// servers fetch up to a day late. A new request ends the one before it, since the system refuses a second.
public struct PlatformPasskeyAuthenticator: PasskeyAuthenticator {
  @MainActor private static weak var latest: SystemAuthorization?

  private let prefersImmediatelyAvailable: Bool
  private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

  /// Creates an authenticator.
  ///
  /// - Parameters:
  ///   - prefersImmediatelyAvailable: signs only with a passkey of this device: no phone near by is offered, and where
  ///     there is no passkey, signing ends as ``AuthenticationError/cancelled`` before anything is shown. No effect on
  ///     tvOS, where passkeys are those of a phone.
  ///   - anchor: the window over which to ask, called each time.
  public init(
    prefersImmediatelyAvailable: Bool = false, anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
  ) {
    self.prefersImmediatelyAvailable = prefersImmediatelyAvailable
    self.anchor = anchor
  }

  /// Creates a passkey in the system's sheet. tvOS and visionOS cannot be told which the account has: they may make
  /// another.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration`` if the app is not associated with the domain.
  @MainActor
  public func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    guard options.algorithms.contains(-7) else { throw .unsupportedAlgorithms }
    let request = try provider(for: options.relyingPartyID).createCredentialRegistrationRequest(
      challenge: options.challenge, name: options.userName, userID: options.userID)
    request.displayName = options.userDisplayName
    request.userVerificationPreference = .init(options.userVerification)
    #if !os(tvOS) && !os(visionOS)
    request.excludedCredentials = options.excludedCredentials.map { .init(credentialID: $0.id) }
    #endif
    // Every passkey of the system can be found without its id; nil if the server did not ask.
    let isDiscoverable = options.asksForProperties ? true : nil
    return try await perform(request, .modal) { credential throws(AuthenticationError) in
      guard let credential = credential as? ASAuthorizationPlatformPublicKeyCredentialRegistration,
        let object = credential.rawAttestationObject
      else { throw .malformedPasskeyResponse }
      #if os(tvOS)
      let attachment: String? = nil
      #else
      let attachment = credential.attachment.name
      #endif
      return try PasskeyRegistration(
        credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
        attestationObject: object, attachment: attachment,
        transports: attachment == "platform" ? ["hybrid", "internal"] : ["hybrid"], isDiscoverable: isDiscoverable)
    }
  }

  /// Signs in the system's sheet, or with a suggestion for a text field whose content type is a user name.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration`` if the app is not associated with the domain, and
  ///   ``AuthenticationError/unsupportedMethod`` for suggestions on macOS, Mac Catalyst and tvOS.
  @MainActor
  public func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    let request = try provider(for: options.relyingPartyID).createCredentialAssertionRequest(
      challenge: options.challenge)
    request.userVerificationPreference = .init(options.userVerification)
    request.allowedCredentials = options.allowedCredentials.map { .init(credentialID: $0.id) }
    return try await perform(request, presentation) { credential throws(AuthenticationError) in
      guard let credential = credential as? ASAuthorizationPlatformPublicKeyCredentialAssertion,
        let data = credential.rawAuthenticatorData, let signature = credential.signature
      else { throw .malformedPasskeyResponse }
      #if os(tvOS)
      let attachment: String? = nil
      #else
      let attachment = credential.attachment.name
      #endif
      return try PasskeyAssertion(
        credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON, authenticatorData: data,
        signature: signature, userHandle: credential.userID, attachment: attachment)
    }
  }

  private func provider(
    for relyingPartyID: String?
  ) throws(AuthenticationError) -> ASAuthorizationPlatformPublicKeyCredentialProvider {
    guard let relyingPartyID else {
      throw AuthenticationError(
        .invalidRequest, "The options name no domain.", suggestion: "Ask through checking(relyingPartyID:).")
    }
    return ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingPartyID)
  }

  @MainActor
  private func perform<Response: Sendable>(
    _ request: ASAuthorizationRequest, _ presentation: PasskeyPresentation,
    reading read: @escaping @MainActor (any ASAuthorizationCredential) throws(AuthenticationError) -> Response
  ) async throws(AuthenticationError) -> Response {
    #if os(macOS) || os(tvOS) || targetEnvironment(macCatalyst)
    if case .autofill = presentation { throw .noSuggestions }
    #endif
    let authorization = SystemAuthorization(over: anchor, describing: { .platform($0) })
    return try await authorization.perform(
      request,
      start: { controller in
        Self.latest?.cancel()
        Self.latest = authorization
        #if !os(macOS) && !os(tvOS) && !targetEnvironment(macCatalyst)
        if case .autofill = presentation { return controller.performAutoFillAssistedRequests() }
        #endif
        #if !os(tvOS)
        // A new passkey is no credential that could be there: the option would refuse to make one.
        if prefersImmediatelyAvailable, request is ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
          return controller.performRequests(options: .preferImmediatelyAvailableCredentials)
        }
        #endif
        controller.performRequests()
      }, reading: read)
  }
}

#if !os(tvOS)
extension ASAuthorizationPublicKeyCredentialAttachment {
  fileprivate var name: String? {
    switch self {
    case .platform: "platform"
    case .crossPlatform: "cross-platform"
    @unknown default: nil
    }
  }
}
#endif

extension ASAuthorizationPublicKeyCredentialUserVerificationPreference {
  fileprivate init(_ requirement: PasskeyRequirement) {
    self =
      switch requirement {
      case .required: .required
      case .preferred: .preferred
      case .discouraged: .discouraged
      }
  }
}

extension AuthenticationError {
  /// What the system says, without its words: they may name accounts.
  fileprivate static func platform(_ error: any Error) -> Self {
    guard let error = error as? ASAuthorizationError else { return .authenticatorFailed }
    var failure =
      switch error.code {
      case .canceled: AuthenticationError.cancelled
      case .failed: AuthenticationError.notAssociated
      case .matchedExcludedCredential: AuthenticationError.passkeyExists
      case .invalidResponse: AuthenticationError.malformedPasskeyResponse
      default:
        switch error.errorCode {
        // Named since iOS 26: preferSignInWithApple, deviceNotConfiguredForPasskeyCreation.
        case 1009: AuthenticationError.prefersApple
        case 1010: AuthenticationError.deviceNotConfigured
        default: AuthenticationError.authenticatorFailed
        }
      }
    failure.cause = Cause(domain: "ASAuthorizationError", code: error.errorCode)
    return failure
  }

  fileprivate static let unsupportedAlgorithms = Self(
    .unsupportedMethod, "The system creates ES256 passkeys, and the server does not accept those.",
    suggestion: "Add -7 to the server's pubKeyCredParams.")
  fileprivate static let noSuggestions = Self(
    .unsupportedMethod, "This system does not suggest passkeys for text fields of an app.",
    suggestion: "Ask with presentation: .modal.")
  private static let notAssociated = Self(
    .invalidConfiguration, "The system refused the request; mostly the app is not associated with the domain.",
    suggestion: "Add webcredentials:DOMAIN to the app's associated domains, and the app to webcredentials in "
      + "DOMAIN/.well-known/apple-app-site-association, which Apple's servers fetch up to a day late.")
  private static let prefersApple = Self(
    .authenticatorFailed, "The user wants to go on with Sign in with Apple instead of a passkey.",
    suggestion: "Start Sign in with Apple, or show it first.")
  private static let deviceNotConfigured = Self(
    .authenticatorFailed, "This device is not set up to keep passkeys.",
    suggestion: "Ask the user to set a passcode and to turn on iCloud Keychain or another app for passkeys.")
  private static let authenticatorFailed = Self(
    .authenticatorFailed, "The system could not ask for a passkey.",
    suggestion: "Ask while the app is in front and the anchor is in a window; a passcode must be set on the device.")
}
#endif
