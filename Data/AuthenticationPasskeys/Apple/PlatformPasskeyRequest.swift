#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
import AuthenticationData
import AuthenticationDomain
import AuthenticationServices
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
#endif
