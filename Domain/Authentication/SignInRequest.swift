/// The credentials of a sign-in, and everything else that one call adds.
///
/// ```swift
/// let request = SignInRequest(.password(userName: name, password: Secret(typed)), attributes: ["captcha": token])
/// switch try await useCase.signIn(request) {
/// case .session(let session): greet(session.user)
/// case .challenge(let challenge): ask(challenge)
/// }
/// ```
///
/// A decorator that presents something else passes a copy on, which keeps everything else:
///
/// ```swift
/// struct DeviceNaming: AuthenticationUseCase {
///   let upstream: any AuthenticationUseCase
///
///   func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
///     var request = request
///     request.attributes["device"] = Secret("Ada's laptop")
///     return try await upstream.signIn(request)
///   }
/// }
/// ```
public struct SignInRequest: Sendable {
  /// The credentials, or a ``ChallengeAnswer`` to the challenge of an earlier request.
  public var credentials: any Credentials
  /// Further data of the app: a captcha token, a device's fingerprint, a header. The provider defines the names.
  public var attributes: [String: Secret]
  /// Whether the account is to be created.
  public let createsAccount: Bool
  /// The user of the current session, as a proof of their presence; nil for any other sign-in.
  public let reauthenticatedUser: User?
  /// Called with the session once it is accepted, before it is stored and published.
  package var onSession: @Sendable (AuthSession) -> Void = { _ in }

  /// Whether this call is a proof: a request without ``reauthenticatedUser`` that it makes would sign in another user.
  @TaskLocal static var isReauthenticating = false

  /// A sign-in.
  ///
  /// - Parameters:
  ///   - credentials: the user's credentials.
  ///   - attributes: further data of the app. By default nothing.
  ///   - createsAccount: whether the account is to be created. By default false.
  ///   - user: the user of the current session, if they prove that they are present: then only a session of the same
  ///     user becomes current. By default nil.
  public init(
    _ credentials: any Credentials, attributes: [String: Secret] = [:], createsAccount: Bool = false,
    reauthenticating user: User? = nil
  ) {
    self.credentials = credentials
    self.attributes = attributes
    self.createsAccount = createsAccount
    reauthenticatedUser = user
  }
}
