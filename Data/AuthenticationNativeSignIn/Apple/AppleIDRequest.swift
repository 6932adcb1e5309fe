#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
import AuthenticationData
import AuthenticationDomain
import AuthenticationServices
import Foundation

extension NativeSignInRequest {
  /// Asks the system for an Apple Account.
  @MainActor
  func askApple(
    for scopes: [ASAuthorization.Scope], over fallback: @escaping @MainActor @Sendable () -> ASPresentationAnchor
  ) async throws(AuthenticationError) -> NativeSignInResponse {
    let request = ASAuthorizationAppleIDProvider().createRequest()
    request.requestedScopes = scopes
    request.nonce = nonce?.reveal()
    request.state = state
    let authorization = SystemAuthorization(
      over: { [anchor] in anchor?.window as? ASPresentationAnchor ?? fallback() }, describing: { .appleID($0) })
    return try await authorization.perform(request) { credential throws(AuthenticationError) in
      guard let credential = credential as? ASAuthorizationAppleIDCredential else { throw .unexpectedAnswer }
      return NativeSignInResponse(credential)
    }
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
