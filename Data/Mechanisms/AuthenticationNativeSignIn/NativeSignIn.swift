public import AuthenticationData
public import AuthenticationDomain
import Foundation

/// Obtains credentials from a vendor's sheet: a new nonce for each attempt, checked on return.
///
/// A ``AuthenticationDomain/SignInProcess`` does this for an attempt; use it directly to link a vendor to an account:
///
/// ```swift
/// let credentials = try await nativeSignIn.credentials(over: anchor)
/// try await root.manager.account.perform(.link(credentials))
/// nativeSignIn.accepted(credentials, as: user)
/// ```
public struct NativeSignIn: Sendable {
  /// The vendor's method.
  let method: SignInMethod
  private let authenticator: any NativeAuthenticator
  private let nonce: NativeNonce
  private let users: NativeUsers?
  private let randomBytes: @Sendable (_ count: Int) -> [UInt8]

  /// Composes the sign-in with a vendor.
  ///
  /// - Parameters:
  ///   - method: whose credentials it makes.
  ///   - authenticator: shows the vendor's sheet.
  ///   - nonce: the form in which the vendor gets it.
  ///   - storage: keeps the data that a vendor returns once, until the provider has accepted it; nil for a vendor that
  ///     returns it each time.
  ///   - randomBytes: where nonces come from; nil for the system's generator.
  public init(
    _ method: SignInMethod, by authenticator: any NativeAuthenticator, nonce: NativeNonce = .hashed,
    storage: (any SecureStorage)? = nil, randomBytes: (@Sendable (_ count: Int) -> [UInt8])? = nil
  ) {
    self.method = method
    self.authenticator = authenticator
    self.nonce = nonce
    users = storage.map { NativeUsers($0, of: method) }
    self.randomBytes = randomBytes ?? AuthProviderConfiguration.Environment.systemRandomBytes
  }

  /// Shows the sheet. A name and an address that the vendor returned before, and no provider has accepted since, are
  /// added.
  ///
  /// - Throws: ``AuthenticationError/cancelled``, ``AuthenticationError/security`` if the response belongs to
  ///   another request, and the errors of the authenticator.
  public func credentials(over anchor: PresentationAnchor?) async throws(AuthenticationError) -> NativeCredentials {
    let raw = Secret(Data(randomBytes(32)).base64URL)
    let request = NativeSignInRequest(
      nonce: nonce.applied(to: raw), state: Data(randomBytes(16)).base64URL, anchor: anchor)
    var credentials = try await authenticator.signIn(request)
    // From here to the write nothing may wait: data that is returned once must survive the process.
    try request.check(credentials)
    users?.remember(&credentials)
    credentials.method = method
    // A code leads to an identity token, an access token alone does not.
    let isBound = request.nonce != nil && (credentials.identityToken != nil || credentials.accessToken == nil)
    credentials.rawNonce = isBound ? raw : nil
    return credentials
  }

  /// Deletes the data that the vendor returned once: the provider has it. The account of the user stays, for
  /// ``NativeCredentialSource/check(of:storage:)``.
  ///
  /// - Parameters:
  ///   - credentials: the presented ones; anything but ``NativeCredentials`` stands for the latest user.
  ///   - user: whose account it is at the provider.
  public func accepted(_ credentials: any Credentials, as user: User) {
    users?.accept((credentials as? NativeCredentials)?.vendorUserID, as: user)
  }

  /// Forgets the vendor's user of this account.
  public func forget(_ user: User) { users?.forget(user) }
}

extension SignInProcess {
  /// Sign in with Apple by the system's sheet; the provider, or the app's backend, verifies the token.
  ///
  /// The user's name and address come once, at the first consent: they are kept in `storage` until the provider has
  /// accepted them, and an attempt of the same user presents them again.
  ///
  /// ```swift
  /// options.methods = [.password, .apple(AppleIDAuthenticator { window }, storage: KeychainStorage(service: "app"))]
  /// ```
  ///
  /// - Parameters:
  ///   - authenticator: shows the sheet.
  ///   - storage: the app's own; not the session's.
  public static func apple(_ authenticator: any NativeAuthenticator, storage: any SecureStorage) -> Self {
    native(NativeSignIn(.apple, by: authenticator, storage: storage))
  }

  /// Google, by the vendor's SDK, which the app links.
  ///
  /// ```swift
  /// let google = SignInProcess.google { request throws(AuthenticationError) in
  ///   try await signInWithGoogle(nonce: request.nonce?.reveal(), over: request.anchor)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - nonce: the form in which the SDK gets it: hashed, as most backends compare it. A version of the
  ///     SDK without one needs ``NativeNonce/unsupported``.
  ///   - forget: erases the SDK's memory of the user, after a sign-out.
  ///   - signIn: asks the SDK; a user who leaves is ``AuthenticationError/cancelled``.
  public static func google(
    nonce: NativeNonce = .hashed,
    forget: @escaping @Sendable (User) async throws(AuthenticationError) -> Void = { _ throws(AuthenticationError) in },
    signIn: @escaping @Sendable (NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials
  ) -> Self { native(NativeSignIn(.google, by: NativeClosure(ask: signIn), nonce: nonce), forget: forget) }

  /// Facebook, by the vendor's SDK, which the app links: an identity token (Limited Login), or an access token if the
  /// user allowed tracking.
  ///
  /// - Parameters:
  ///   - forget: erases the SDK's memory of the user, after a sign-out.
  ///   - signIn: asks the SDK; a user who leaves is ``AuthenticationError/cancelled``.
  public static func facebook(
    forget: @escaping @Sendable (User) async throws(AuthenticationError) -> Void = { _ throws(AuthenticationError) in },
    signIn: @escaping @Sendable (NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials
  ) -> Self {
    native(NativeSignIn(.facebook, by: NativeClosure(ask: signIn), nonce: .plain), forget: forget)
  }

  /// Any vendor's own sheet.
  ///
  /// - Parameters:
  ///   - signIn: shows the sheet, and makes credentials of the vendor's result.
  ///   - forget: erases the vendor's SDK's memory of the user, after a sign-out.
  public static func native(
    _ signIn: NativeSignIn,
    forget: @escaping @Sendable (User) async throws(AuthenticationError) -> Void = { _ throws(AuthenticationError) in }
  ) -> Self {
    Self(
      signIn.method, accepted: { signIn.accepted($0, as: $1) },
      forget: { user throws(AuthenticationError) in
        signIn.forget(user)
        try await forget(user)
      },
      credentials: { context throws(AuthenticationError) in
        try await signIn.credentials(over: context.input.anchor)
      })
  }
}

/// An app's closure around a vendor's SDK.
private struct NativeClosure: NativeAuthenticator {
  let ask: @Sendable (NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials

  func signIn(_ request: NativeSignInRequest) async throws(AuthenticationError) -> NativeCredentials {
    try await ask(request)
  }
}

/// In which form a vendor gets the nonce of an attempt. The server that verifies the token gets it raw.
public enum NativeNonce: Sendable {
  /// The lower-case hexadecimal SHA-256 of it: Apple, and most backends that verify its tokens.
  case hashed
  /// As it is: Facebook.
  case plain
  /// Not at all: an SDK that takes none. A token that was stolen elsewhere cannot be distinguished from the user's
  /// then.
  case unsupported

  func applied(to raw: Secret) -> Secret? {
    switch self {
    case .hashed: Secret(PublicSHA256.hexadecimal(raw.reveal().utf8))
    case .plain: raw
    case .unsupported: nil
    }
  }
}

extension NativeSignInRequest {
  /// Refuses a response to another request. This is an early check: the server verifies the token.
  func check(_ credentials: NativeCredentials) throws(AuthenticationError) {
    if let state = credentials.state, state != self.state {
      throw .refused(by: .state, "The vendor's sheet responded to another request.")
    }
    guard let token = credentials.identityToken, !token.isEmpty else { return }
    guard let claims = JSONMembers(unverified: token) else {
      throw .refused(by: .idToken, "The vendor's identity token is not a JWT.")
    }
    if let id = credentials.vendorUserID, let subject = claims["sub"], !subject.isSame(as: id) {
      throw .refused(by: .subject, "The vendor's identity token is about another user than its response.")
    }
    guard let nonce else { return }
    let isExcused = claims.values["nonce"] == nil && claims.flag("nonce_supported") == false
    guard isExcused || claims["nonce"].isSame(as: nonce.reveal()) else {
      throw .refused(by: .nonce, "The vendor's identity token does not have the nonce of this attempt.")
    }
  }
}

/// Reads a vendor's report, on this device, about a user who signed in with it.
///
/// ``AppleIDAuthenticator`` is one. ``check(of:storage:)`` makes the check for `MainRoot.check(_:)` from it, with the
/// vendor's id of the user out of the storage.
///
/// ### Implement a source
///
/// ```swift
/// struct BadgeOffice: NativeCredentialSource {
///   func state(of vendorUserID: String) async throws(AuthenticationError) -> NativeCredentialState {
///     try vault.read() == nil ? .revoked : .authorized
///   }
/// }
/// ```
///
/// ### Errors
///
/// Throw if the vendor cannot be asked now: the check then has no state, and the session is kept. Never return
/// ``NativeCredentialState/revoked`` for an outage, since it signs the user out.
public protocol NativeCredentialSource: Sendable {
  /// Asks the vendor for the state of one of its users.
  ///
  /// - Parameter vendorUserID: the user at the vendor.
  /// - Throws: ``AuthenticationError`` if the vendor cannot be asked now.
  func state(of vendorUserID: String) async throws(AuthenticationError) -> NativeCredentialState
}

extension NativeCredentialSource {
  /// Asks the vendor about the account that is signed in; `MainRoot.check(_:)` acts on the result.
  ///
  /// - Parameters:
  ///   - method: the one that the user signed in with.
  ///   - storage: the one that the method's process was given.
  public func check(of method: SignInMethod = .apple, storage: any SecureStorage) -> any CredentialCheck {
    NativeCredentialCheck(source: self, users: NativeUsers(storage, of: method))
  }
}

private struct NativeCredentialCheck: CredentialCheck {
  let source: any NativeCredentialSource
  let users: NativeUsers

  func state(of user: User) async -> NativeCredentialState? {
    guard let id = users.vendorUserID(of: user) else { return nil }
    return try? await source.state(of: id)
  }

  func forget(_ user: User) { users.forget(user) }
}
