// watchOS has no passkeys.
#if canImport(AuthenticationServices) && !os(watchOS)
import AuthenticationAccount
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
    try await register(options) { _ in }
  }

  /// Creates a passkey without a sheet, if the app that keeps the user's passwords has just filled in the one of the same
  /// user name, and its user has not turned that off; else it throws, and nothing is shown. A field's suggestions end.
  ///
  /// - Throws: ``AuthenticationError/unsupportedMethod`` on tvOS, and as ``register(_:)`` does.
  @MainActor
  public func registerConditionally(
    _ options: PasskeyCreationOptions
  ) async throws(AuthenticationError) -> PasskeyRegistration {
    #if os(tvOS)
    throw .notConditionally
    #else
    try await register(options) { $0.requestStyle = .conditional }
    #endif
  }

  @MainActor
  private func register(
    _ options: PasskeyCreationOptions,
    configuring configure: (ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest) -> Void
  ) async throws(AuthenticationError) -> PasskeyRegistration {
    guard options.algorithms.contains(-7) else { throw .unsupportedAlgorithms }
    let request = try provider(for: options.relyingPartyID).createCredentialRegistrationRequest(
      challenge: options.challenge, name: options.userName, userID: options.userID)
    configure(request)
    request.displayName = options.userDisplayName
    request.userVerificationPreference = .init(options.userVerification)
    #if !os(tvOS) && !os(visionOS)
    request.excludedCredentials = options.excludedCredentials.map { .init(credentialID: $0.id) }
    #endif
    // Every passkey of the system can be found without its id; nil if the server did not ask.
    let isDiscoverable = options.asksForProperties ? true : nil
    return try await perform(request, .modal) { credential throws(AuthenticationError) in
      try PasskeyRegistration(credential, isDiscoverable: isDiscoverable)
    }
  }

  /// Asks for a new account in the system's sheet, from iOS, macOS and visionOS 26 on. It asks for the first of the contacts
  /// that the user has; its name and address are not verified.
  ///
  /// - Throws: ``AuthenticationError/unsupportedMethod`` on earlier systems and tvOS, and as ``register(_:)`` does.
  @MainActor
  public func createAccount(
    _ options: PasskeyCreationOptions, contacts: [SignInMethod.Need], asksForName: Bool
  ) async throws(AuthenticationError) -> NewPasskeyAccount {
    #if !os(tvOS)
    if #available(iOS 26, macOS 26, visionOS 26, *) {
      guard options.algorithms.contains(-7) else { throw .unsupportedAlgorithms }
      let isDiscoverable = options.asksForProperties ? true : nil
      let request = ASAuthorizationAccountCreationProvider().createPlatformPublicKeyCredentialRegistrationRequest(
        acceptedContactIdentifiers: contacts.compactMap(ASContactIdentifierRequest.init),
        shouldRequestName: asksForName, relyingPartyIdentifier: try domain(options.relyingPartyID),
        challenge: options.challenge, userID: options.userID)
      return try await perform(request, .modal) { credential throws(AuthenticationError) in
        guard let account = credential as? ASAuthorizationAccountCreationPlatformPublicKeyCredential else {
          throw .malformedPasskeyResponse
        }
        return NewPasskeyAccount(
          registration: try PasskeyRegistration(account.credentialRegistration, isDiscoverable: isDiscoverable),
          address: AccountAddress(account.contactIdentifier),
          name: account.name.flatMap { UserName(given: $0.givenName, family: $0.familyName) })
      }
    }
    #endif
    throw .noAccountSheet
  }

  /// Tells all apps on the device that keep passkeys, from iOS, macOS and visionOS 26 on; earlier systems and tvOS are told
  /// nothing.
  public func signal(_ signal: PasskeySignal, relyingPartyID: String) async throws(AuthenticationError) {
    #if !os(tvOS)
    do {
      // The SDK of Xcode 26.2 has the class that replaces the one of 26.0.
      #if compiler(>=6.2.3)
      if #available(iOS 26.2, macOS 26.2, visionOS 26.2, *) {
        let manager = ASCredentialDataManager()
        switch signal {
        case .unknown(let id):
          return try await manager.reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: relyingPartyID, credentialID: id)
        case .accepted(let ids, let user):
          return try await manager.reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: relyingPartyID, userHandle: user, acceptedCredentialIDs: ids)
        case .details(let name, _, let user):
          return try await manager.reportPublicKeyCredentialUpdate(
            relyingPartyIdentifier: relyingPartyID, userHandle: user, newName: name)
        }
      }
      #endif
      if #available(iOS 26, macOS 26, visionOS 26, *) {
        let updater = ASCredentialUpdater()
        switch signal {
        case .unknown(let id):
          try await updater.reportUnknownPublicKeyCredential(relyingPartyIdentifier: relyingPartyID, credentialID: id)
        case .accepted(let ids, let user):
          try await updater.reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: relyingPartyID, userHandle: user, acceptedCredentialIDs: ids)
        case .details(let name, _, let user):
          try await updater.reportPublicKeyCredentialUpdate(
            relyingPartyIdentifier: relyingPartyID, userHandle: user, newName: name)
        }
      }
    } catch {
      throw .platform(error)
    }
    #endif
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
    ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: try domain(relyingPartyID))
  }

  private func domain(_ relyingPartyID: String?) throws(AuthenticationError) -> String {
    guard let relyingPartyID else {
      throw AuthenticationError(
        .invalidRequest, "The options name no domain.", suggestion: "Ask through checking(relyingPartyID:).")
    }
    return relyingPartyID
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

extension PasskeyRegistration {
  @MainActor
  fileprivate init(
    _ credential: any ASAuthorizationCredential, isDiscoverable: Bool?
  ) throws(AuthenticationError) {
    guard let credential = credential as? ASAuthorizationPlatformPublicKeyCredentialRegistration,
      let object = credential.rawAttestationObject
    else { throw .malformedPasskeyResponse }
    #if os(tvOS)
    let attachment: String? = nil
    #else
    let attachment = credential.attachment.name
    #endif
    try self.init(
      credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
      attestationObject: object, attachment: attachment,
      transports: attachment == "platform" ? ["hybrid", "internal"] : ["hybrid"], isDiscoverable: isDiscoverable)
  }
}

#if !os(tvOS)
@available(iOS 26, macOS 26, visionOS 26, *)
extension ASContactIdentifierRequest {
  fileprivate init?(_ field: SignInMethod.Need) {
    switch field {
    case .emailAddress: self = .email
    case .phoneNumber: self = .phoneNumber
    default: return nil
    }
  }
}

@available(iOS 26, macOS 26, visionOS 26, *)
extension AccountAddress {
  fileprivate init?(_ contact: ASContactIdentifier) {
    switch contact {
    case .email(let address): self = .email(address.value)
    case .phoneNumber(let number): self = .phone(number.value)
    @unknown default: return nil
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
  /// The system's error, without its text, which may name accounts.
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
  #if os(tvOS)
  fileprivate static let notConditionally = Self(
    .unsupportedMethod, "tvOS creates no passkey without asking the user.",
    suggestion: "Offer to create one.")
  #endif
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
