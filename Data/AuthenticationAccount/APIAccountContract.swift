public import AuthenticationData
public import AuthenticationDomain
import Foundation

/// The account services of an app's own backend; what is nil is not offered.
public struct APIAccountContract: Sendable {
  /// The password so far, and the one from now on.
  public typealias PasswordChange = (old: Secret, new: Secret)

  /// Sends a code or a link to the account's address; the input is what the user typed.
  public var resetPassword: APIAbility<String, AccountOutcome>?
  /// Changes the password.
  public var changePassword: APIAbility<PasswordChange, AccountOutcome>?
  /// Returns the credentials that sign in after a change of the password, if that ends all tokens; nil, as by default,
  /// keeps the tokens. If that sign-in fails, the password is changed all the same, and the session ends with its tokens.
  public var credentialsAfterChange: (@Sendable (PasswordChange, AuthSession) -> (any Credentials)?)?
  /// Changes or verifies an address.
  public var verify: APIAbility<AccountAddress, AccountOutcome>?
  /// Goes on with a service that asked for a step; by default the answer goes where it goes at a sign-in.
  public var answer: APIAbility<ChallengeAnswer, AccountOutcome>?
  /// Lists the linked methods.
  public var linkedMethods: APIAbility<Void, [LinkedMethod]>?
  /// Adds a method; returns the session from now on, if it changes.
  public var link: APIAbility<any Credentials, AccountOutcome>?
  /// Removes a method.
  public var unlink: APIAbility<LinkedMethod, AccountOutcome>?
  /// Lists second factors and passkeys.
  public var factors: APIAbility<Void, [EnrolledFactor]>?
  /// Begins to add one.
  public var enrol: APIAbility<Challenge.Kind, AccountOutcome>?
  /// Removes one.
  public var removeFactor: APIAbility<EnrolledFactor, AccountOutcome>?
  /// Lists the sessions.
  public var sessions: APIAbility<Void, [RemoteSession]>?
  /// Ends one.
  public var endSession: APIAbility<RemoteSession, AccountOutcome>?
  /// Deletes the account.
  public var deleteAccount: APIAbility<Void, AccountOutcome>?
  /// Changes the profile; what is known of the user is read from ``APIContract/userPath``.
  public var update: APIAbility<ProfileChanges, User>?

  /// The step that a response asks for before the service is done, and whose answer goes with the same request when it is
  /// sent again (user-interactive authentication of Matrix, sudo-style services); nil, as by default, if it asks for none.
  /// If ``APIContract/refusals`` know the response, it is a refusal: of the answer, where the request had one.
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

  /// All account services, for a backend that speaks JSON as follows, below the base URL. A contract offers none of it
  /// unless the contract is ``standard``.
  ///
  /// | service | request | body | response |
  /// |---|---|---|---|
  /// | reset the password | `POST account/password/reset`, without a token | `account` | an outcome |
  /// | change the password | `PUT account/password` | `old`, `new` | an outcome |
  /// | change or verify an address | `PUT account/address` | `email` or `phone` | an outcome |
  /// | go on after a step | `POST account/challenge` | as at sign-in: `challenge`, its id, and the answer | an outcome |
  /// | linked methods | `GET account/methods` | | `methods`: `id`, `method`, `label`? |
  /// | link a method | `POST account/methods` | `method`, and its credentials | |
  /// | unlink one | `DELETE account/methods/ID` | | |
  /// | second factors, passkeys | `GET account/factors` | | `factors`: `id`, `kind`, `label`?, `createdAt`? |
  /// | enrol one | `POST account/factors` | `kind` | an outcome |
  /// | remove one | `DELETE account/factors/ID` | | |
  /// | sessions | `GET account/sessions` | | `sessions`: `id`, `isCurrent`, `label`?, `lastUsedAt`? |
  /// | end one | `DELETE account/sessions/ID` | | |
  /// | delete the account | `DELETE account` | | |
  /// | change the profile | `PATCH account` | `name`?, `picture`?, `locale`?, further members | the user, as `GET user` |
  ///
  /// Requests carry the user's access token, but for the reset and the steps of a user who is not signed in. An outcome is a
  /// `challenge`, the same object as at sign-in, or anything else in 2xx, such as 204: done. A reset usually asks for a
  /// code, then for a `new_password`. Dates are in ISO 8601, `method` is a ``SignInMethod/id``, `kind` a
  /// ``Challenge/Kind/id``; `DELETE` of an unknown id succeeds. Linked are a password (`username`, `password`) and
  /// what a vendor's sheet returned (`identityToken`, `nonce`?, `authorizationCode`?, `accessToken`?).
  ///
  /// A refusal has a status from 400 to 499 other than 401 (the access token is refused) and 404 (the backend does not
  /// know the service), and an `error`: one of those at sign-in and sign-up (`account_exists`, `weak_password` with
  /// `passwordRules`, `too_many_attempts` with a `Retry-After` header …), or `invalid_credentials` (the old password is
  /// wrong), `recent_sign_in_required`, `already_linked`, `last_method`, `unsupported_method`.
  public static let standard: Self = {
    var contract = Self()
    contract.resetPassword = .outcome { account throws(AuthenticationError) in
      APIRequest(.post, "account/password/reset", body: ["account": account])
    }
    contract.changePassword = .outcome { change throws(AuthenticationError) in
      APIRequest(.put, "account/password", body: ["old": change.old.reveal(), "new": change.new.reveal()])
    }
    contract.verify = .outcome { address throws(AuthenticationError) in
      APIRequest(.put, "account/address", body: body(of: address))
    }
    contract.answer = .outcome { answer throws(AuthenticationError) in
      APIRequest(.post, "account/challenge", body: APIChallengeResponseMapper.body(of: answer))
    }
    contract.linkedMethods = .list("account/methods", APIAccountResponseMapper.linkedMethods)
    contract.link = .outcome { credentials throws(AuthenticationError) in
      APIRequest(.post, "account/methods", body: try body(of: credentials))
    }
    contract.unlink = .deletion(in: "account/methods")
    contract.factors = .list("account/factors", APIAccountResponseMapper.factors)
    contract.enrol = .outcome { kind throws(AuthenticationError) in
      APIRequest(.post, "account/factors", body: ["kind": kind.id])
    }
    contract.removeFactor = .deletion(in: "account/factors")
    contract.sessions = .list("account/sessions", APIAccountResponseMapper.sessions)
    contract.endSession = .deletion(in: "account/sessions")
    contract.deleteAccount = .done { _ throws(AuthenticationError) in APIRequest(.delete, "account") }
    contract.update = APIAbility(
      request: { changes throws(AuthenticationError) in APIRequest(.patch, "account", body: body(of: changes)) },
      refusal: APIAccountResponseMapper.refusal, map: APIUserResponseMapper.map)
    return contract
  }()

  private static func body(of address: AccountAddress) -> [String: String] {
    switch address {
    case .email(let address): ["email": address]
    case .phone(let number): ["phone": number]
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

extension APIAbility where Input: Identifiable, Input.ID == String, Output == AccountOutcome {
  /// Deletes an element of a collection; an id that would lead elsewhere is refused.
  fileprivate static func deletion(in collection: String) -> Self {
    .done { element throws(AuthenticationError) in
      APIRequest(.delete, "\(collection)/\(try ServiceURL.component(element.id))")
    }
  }
}

extension APIAbility where Output == AccountOutcome {
  fileprivate static func done(
    request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest
  ) -> Self {
    Self(request: request, refusal: APIAccountResponseMapper.refusal) { _ throws(AuthenticationError) in .done }
  }

  fileprivate static func outcome(
    request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest
  ) -> Self {
    Self(
      request: request, refusal: APIAccountResponseMapper.refusal,
      exception: { APIChallengeResponseMapper.map($0).map(AccountOutcome.challenge) },
      map: { response throws(AuthenticationError) in
        APIChallengeResponseMapper.map(response).map(AccountOutcome.challenge) ?? .done
      })
  }
}

extension APIAbility where Input == Void {
  fileprivate static func list(
    _ path: String, _ map: @escaping @Sendable (HTTPResponse) throws(AuthenticationError) -> Output
  ) -> Self {
    Self(
      request: { _ throws(AuthenticationError) in APIRequest(.get, path) },
      refusal: APIAccountResponseMapper.refusal, map: map)
  }
}

/// One account service of an app's own backend, as a value: what is sent, and what the response means.
///
/// ```swift
/// var contract = APIAccountContract()
/// contract.changePassword = APIAbility(
///   request: { change in
///     APIRequest(.put, "account/password", body: ["old": change.old.reveal(), "new": change.new.reveal()])
///   },
///   refusal: { $0.status == 422 ? .weakPassword : nil },
///   map: { _ in .done })
/// ```
public struct APIAbility<Input: Sendable, Output: Sendable>: Sendable {
  /// What is sent, for the session in use; nil if no user is signed in.
  let request: @Sendable (Input, AuthSession?) throws(AuthenticationError) -> APIRequest
  /// What a response, of any status, comes to, and the refusal of one that refuses. A response for which it is nil is
  /// classified by its status alone; `401` counts as ``AuthenticationError/accessTokenRefused``.
  let outcome: @Sendable (HTTPResponse, Input, AuthSession?) throws(AuthenticationError) -> Output?

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

extension APIAbility where Output == AccountOutcome {
  /// A service that is done with any response in 2xx; ``APIContract/refusals`` say what others mean.
  ///
  /// ```swift
  /// var contract = APIAccountContract()
  /// contract.changePassword = .sending {
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

/// Maps the lists and the refusals of ``APIAccountContract/standard``.
enum APIAccountResponseMapper {
  /// An element of any of the lists.
  private struct Entry: Decodable {
    let id: String
    let method, kind, label: String?
    let isCurrent: Bool?
    let createdAt, lastUsedAt: Date?
  }

  private struct Lists: Decodable {
    let methods, factors, sessions: [Entry]?
  }

  private struct Refusal: Decodable {
    let error: String
  }

  @Sendable static func linkedMethods(_ response: HTTPResponse) throws(AuthenticationError) -> [LinkedMethod] {
    try list(\.methods, response) { entry in
      entry.method.map { LinkedMethod(id: entry.id, method: SignInMethod(id: $0, displayName: $0), label: entry.label) }
    }
  }

  @Sendable static func factors(_ response: HTTPResponse) throws(AuthenticationError) -> [EnrolledFactor] {
    try list(\.factors, response) { entry in
      entry.kind.map {
        EnrolledFactor(id: entry.id, kind: .init(id: $0), label: entry.label, createdAt: entry.createdAt)
      }
    }
  }

  @Sendable static func sessions(_ response: HTTPResponse) throws(AuthenticationError) -> [RemoteSession] {
    try list(\.sessions, response) { entry in
      entry.isCurrent.map {
        RemoteSession(id: entry.id, isCurrent: $0, label: entry.label, lastUsedAt: entry.lastUsedAt)
      }
    }
  }

  /// Nil for 401, which is about the access token.
  @Sendable static func refusal(_ response: HTTPResponse) -> AuthenticationError? {
    guard (400...499).contains(response.status), response.status != 401 else { return nil }
    let wire = response.isJSON ? try? BoundedJSON.decode(Refusal.self, from: response.body) : nil
    return switch wire?.error {
    case "invalid_credentials": .invalidCredentials
    case "recent_sign_in_required": .recentSignInRequired
    case "already_linked": .alreadyLinked
    case "last_method": .lastMethod
    case "unsupported_method": .unsupportedService
    default: APIErrorResponseMapper.signInRefusal(response)
    }
  }

  private static func list<Value>(
    _ name: KeyPath<Lists, [Entry]?>, _ response: HTTPResponse, _ map: (Entry) -> Value?
  ) throws(AuthenticationError) -> [Value] {
    let lists = response.isJSON ? try? BoundedJSON.decode(Lists.self, from: response.body, dates: .iso8601) : nil
    guard let entries = lists?[keyPath: name] else { throw .malformedList }
    let values = entries.compactMap(map)
    guard values.count == entries.count else { throw .malformedList }
    return values
  }
}

extension AuthenticationError {
  fileprivate static let malformedList = Self(
    .unexpectedResponse, "The response is not a JSON object with the list that was asked for.",
    suggestion: "Check what the backend returns, or give APIAccountContract an ability of your own.")
  fileprivate static let unsupportedService = Self(
    .unsupportedMethod, "The backend does not do this.", suggestion: "Offer something else.")
}
