#if canImport(AuthenticationServices)
public import AuthenticationData
public import AuthenticationDomain
public import AuthenticationServices

/// Sign in with Apple by the system's sheet. The app needs the capability of that name.
///
/// ```swift
/// let apple = AppleIDAuthenticator { window }
/// await root.check(apple.check(storage: storage))
/// let revocations = NotificationCenter.default.notifications(
///   named: ASAuthorizationAppleIDProvider.credentialRevokedNotification)
/// for await _ in revocations { await root.check(apple.check(storage: storage)) }
/// ```
public struct AppleIDAuthenticator: NativeAuthenticator, NativeCredentialSource {
  private let scopes: [ASAuthorization.Scope]
  private let anchor: SystemAnchor

  #if os(watchOS)
  /// - Parameter scopes: the requested data about the user; it is returned once, at the first consent.
  public init(scopes: [ASAuthorization.Scope] = [.fullName, .email]) {
    self.scopes = scopes
    anchor = {}
  }
  #else
  /// - Parameters:
  ///   - scopes: the requested data about the user; it is returned once, at the first consent.
  ///   - anchor: the window over which to ask, called each time unless the attempt names one.
  public init(
    scopes: [ASAuthorization.Scope] = [.fullName, .email],
    anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
  ) {
    self.scopes = scopes
    self.anchor = anchor
  }
  #endif

  /// Shows the sheet.
  ///
  /// - Throws: ``AuthenticationError/cancelled`` if the user leaves (1001), and otherwise
  ///   ``AuthenticationError/authenticatorFailed`` with the system's number: 1000 is also the error of a device without
  ///   an Apple Account.
  public func signIn(_ request: NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials {
    try await request.askApple(for: scopes, over: anchor)
  }

  public func state(of vendorUserID: String) async throws(AuthenticationError) -> NativeCredentialState {
    do {
      return NativeCredentialState(
        try await ASAuthorizationAppleIDProvider().credentialState(forUserID: vendorUserID))
    } catch {
      throw .appleID(error)
    }
  }
}

extension NativeCredentialState {
  fileprivate init(_ state: ASAuthorizationAppleIDProvider.CredentialState) {
    self =
      switch state {
      case .authorized: .authorized
      case .revoked: .revoked
      case .notFound: .notFound
      case .transferred: .transferred
      @unknown default: .unknown
      }
  }
}
#endif

#if canImport(AuthenticationServices)
public import AuthenticationData
public import AuthenticationDomain
public import AuthenticationServices
import Foundation

extension NativeSignInRequest {
  /// Asks the system for an Apple Account.
  @MainActor
  func askApple(
    for scopes: [ASAuthorization.Scope], over fallback: @escaping SystemAnchor
  ) async throws(AuthenticationError) -> NativeCredentials {
    let request = ASAuthorizationAppleIDProvider().createRequest()
    request.requestedScopes = scopes
    request.nonce = nonce?.reveal()
    request.state = state
    #if os(watchOS)
    let over = fallback
    #else
    let over: SystemAnchor = { [anchor] in anchor?.window as? ASPresentationAnchor ?? fallback() }
    #endif
    let authorization = SystemAuthorization(over: over, describing: { .appleID($0) })
    return try await authorization.perform(request) { credential throws(AuthenticationError) in
      guard let credential = credential as? ASAuthorizationAppleIDCredential else { throw .unexpectedResponse }
      return NativeCredentials(credential)
    }
  }
}

extension NativeCredentials {
  fileprivate init(_ credential: ASAuthorizationAppleIDCredential) {
    self.init(
      method: .apple, identityToken: credential.identityToken.map { Secret(String(decoding: $0, as: UTF8.self)) },
      authorizationCode: credential.authorizationCode.map { Secret(String(decoding: $0, as: UTF8.self)) },
      vendorUserID: credential.user,
      name: credential.fullName.flatMap { UserName(given: $0.givenName, family: $0.familyName) },
      // A missing state is another one than was asked.
      email: credential.email, state: credential.state ?? "")
  }
}

extension AuthenticationError {
  /// The system's error, without its text, which may name accounts.
  static func appleID(_ error: any Error) -> Self {
    guard let error = error as? ASAuthorizationError else { return .appleIDFailed }
    return (error.code == .canceled ? AuthenticationError.cancelled : .appleIDFailed)
      .with(\.cause, Cause(domain: "ASAuthorizationError", code: error.errorCode))
  }

  private static let appleIDFailed = Self(
    .authenticatorFailed, "The system could not sign in with Apple.",
    suggestion: "Check that the app has the capability, and that the device has an Apple Account.")
}
#endif
