public import AuthenticationDomain

/// One account service of an app's own backend, as a value: what is sent, and what the response means.
///
/// ```swift
/// contract.account.changePassword = APIAbility(
///   request: { change in
///     APIRequest(.put, "account/password", body: ["old": change.old.reveal(), "new": change.new.reveal()])
///   },
///   refusal: { $0.status == 422 ? .weakPassword() : nil },
///   map: { _ in .done })
/// ```
public struct APIAbility<Input: Sendable, Output: Sendable>: Sendable {
  /// What is sent.
  public var request: @Sendable (Input) throws(AuthenticationError) -> APIRequest
  /// Returns an error if a response, of any status, is a refusal; else nil.
  public var refusal: @Sendable (HTTPResponse) -> AuthenticationError?
  /// Returns a result of a response outside 2xx, such as a step that is asked; else nil.
  public var exception: @Sendable (HTTPResponse) -> Output?
  /// Maps a response in 2xx.
  public var map: @Sendable (HTTPResponse) throws(AuthenticationError) -> Output

  /// A service; a response outside 2xx is classified as any other one unless it is a refusal or an exception. `401`
  /// counts as ``AuthenticationError/Code/accessTokenRefused``.
  public init(
    request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest,
    refusal: @escaping @Sendable (HTTPResponse) -> AuthenticationError? = { _ in nil },
    exception: @escaping @Sendable (HTTPResponse) -> Output? = { _ in nil },
    map: @escaping @Sendable (HTTPResponse) throws(AuthenticationError) -> Output
  ) {
    self.request = request
    self.refusal = refusal
    self.exception = exception
    self.map = map
  }
}
