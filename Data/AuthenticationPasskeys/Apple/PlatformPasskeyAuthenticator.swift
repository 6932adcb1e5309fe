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
  /// - Throws: ``AuthenticationError/invalidConfiguration`` if the app is not associated with the domain.
  public func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    guard options.algorithms.contains(-7) else { throw .unsupportedAlgorithms }
    let relyingPartyID = try options.relyingPartyID.orInvalid
    return try await PlatformPasskeyRequest(anchor).registration(options, of: relyingPartyID)
  }

  /// Signs in the system's sheet, or with a suggestion for a text field whose content type is a user name.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration`` if the app is not associated with the domain, and
  ///   ``AuthenticationError/unsupportedMethod`` for suggestions on macOS.
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

#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
import AuthenticationData
public import AuthenticationDomain
public import AuthenticationServices
import Foundation

/// One request to the system; a new one ends the one before it, since the system refuses a second.
@MainActor
struct PlatformPasskeyRequest {
  private static weak var latest: SystemAuthorization?

  private let authorization: SystemAuthorization

  init(_ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
    authorization = SystemAuthorization(over: anchor, describing: { .platform($0) })
  }

  func registration(
    _ options: PasskeyCreationOptions, of relyingPartyID: String
  ) async throws(AuthenticationError) -> PasskeyRegistration {
    let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingPartyID)
    let request = provider.createCredentialRegistrationRequest(
      challenge: options.challenge, name: options.userName, userID: options.userID)
    request.displayName = options.userDisplayName
    request.userVerificationPreference = .init(options.userVerification)
    request.excludedCredentials = options.excludedCredentials.map { .init(credentialID: $0.id) }
    // Every passkey of the system can be found without its id; nil if the server did not ask.
    let response = try await perform(request, .modal, isDiscoverable: options.asksForProperties ? true : nil)
    guard case .registration(let registration) = response else { throw .malformedPasskeyResponse }
    return registration
  }

  func assertion(
    _ options: PasskeyRequestOptions, of relyingPartyID: String, _ presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingPartyID)
    let request = provider.createCredentialAssertionRequest(challenge: options.challenge)
    request.userVerificationPreference = .init(options.userVerification)
    request.allowedCredentials = options.allowedCredentials.map { .init(credentialID: $0.id) }
    guard case .assertion(let assertion) = try await perform(request, presentation) else {
      throw .malformedPasskeyResponse
    }
    return assertion
  }

  private func perform(
    _ request: ASAuthorizationRequest, _ presentation: PasskeyPresentation, isDiscoverable: Bool? = nil
  ) async throws(AuthenticationError) -> PlatformPasskeyResponse {
    #if os(macOS) || targetEnvironment(macCatalyst)
    if case .autofill = presentation { throw .noSuggestions }
    #endif
    return try await authorization.perform(request) { controller in
      Self.latest?.cancel()
      Self.latest = authorization
      #if !os(macOS) && !targetEnvironment(macCatalyst)
      if case .autofill = presentation { return controller.performAutoFillAssistedRequests() }
      #endif
      controller.performRequests()
    } reading: { credential throws(AuthenticationError) in
      try PlatformPasskeyResponse(credential, isDiscoverable: isDiscoverable)
    }
  }
}

/// What the system returns for a request of ours.
enum PlatformPasskeyResponse: Sendable {
  case registration(PasskeyRegistration)
  case assertion(PasskeyAssertion)

  init(_ credential: any ASAuthorizationCredential, isDiscoverable: Bool?) throws(AuthenticationError) {
    switch credential {
    case let credential as ASAuthorizationPlatformPublicKeyCredentialRegistration:
      guard let object = credential.rawAttestationObject else { throw .malformedPasskeyResponse }
      let isHere = credential.attachment == .platform
      self = .registration(
        try PasskeyRegistration(
          credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
          attestationObject: object, attachment: credential.attachment.name,
          transports: isHere ? ["hybrid", "internal"] : ["hybrid"], isDiscoverable: isDiscoverable))
    case let credential as ASAuthorizationPlatformPublicKeyCredentialAssertion:
      guard let data = credential.rawAuthenticatorData, let signature = credential.signature else {
        throw .malformedPasskeyResponse
      }
      self = .assertion(
        try PasskeyAssertion(
          credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
          authenticatorData: data, signature: signature, userHandle: credential.userID,
          attachment: credential.attachment.name))
    default: throw .malformedPasskeyResponse
    }
  }
}

extension ASAuthorizationPublicKeyCredentialAttachment {
  fileprivate var name: String? {
    switch self {
    case .platform: "platform"
    case .crossPlatform: "cross-platform"
    @unknown default: nil
    }
  }
}

extension ASAuthorizationPublicKeyCredentialUserVerificationPreference {
  init(_ requirement: PasskeyRequirement) {
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
  static func platform(_ error: any Error) -> Self {
    guard let error = error as? ASAuthorizationError else { return .authenticatorFailed }
    var failure =
      switch error.code {
      case .canceled: AuthenticationError.cancelled
      case .failed: AuthenticationError.notAssociated
      case .matchedExcludedCredential: AuthenticationError.passkeyExists
      case .invalidResponse: AuthenticationError.malformedPasskeyResponse
      default: AuthenticationError.authenticatorFailed
      }
    failure.cause = Cause(domain: "ASAuthorizationError", code: error.errorCode)
    return failure
  }

  static let noSuggestions = Self(
    .unsupportedMethod, "This system does not suggest passkeys for text fields of an app.",
    suggestion: "Ask with presentation: .modal.")

  private static let notAssociated = Self(
    .invalidConfiguration, "The system refused the request; mostly the app is not associated with the domain.",
    suggestion: "Add webcredentials:DOMAIN to the app's associated domains, and the app to webcredentials in "
      + "DOMAIN/.well-known/apple-app-site-association, which Apple's servers fetch up to a day late.")
  private static let authenticatorFailed = Self(
    .authenticatorFailed, "The system could not ask for a passkey.",
    suggestion: "Ask while the app is in front and the anchor is in a window; a passcode must be set on the device.")
}
#endif
