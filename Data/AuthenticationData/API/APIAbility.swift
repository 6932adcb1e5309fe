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
  /// What a response, of any status, comes to, and the refusal of one that refuses. A response for which it is nil is
  /// classified by its status alone; `401` counts as ``AuthenticationError/Code/accessTokenRefused``.
  public var outcome: @Sendable (HTTPResponse, Input) throws(AuthenticationError) -> Output?

  /// A service whose responses mean something only together with what was sent: the next step of an attempt, for
  /// example, which goes on with the handle of the last one.
  public init(
    request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest,
    outcome: @escaping @Sendable (HTTPResponse, Input) throws(AuthenticationError) -> Output?
  ) {
    self.request = request
    self.outcome = outcome
  }

  /// A service whose responses mean the same whatever was sent.
  ///
  /// - Parameters:
  ///   - request: what is sent.
  ///   - refusal: returns an error if a response, of any status, is a refusal; else nil.
  ///   - exception: returns a result of a response outside 2xx, such as a step that is asked; else nil.
  ///   - map: maps a response in 2xx.
  public init(
    request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest,
    refusal: @escaping @Sendable (HTTPResponse) -> AuthenticationError? = { _ in nil },
    exception: @escaping @Sendable (HTTPResponse) -> Output? = { _ in nil },
    map: @escaping @Sendable (HTTPResponse) throws(AuthenticationError) -> Output
  ) {
    self.init(request: request) { response, _ throws(AuthenticationError) in
      if let refusal = refusal(response) { throw refusal }
      return response.isSuccess ? try map(response) : exception(response)
    }
  }
}
