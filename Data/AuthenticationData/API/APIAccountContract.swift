public import AuthenticationDomain

/// The account services of an app's own backend; what is nil is not offered.
public struct APIAccountContract: Sendable {
  /// A change of a password.
  public struct PasswordChange: Sendable {
    /// The password so far.
    public let old: Secret
    /// The password from now on.
    public let new: Secret
  }

  /// Sends a code or a link to the account's address; the input is what the person typed.
  public var resetPassword: APIAbility<String, AccountStep>?
  /// Changes the password.
  public var changePassword: APIAbility<PasswordChange, AccountStep>?
  /// Returns the credentials that sign in after a change of the password, if that ends all tokens; nil, as by default,
  /// keeps the tokens. If that sign-in fails, the password is changed all the same, and the session ends with its tokens.
  public var credentialsAfterChange: (@Sendable (PasswordChange, AuthSession) -> (any Credentials)?)?
  /// Changes or verifies an address.
  public var verify: APIAbility<AccountAddress, AccountStep>?
  /// Goes on with a service that asked for a step; by default the answer goes where it goes at a sign-in.
  public var answer: APIAbility<ChallengeAnswer, AccountStep>?
  /// Lists the linked methods.
  public var linkedMethods: APIAbility<Void, [LinkedMethod]>?
  /// Adds a method; returns the session from now on, if it changes.
  public var link: APIAbility<any Credentials, AccountStep>?
  /// Removes a method.
  public var unlink: APIAbility<LinkedMethod, Void>?
  /// Lists second factors and passkeys.
  public var factors: APIAbility<Void, [EnrolledFactor]>?
  /// Begins to add one.
  public var enrol: APIAbility<Challenge.Kind, AccountStep>?
  /// Removes one.
  public var removeFactor: APIAbility<EnrolledFactor, Void>?
  /// Lists the sessions.
  public var sessions: APIAbility<Void, [RemoteSession]>?
  /// Ends one.
  public var endSession: APIAbility<RemoteSession, Void>?
  /// Deletes the account.
  public var deleteAccount: APIAbility<Void, Void>?
  /// Changes the profile; what is known of the person is read from ``APIContract/userPath``.
  public var update: APIAbility<ProfileChanges, User>?

  /// The step that a response asks for before the service is done, and whose answer goes with the same request when it is
  /// sent again (user-interactive authentication of Matrix, sudo-style services); nil, as by default, if it asks for none.
  /// If ``APIContract/refusals`` know the response, it is a refusal: of the answer, where the request had one.
  public var mapProof: @Sendable (HTTPResponse) -> Challenge? = { _ in nil }
  /// Adds the answer to ``mapProof`` to the request of a service.
  ///
  /// ```swift
  /// contract.account.addProof = { request, answer, _ throws(AuthenticationError) in
  ///   var request = request
  ///   request.headers["X-Sudo-Password"] = answer.typed
  ///   return request
  /// }
  /// ```
  public var addProof: (@Sendable (APIRequest, ChallengeAnswer, AuthSession) throws(AuthenticationError) -> APIRequest)?

  /// Whether a response to an account service refuses the access token, after which the session is refreshed and the
  /// service asked once more; by default 401 does. Not asked about a response that a service has an outcome for.
  public var refusesAccessToken: @Sendable (HTTPResponse) -> Bool = { $0.status == 401 }

  /// Offers nothing.
  public init() {}

  var abilities: Set<AccountAbility> {
    var abilities: Set<AccountAbility> = [.profile]
    if resetPassword != nil { abilities.insert(.resetPassword) }
    if changePassword != nil { abilities.insert(.changePassword) }
    if verify != nil { abilities.insert(.verify) }
    if linkedMethods != nil || link != nil { abilities.insert(.link) }
    if factors != nil { abilities.insert(.factors) }
    if sessions != nil { abilities.insert(.sessions) }
    if deleteAccount != nil { abilities.insert(.delete) }
    return abilities
  }
}
