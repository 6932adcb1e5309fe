#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
import AuthenticationData
import AuthenticationDomain
import AuthenticationServices
import Foundation

/// One request to the system.
@MainActor
final class AppleIDRequest: NSObject {
  private let request: NativeSignInRequest
  private let scopes: [ASAuthorization.Scope]
  private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
  private var controller: ASAuthorizationController?
  private var caller: CheckedContinuation<Result<NativeSignInResponse, AuthenticationError>, Never>?

  init(
    _ request: NativeSignInRequest, asking scopes: [ASAuthorization.Scope],
    over anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
  ) {
    self.request = request
    self.scopes = scopes
    self.anchor = anchor
  }

  func perform() async throws(AuthenticationError) -> NativeSignInResponse {
    let appleRequest = ASAuthorizationAppleIDProvider().createRequest()
    appleRequest.requestedScopes = scopes
    appleRequest.nonce = request.nonce?.reveal()
    appleRequest.state = request.state
    let controller = ASAuthorizationController(authorizationRequests: [appleRequest])
    controller.delegate = self
    controller.presentationContextProvider = self
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        self.caller = caller
        guard !Task.isCancelled else { return answer(.failure(.cancelled)) }
        self.controller = controller
        controller.performRequests()
      }
    } onCancel: {
      Task { @MainActor in cancel() }
    }
    return try result.get()
  }

  private func cancel() {
    controller?.cancel()
    answer(.failure(.cancelled))
  }

  private func answer(_ result: Result<NativeSignInResponse, AuthenticationError>) {
    caller?.resume(returning: result)
    caller = nil
    controller = nil
  }
}

extension AppleIDRequest: ASAuthorizationControllerDelegate {
  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
  ) {
    guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else {
      return answer(.failure(.unexpectedAnswer))
    }
    answer(.success(NativeSignInResponse(credential)))
  }

  func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
    answer(.failure(.appleID(error)))
  }
}

extension AppleIDRequest: ASAuthorizationControllerPresentationContextProviding {
  func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
    request.anchor?.window as? ASPresentationAnchor ?? anchor()
  }
}

extension NativeSignInResponse {
  fileprivate init(_ credential: ASAuthorizationAppleIDCredential) {
    self.init(
      identityToken: credential.identityToken.map { Secret(String(decoding: $0, as: UTF8.self)) },
      // A missing state is another one than was asked.
      state: credential.state ?? "", vendorUserID: credential.user,
      authorizationCode: credential.authorizationCode.map { Secret(String(decoding: $0, as: UTF8.self)) },
      name: credential.fullName.flatMap { PersonName(given: $0.givenName, family: $0.familyName) },
      email: credential.email)
  }
}

extension AuthenticationError {
  /// What the system says, without its words: they may name accounts.
  static func appleID(_ error: any Error) -> Self {
    guard let error = error as? ASAuthorizationError else { return .appleIDFailed }
    var failure = error.code == .canceled ? AuthenticationError.cancelled : .appleIDFailed
    failure.cause = Cause(domain: "ASAuthorizationError", code: error.errorCode)
    return failure
  }

  private static let appleIDFailed = Self(
    .authenticatorFailed, "The system could not sign in with Apple.",
    suggestion: "Check that the app has the capability, and that the device has an Apple Account.")
}
#endif
