public import AuthenticationData
public import AuthenticationDomain
import Foundation

/// The account services of a JSON backend.
///
/// ```swift
/// var contract = APIAccountContract()
/// contract.abilities = [.profile, .changePassword, .delete]
/// contract.change = { change, _ in
///   switch change {
///   case .changePassword(let old, let new):
///     .sending(APIRequest(.patch, "users/{user}", body: ["old": old.reveal(), "new": new.reveal()]))
///   case .deleteAccount: .sending(APIRequest(.delete, "users/{user}"))
///   default: nil
///   }
/// }
/// ```
public struct APIAccountContract: Sendable {
  /// The services that the backend offers: list here those that ``change`` and the lists describe; a call without one
  /// throws ``AuthenticationError/unsupportedMethod``. ``AccountAbility/profile`` counts only with
  /// ``APIContract/userPath``, from which it is read.
  public var abilities: Set<AccountAbility> = [.profile]
  /// How the backend makes a change, for the session in use (nil if no user is signed in); nil for a change that it
  /// does not have. An ``AccountChange/answer(_:)`` without a service goes where it goes at a sign-in.
  public var change:
    @Sendable (AccountChange, AuthSession?) throws(AuthenticationError) -> APIService<AccountOutcome>? = { _, _ in nil }
  /// Lists the linked methods.
  public var linkedMethods: (@Sendable (AuthSession) throws(AuthenticationError) -> APIService<[LinkedMethod]>)?
  /// Lists second factors and passkeys.
  public var factors: (@Sendable (AuthSession) throws(AuthenticationError) -> APIService<[EnrolledFactor]>)?
  /// Tells every passkey that the backend accepts for the user; nil, as by default, if it does not tell the ids of the
  /// credentials. A response that may be incomplete must throw: a passkey that is not in it is removed from the device.
  public var acceptedPasskeys: (@Sendable (AuthSession) throws(AuthenticationError) -> APIService<AcceptedPasskeys>)?
  /// As ``AccountProvider/acceptsConditionalPasskeys``. By default false.
  public var acceptsConditionalPasskeys = false
  /// Lists the sessions.
  public var sessions: (@Sendable (AuthSession) throws(AuthenticationError) -> APIService<[RemoteSession]>)?
  /// Returns the credentials that sign in after a change to this new password, if that ends all tokens; nil, as by
  /// default, keeps the tokens. If that sign-in fails, the password is changed all the same, and the session ends with
  /// its tokens.
  public var credentialsAfterChange: (@Sendable (_ new: Secret, AuthSession) -> (any Credentials)?)?
  /// The step that a response asks for before the service is done, and whose answer goes with the same request when it
  /// is sent again (user-interactive authentication of Matrix, sudo-style services); nil, as by default, if it asks for
  /// none. If ``APIContract/refusals`` know the response, it is a refusal: of the answer, where the request had one.
  public var mapProof: @Sendable (HTTPResponse) -> Challenge? = { _ in nil }
  /// Adds the answer to ``mapProof`` to the request of a service.
  ///
  /// ```swift
  /// var contract = APIAccountContract()
  /// contract.addProof = { request, answer, _ throws(AuthenticationError) in
  ///   var request = request
  ///   request.headers["X-Sudo-Password"] = answer.typed
  ///   return request
  /// }
  /// ```
  public var addProof: (@Sendable (APIRequest, ChallengeAnswer, AuthSession) throws(AuthenticationError) -> APIRequest)?

  /// Offers nothing but the profile.
  public init() {}

  /// All account services, for a backend that speaks JSON as follows, below the base URL. A contract offers none of it
  /// unless the contract is ``standard``.
  ///
  /// | service | request | body | response |
  /// |---|---|---|---|
  /// | reset the password | `POST account/password/reset`, without a token | `account` | an outcome |
  /// | change the password | `PUT account/password` | `old`, `new` | an outcome |
  /// | change or verify an address | `PUT account/address` | `email` or `phone` | an outcome |
  /// | continue after a step | `POST account/challenge` | as at sign-in: `challenge`, its id, and the answer | an outcome |
  /// | linked methods | `GET account/methods` | | `methods`: `id`, `method`, `label`? |
  /// | link a method | `POST account/methods` | `method`, and its credentials | |
  /// | unlink one | `DELETE account/methods/ID` | | |
  /// | second factors, passkeys | `GET account/factors` | | `factors`: `id`, `kind`, `label`?, `createdAt`? |
  /// | enrol one | `POST account/factors` | `kind` | an outcome |
  /// | all passkeys that are accepted | `GET account/passkeys` | | `credentials`: their ids, `user`, `name`, `displayName`? |
  /// | remove one (none is renamed) | `DELETE account/factors/ID` | | |
  /// | sessions | `GET account/sessions` | | `sessions`: `id`, `isCurrent`, `label`?, `lastUsedAt`? |
  /// | end one | `DELETE account/sessions/ID` | | |
  /// | delete the account | `DELETE account` | | |
  /// | change the profile | `PATCH account` | `name`?, `picture`?, `locale`?, further members | the user, as `GET user` |
  ///
  /// Requests carry the user's access token, but for the reset and the steps of a user without a session. An outcome is
  /// a `challenge`, the same object as at sign-in, or anything else in 2xx, such as 204: done. A reset usually asks for
  /// a code, then for a `new_password`. Dates are in ISO 8601, `method` is a ``SignInMethod/id``, `kind` a
  /// ``Challenge/Kind/id``; `DELETE` of an unknown id succeeds, and nothing is renamed. Ids of credentials, and `user`
  /// (the user handle), are in base64url; a list of passkeys with a `next` page is refused. Linked are a password
  /// (`username`, `password`) and the result of a vendor's sheet (`identityToken`, `nonce`?, `authorizationCode`?,
  /// `accessToken`?).
  ///
  /// A refusal has a status from 400 to 499 other than 401 (the access token is refused) and 404 (the backend does not
  /// know the service), and an `error`: one of those at sign-in and sign-up (`account_exists`, `weak_password` with
  /// `passwordRules`, `too_many_attempts` with a `Retry-After` header …), or `invalid_credentials` (the old password is
  /// wrong), `recent_sign_in_required`, `already_linked`, `last_method`, `unsupported_method`.
  public static let standard: Self = {
    var contract = Self()
    contract.abilities = [.resetPassword, .changePassword, .verify, .link, .factors, .sessions, .delete, .profile]
    contract.change = standardChange
    contract.linkedMethods = { _ in .standard(.get, "account/methods", map: APIAccountResponseMapper.linkedMethods) }
    contract.factors = { _ in .standard(.get, "account/factors", map: APIAccountResponseMapper.factors) }
    contract.acceptedPasskeys = { _ in
      .standard(.get, "account/passkeys", map: APIAccountResponseMapper.acceptedPasskeys)
    }
    contract.sessions = { _ in .standard(.get, "account/sessions", map: APIAccountResponseMapper.sessions) }
    return contract
  }()

  @Sendable private static func standardChange(
    _ change: AccountChange, _ session: AuthSession?
  ) throws(AuthenticationError) -> APIService<AccountOutcome>? {
    switch change {
    case .resetPassword(let account): return .outcome(.post, "account/password/reset", ["account": account])
    case .changePassword(let old, let new):
      return .outcome(.put, "account/password", ["old": old.reveal(), "new": new.reveal()])
    case .verify(.email(let address)): return .outcome(.put, "account/address", ["email": address])
    case .verify(.phone(let number)): return .outcome(.put, "account/address", ["phone": number])
    case .answer(let answer):
      return .outcome(.post, "account/challenge", APIChallengeResponseMapper.body(of: answer))
    case .link(let credentials): return .outcome(.post, "account/methods", try body(of: credentials))
    case .unlink(let method): return try .deletion(of: method.id, in: "account/methods")
    case .enrol(let kind): return .outcome(.post, "account/factors", ["kind": kind.id])
    case .remove(let factor): return try .deletion(of: factor.id, in: "account/factors")
    case .rename: throw .unsupportedChange(change)
    case .end(let session): return try .deletion(of: session.id, in: "account/sessions")
    case .deleteAccount: return .standard(.delete, "account") { _ in .done }
    case .update(let changes):
      return .standard(.patch, "account", body(of: changes)) { response throws(AuthenticationError) in
        let user = try APIUserResponseMapper.map(response)
        return session.map { .session(AuthSession(user: user, tokens: $0.tokens)) } ?? .done
      }
    }
  }

  private static func body(of credentials: any Credentials) throws(AuthenticationError) -> [String: JSONValue] {
    var body: [String: JSONValue]
    switch credentials {
    case let credentials as PasswordCredentials:
      body = ["username": .string(credentials.userName), "password": .string(credentials.password.reveal())]
    case let credentials as NativeCredentials: body = credentials.wireMembers
    default: throw .unsupportedMethod(credentials.method)
    }
    body["method"] = .string(credentials.method.id)
    return body
  }

  private static func body(of changes: ProfileChanges) -> [String: JSONValue] {
    var body = changes.claims
    body["name"] = changes.name.map(JSONValue.string)
    body["picture"] = changes.picture.map(JSONValue.string)
    body["locale"] = changes.locale.map(JSONValue.string)
    return body
  }
}

extension APIService {
  /// A service of ``APIAccountContract/standard``.
  fileprivate static func standard(
    _ method: HTTPMethod, _ path: String, _ body: APIContract.Body? = nil,
    exception: @escaping @Sendable (HTTPResponse) -> Output? = { _ in nil },
    map: @escaping @Sendable (HTTPResponse) throws(AuthenticationError) -> Output
  ) -> Self {
    Self(
      APIRequest(method, path, body: body), refusal: APIAccountResponseMapper.refusal, exception: exception, map: map)
  }
}

extension APIService where Output == AccountOutcome {
  fileprivate static func outcome(_ method: HTTPMethod, _ path: String, _ body: APIContract.Body) -> Self {
    let challenge = { @Sendable (response: HTTPResponse) in
      APIChallengeResponseMapper.map(response).map(AccountOutcome.challenge)
    }
    return .standard(method, path, body, exception: challenge) { challenge($0) ?? .done }
  }

  /// Deletes an element of a collection; an id that would lead elsewhere is refused.
  fileprivate static func deletion(of id: String, in collection: String) throws(AuthenticationError) -> Self {
    .standard(.delete, "\(collection)/\(try ServiceURL.component(id))") { _ in .done }
  }

  /// A service that is done with any response in 2xx; ``APIContract/refusals`` give others a meaning.
  public static func sending(_ request: APIRequest) -> Self { Self(request) { _ in .done } }
}

/// One account service of a JSON backend, as a value: the request, and the meaning of the response.
///
/// ```swift
/// APIService<AccountOutcome>(
///   APIRequest(.put, "account/password", body: ["old": old.reveal(), "new": new.reveal()]),
///   refusal: { $0.status == 422 ? .weakPassword : nil },
///   map: { _ in .done })
/// ```
public struct APIService<Output: Sendable>: Sendable {
  let request: APIRequest
  let outcome: @Sendable (HTTPResponse) throws(AuthenticationError) -> Output?

  /// A service whose responses are told apart by more than their status.
  ///
  /// - Parameters:
  ///   - request: the request to send. For the user's id its path says `{user}`.
  ///   - outcome: the outcome of a response, of any status; throws if the response refuses. A response for which
  ///     it is nil is classified by its status alone; `401` counts as ``AuthenticationError/accessTokenRefused``.
  public init(
    _ request: APIRequest, outcome: @escaping @Sendable (HTTPResponse) throws(AuthenticationError) -> Output?
  ) {
    self.request = request
    self.outcome = outcome
  }

  /// A service whose responses in 2xx are results.
  ///
  /// - Parameters:
  ///   - request: the request to send. For the user's id its path says `{user}`.
  ///   - refusal: returns an error if a response, of any status, is a refusal; else nil.
  ///   - exception: returns a result of a response outside 2xx, such as a step that is asked; else nil.
  ///   - map: maps a response in 2xx.
  public init(
    _ request: APIRequest, refusal: @escaping @Sendable (HTTPResponse) -> AuthenticationError? = { _ in nil },
    exception: @escaping @Sendable (HTTPResponse) -> Output? = { _ in nil },
    map: @escaping @Sendable (HTTPResponse) throws(AuthenticationError) -> Output
  ) {
    self.init(request) { response throws(AuthenticationError) in
      if let refusal = refusal(response) { throw refusal }
      return response.isSuccess ? try map(response) : exception(response)
    }
  }
}

/// Maps the lists and the refusals of ``APIAccountContract/standard``.
enum APIAccountResponseMapper {
  @Sendable static func linkedMethods(_ response: HTTPResponse) throws(AuthenticationError) -> [LinkedMethod] {
    try list("methods", response) { id, entry in
      entry["method"].map { LinkedMethod(id: id, method: SignInMethod(id: $0, displayName: $0), label: entry["label"]) }
    }
  }

  @Sendable static func factors(_ response: HTTPResponse) throws(AuthenticationError) -> [EnrolledFactor] {
    try list("factors", response) { id, entry in
      entry["kind"].map {
        EnrolledFactor(id: id, kind: .init(id: $0), label: entry["label"], createdAt: entry.iso8601("createdAt"))
      }
    }
  }

  /// All or nothing: a device removes each passkey that is not in the list. The ids are in base64url.
  @Sendable static func acceptedPasskeys(_ response: HTTPResponse) throws(AuthenticationError) -> AcceptedPasskeys {
    guard let body = try? JSONMembers(response), case .array(let elements) = body.values["credentials"],
      let handle = body["user"].flatMap({ Data(lenientBase64: $0) }), (1...64).contains(handle.count),
      let name = body["name"], (body.values["next"] ?? .null) == .null
    else { throw .malformedList }
    let ids = elements.compactMap { $0.text.flatMap { Data(lenientBase64: $0) } }.filter { !$0.isEmpty }
    guard ids.count == elements.count else { throw .malformedList }
    return AcceptedPasskeys(
      credentialIDs: ids, userHandle: handle, userName: name, displayName: body["displayName"])
  }

  @Sendable static func sessions(_ response: HTTPResponse) throws(AuthenticationError) -> [RemoteSession] {
    try list("sessions", response) { id, entry in
      entry.flag("isCurrent").map {
        RemoteSession(id: id, isCurrent: $0, label: entry["label"], lastUsedAt: entry.iso8601("lastUsedAt"))
      }
    }
  }

  /// Nil for 401, which is about the access token.
  @Sendable static func refusal(_ response: HTTPResponse) -> AuthenticationError? {
    guard (400...499).contains(response.status), response.status != 401 else { return nil }
    return switch (try? JSONMembers(response))?["error"] {
    case "invalid_credentials": .invalidCredentials
    case "recent_sign_in_required": .recentSignInRequired
    case "already_linked": .alreadyLinked
    case "last_method": .lastMethod
    case "unsupported_method": .unsupportedService
    default: APIErrorResponseMapper.signInRefusal(response)
    }
  }

  private static func list<Value>(
    _ name: String, _ response: HTTPResponse, _ map: (_ id: String, _ entry: JSONMembers) -> Value?
  ) throws(AuthenticationError) -> [Value] {
    guard let body = try? JSONMembers(response), case .array(let elements) = body.values[name] else {
      throw .malformedList
    }
    let values = body.list(name).compactMap { entry in entry["id"].flatMap { map($0, entry) } }
    guard values.count == elements.count else { throw .malformedList }
    return values
  }
}

extension AuthenticationError {
  fileprivate static let malformedList = Self(
    .unexpectedResponse, "The response is not a JSON object with the list that was asked for.",
    suggestion: "Check what the backend returns, or give APIAccountContract a service of your own.")
  fileprivate static let unsupportedService = Self(
    .unsupportedMethod, "The backend does not do this.", suggestion: "Offer something else."
  ).with(\.reason, .accountService)
}
