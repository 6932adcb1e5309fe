#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
import AuthenticationDomain
import AuthenticationServices
import Foundation

/// One request to the system; a new one ends the one before it, since the system refuses a second.
@MainActor
final class PlatformPasskeyRequest: NSObject {
  private static weak var latest: PlatformPasskeyRequest?

  private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
  /// Every passkey of the system can be found without its id; nil if the server did not ask.
  private var isDiscoverable: Bool?
  private var controller: ASAuthorizationController?
  private var caller: CheckedContinuation<Result<PlatformPasskeyResponse, AuthenticationError>, Never>?

  init(_ anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) { self.anchor = anchor }

  func registration(
    _ options: PasskeyCreationOptions, of relyingPartyID: String
  ) async throws(AuthenticationError) -> PasskeyRegistration {
    let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingPartyID)
    let request = provider.createCredentialRegistrationRequest(
      challenge: options.challenge, name: options.userName, userID: options.userID)
    request.displayName = options.userDisplayName
    request.userVerificationPreference = .init(options.userVerification)
    request.excludedCredentials = options.excludedCredentials.map { .init(credentialID: $0.id) }
    isDiscoverable = options.asksForProperties ? true : nil
    guard case .registration(let registration) = try await perform(request, .modal) else {
      throw .malformedPasskeyResponse
    }
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
    _ request: ASAuthorizationRequest, _ presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PlatformPasskeyResponse {
    let controller = ASAuthorizationController(authorizationRequests: [request])
    controller.delegate = self
    controller.presentationContextProvider = self
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        self.caller = caller
        guard !Task.isCancelled else { return answer(.failure(.cancelled)) }
        Self.latest?.cancel()
        Self.latest = self
        self.controller = controller
        start(controller, presentation)
      }
    } onCancel: {
      Task { @MainActor in cancel() }
    }
    return try result.get()
  }

  private func start(_ controller: ASAuthorizationController, _ presentation: PasskeyPresentation) {
    switch presentation {
    case .modal: controller.performRequests()
    case .autofill:
      #if os(macOS)
      answer(.failure(.noSuggestions))
      #else
      controller.performAutoFillAssistedRequests()
      #endif
    }
  }

  private func cancel() {
    controller?.cancel()
    answer(.failure(.cancelled))
  }

  private func answer(_ result: Result<PlatformPasskeyResponse, AuthenticationError>) {
    caller?.resume(returning: result)
    caller = nil
    controller = nil
  }
}

extension PlatformPasskeyRequest: ASAuthorizationControllerDelegate {
  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
  ) {
    do throws(AuthenticationError) {
      answer(.success(try PlatformPasskeyResponse(authorization.credential, isDiscoverable: isDiscoverable)))
    } catch {
      answer(.failure(error))
    }
  }

  func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
    answer(.failure(.platform(error)))
  }
}

extension PlatformPasskeyRequest: ASAuthorizationControllerPresentationContextProviding {
  func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { anchor() }
}
#endif
