import AuthenticationDomain

extension APIAccountContract {
  /// All account services, for a backend that speaks JSON as follows, below the base URL. A contract offers none of it
  /// unless `contract.account = .standard` says so.
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
  /// Requests carry the person's access token, but for the reset and the steps of who is not signed in. An outcome is a
  /// `challenge`, the same object as at sign-in, or anything else in 2xx, such as 204: done. A reset usually asks for a
  /// code, then for a `new_password`. Dates are in ISO 8601, `method` is a ``SignInMethod/id``, `kind` a
  /// ``Challenge/Kind/id``; `DELETE` of an id that is gone succeeds. Linked are a password (`username`, `password`) and
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
    contract.unlink = .done(()) { method throws(AuthenticationError) in
      APIRequest(.delete, try path("account/methods", method.id))
    }
    contract.factors = .list("account/factors", APIAccountResponseMapper.factors)
    contract.enrol = .outcome { kind throws(AuthenticationError) in
      APIRequest(.post, "account/factors", body: ["kind": kind.id])
    }
    contract.removeFactor = .done(()) { factor throws(AuthenticationError) in
      APIRequest(.delete, try path("account/factors", factor.id))
    }
    contract.sessions = .list("account/sessions", APIAccountResponseMapper.sessions)
    contract.endSession = .done(()) { session throws(AuthenticationError) in
      APIRequest(.delete, try path("account/sessions", session.id))
    }
    contract.deleteAccount = .done(()) { _ throws(AuthenticationError) in APIRequest(.delete, "account") }
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

  private static func body(of credentials: any Credentials) throws(AuthenticationError) -> [String: String] {
    var body = ["method": credentials.method.id]
    switch credentials {
    case let credentials as PasswordCredentials:
      body["username"] = credentials.userName
      body["password"] = credentials.password.reveal()
    case let credentials as NativeCredentials:
      body["identityToken"] = credentials.identityToken?.reveal()
      body["nonce"] = credentials.rawNonce?.reveal()
      body["authorizationCode"] = credentials.authorizationCode?.reveal()
      body["accessToken"] = credentials.accessToken?.reveal()
    default: throw .unsupportedMethod(credentials.method)
    }
    return body
  }

  private static func body(of changes: ProfileChanges) -> [String: JSONValue] {
    var body = changes.claims
    body["name"] = changes.name.map(JSONValue.string)
    body["picture"] = changes.picture.map(JSONValue.string)
    body["locale"] = changes.locale.map(JSONValue.string)
    return body
  }

  /// Below a collection; an id that would lead elsewhere is refused.
  private static func path(_ collection: String, _ id: String) throws(AuthenticationError) -> String {
    try "\(collection)/\(APIBase.component(id))"
  }
}

extension APIAbility {
  fileprivate static func done(
    _ output: Output, request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest
  ) -> Self {
    Self(request: request, refusal: APIAccountResponseMapper.refusal) { _ throws(AuthenticationError) in output }
  }
}

extension APIAbility where Output == AccountStep {
  fileprivate static func outcome(
    request: @escaping @Sendable (Input) throws(AuthenticationError) -> APIRequest
  ) -> Self {
    Self(
      request: request, refusal: APIAccountResponseMapper.refusal,
      exception: { APIChallengeResponseMapper.map($0).map(AccountStep.challenge) },
      map: { response throws(AuthenticationError) in
        APIChallengeResponseMapper.map(response).map(AccountStep.challenge) ?? .done
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
