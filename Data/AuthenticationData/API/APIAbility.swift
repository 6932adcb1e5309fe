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
  /// What is sent, for the session in use; nil if no user is signed in.
  public var request: @Sendable (Input, AuthSession?) throws(AuthenticationError) -> APIRequest
  /// What a response, of any status, comes to, and the refusal of one that refuses. A response for which it is nil is
  /// classified by its status alone; `401` counts as ``AuthenticationError/Code/accessTokenRefused``.
  public var outcome: @Sendable (HTTPResponse, Input, AuthSession?) throws(AuthenticationError) -> Output?

  /// A service whose responses mean something only together with what was sent: the next step of an attempt, for
  /// example, which goes on with the handle of the last one.
  public init(
    request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest,
    outcome: @escaping @Sendable (HTTPResponse, Input) throws(AuthenticationError) -> Output?
  ) {
    self.init { input, _ throws(AuthenticationError) in
      try request(input)
    } outcome: { response, input, _ throws(AuthenticationError) in
      try outcome(response, input)
    }
  }

  /// The same for a service that also depends on the session: a body with the user's name, for example, or a list in which
  /// one session is this one. For the user's id a path says `{user}`.
  public init(
    request: @escaping @Sendable (Input, AuthSession?) throws(AuthenticationError) -> APIRequest,
    outcome: @escaping @Sendable (HTTPResponse, Input, AuthSession?) throws(AuthenticationError) -> Output?
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

extension APIAbility where Output == Void {
  /// A service that is done with any response in 2xx; ``APIContract/refusals`` say what others mean.
  ///
  /// ```swift
  /// contract.account.deleteAccount = .sending { _ in APIRequest(.delete, "users/{user}") }
  /// ```
  public static func sending(
    _ request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest
  ) -> Self {
    Self(request: request) { _ throws(AuthenticationError) in }
  }

  /// The same for a request that also depends on the session.
  public static func sending(
    _ request: @escaping @Sendable (Input, AuthSession?) throws(AuthenticationError) -> APIRequest
  ) -> Self {
    Self(request: request) { response, _, _ throws(AuthenticationError) in response.isSuccess ? () : nil }
  }
}

extension APIAbility where Output == AccountStep {
  /// A service that is done with any response in 2xx; ``APIContract/refusals`` say what others mean.
  ///
  /// ```swift
  /// contract.account.changePassword = .sending {
  ///   APIRequest(.patch, "users/{user}", body: ["old": $0.old.reveal(), "new": $0.new.reveal()])
  /// }
  /// ```
  public static func sending(
    _ request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest
  ) -> Self {
    Self(request: request) { _ throws(AuthenticationError) in .done }
  }

  /// The same for a request that also depends on the session.
  public static func sending(
    _ request: @escaping @Sendable (Input, AuthSession?) throws(AuthenticationError) -> APIRequest
  ) -> Self {
    Self(request: request) { response, _, _ throws(AuthenticationError) in response.isSuccess ? .done : nil }
  }
}
