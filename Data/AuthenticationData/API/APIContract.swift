public import AuthenticationDomain
public import Foundation

/// The wire format of an app team's backend: paths, bodies and responses, each of which can be replaced.
///
/// `.standard` is `POST /auth`, `GET /user`, and next to them refresh, sign-out and sign-up.
///
/// ```swift
/// var contract = APIContract.standard
/// contract.signInPath = "v2/login"
/// contract.mapSignInRefusal = { $0.status == 403 ? .invalidCredentials : nil }
/// ```
public struct APIContract: Sendable {
  /// A body that is sent as JSON.
  public typealias Body = any Encodable & Sendable

  /// The token that refreshes a session.
  public enum Refreshing: Sendable {
    /// The refresh token, in ``refreshBody`` (RFC 6749 §6).
    case tokenInBody
    /// The refresh token, as the bearer token of a request without a body.
    case tokenInHeader
    /// The access token, as the bearer token of a request without a body, as long as it is valid. It is refreshed in
    /// the second half of its lifetime, also while the app is idle; the session ends with it.
    case accessToken
    /// Nothing: the session ends with its access token. ``ActiveSession/expiresAt`` says when.
    case never
  }

  /// The methods that the backend offers; ``signInBody`` and ``signInPaths`` must know them.
  public var methods: [SignInMethod] = [.password]
  /// `POST` with ``signInBody`` returns tokens. All paths are relative to the base URL.
  public var signInPath = "auth"
  /// Where credentials of these methods go at sign-in, in place of ``signInPath``.
  public var signInPaths: [SignInMethod: String] = [
    .challengeAnswer: "auth/challenge", .apple: "auth/native", .google: "auth/native", .facebook: "auth/native",
  ]
  /// `GET` with the access token returns the user. `{user}` is replaced by the user's id, which a sign-in does not know
  /// unless ``mapIncludedUser`` returns a user. Nil if the backend has no such path: then that must return one.
  public var userPath: String? = "user"
  /// The token that refreshes a session; by default the refresh token, in the body.
  public var refreshing = Refreshing.tokenInBody
  /// `POST` with the token of ``refreshing`` returns refreshed tokens.
  public var refreshPath = "auth/refresh"
  /// `POST` ends this one session, unless there is a ``signOutRequest``. It carries ``refreshBody`` if there is a
  /// refresh token, and the access token if that has not expired or there is no other token. Nil if the backend has no
  /// such path.
  public var signOutPath: String? = "auth/sign-out"
  /// `POST` with ``signInBody`` creates the account and returns tokens; the attributes whose names begin with `terms.`
  /// are added as `terms`, an object of the versions that the user agrees to. Nil if the backend has no such path: then it
  /// creates accounts only of the methods in ``signUpPaths``.
  public var signUpPath: String? = "auth/sign-up"
  /// Where credentials of these methods go at sign-up, in place of ``signUpPath``.
  public var signUpPaths: [SignInMethod: String] = [:]
  /// Whether the response to sign-up has tokens, as by default. If not, its credentials sign in once the account is
  /// created.
  public var signUpReturnsTokens = true

  /// The whole request of sign-in with these credentials, in place of path and body; nil leaves those as they are.
  public var signInRequest: @Sendable (SignInRequest) throws(AuthenticationError) -> APIRequest? = {
    _ throws(AuthenticationError) in nil
  }
  /// The whole request of sign-up, as ``signInRequest``.
  public var signUpRequest: @Sendable (SignInRequest) throws(AuthenticationError) -> APIRequest? = {
    _ throws(AuthenticationError) in nil
  }
  /// The whole request of a refresh, in place of ``refreshPath`` and its body; it carries the token in its header if
  /// ``refreshing`` says so. Nil, as by default, leaves those as they are.
  public var refreshRequest: (@Sendable (SessionTokens) throws(AuthenticationError) -> APIRequest)?
  /// The whole request of sign-out, in place of ``signOutPath``, with the tokens that are to end: if the access token
  /// has expired, they are refreshed first. A response for which ``isRevoked`` holds is a success, too.
  public var signOutRequest: (@Sendable (SessionTokens) throws(AuthenticationError) -> APIRequest)?
  /// The whole request that ends the user's other sessions, or all of them; nil, as by default, if the backend has none.
  public var signOutEverywhereRequest: (@Sendable (AuthSession) throws(AuthenticationError) -> APIRequest)?

  /// The JSON body of sign-in and sign-up, by default `username` and `password`, in clear text. Unless this is
  /// replaced, other credentials (a phone number, a custom type) are refused with
  /// ``AuthenticationError/unsupportedMethod``; the answer to a challenge is `challenge`, its id, with one of `code`,
  /// `link`, `password`, `choice`, `passkey`, `approval` and `resend`. ``NativeCredentials`` are `provider`, the id of
  /// their method, with the present ones of `identityToken`, `nonce` (raw), `authorizationCode`, `accessToken`, `name`
  /// (`firstName`, `lastName`) and `email`; the backend verifies them.
  public var signInBody: @Sendable (any Credentials) throws(AuthenticationError) -> Body = {
    credentials throws(AuthenticationError) in
    if let answer = credentials as? ChallengeAnswer { return APIChallengeResponseMapper.body(of: answer) }
    if let native = credentials as? NativeCredentials { return native.wireBody }
    guard let credentials = credentials as? PasswordCredentials else { throw .unsupportedMethod(credentials.method) }
    return ["username": credentials.userName, "password": credentials.password.reveal()]
  }
  /// The JSON body of refresh and sign-out, by default `refreshToken`, which contains the token in clear text.
  public var refreshBody: @Sendable (Secret) -> Body = { ["refreshToken": $0.reveal()] }

  /// How the backend refuses a sign-in, a sign-up and an account service; the first that matches decides, before
  /// ``mapSignInStep``, ``mapSignInRefusal`` and ``mapSignUpRefusal``, but after an account service's own refusals.
  public var refusals: [APIRefusal] = []
  /// How it refuses a sign-up alone; these come before ``refusals``.
  public var signUpRefusals: [APIRefusal] = []
  /// Where a refusal has the backend's own code, as in ``HTTPResponse/value(at:)``: a plain token there becomes the
  /// error's ``AuthenticationError/Details/providerCode``.
  public var codeMember = "error"
  /// Where a refusal says how long to wait, and in which unit, if its `Retry-After` field does not; nil, as by default,
  /// if its body does not either.
  public var waitMember: (path: String, unit: Duration)?
  /// Returns the request that a response to these credentials, at sign-in or sign-up, leads to before there are tokens, in
  /// a sign-in of several requests; nil, as by default, if the response is the last one. The refusals come before it.
  public var mapNextRequest: @Sendable (HTTPResponse, any Credentials) throws(AuthenticationError) -> APIRequest? = {
    _, _ throws(AuthenticationError) in nil
  }
  /// Returns the challenge if a response to these credentials, at sign-in or sign-up and of any status, asks for a
  /// step, and throws the refusal if it refuses; with nil, as by default, ``mapChallenge`` and the closures after it
  /// decide. For a backend whose responses have a meaning only together with the request, the last challenge's handle
  /// above all.
  public var mapSignInStep: @Sendable (HTTPResponse, any Credentials) throws(AuthenticationError) -> Challenge? = {
    _, _ throws(AuthenticationError) in nil
  }
  /// Returns the challenge if a response to sign-in or sign-up, of any status, asks for a second step; by default one
  /// with a `challenge` does, an object with `id` and `kind`.
  public var mapChallenge: @Sendable (HTTPResponse) -> Challenge? = APIChallengeResponseMapper.map
  /// Returns an error if a response to sign-in, of any status, refuses the user:
  /// ``AuthenticationError/invalidCredentials``, or a custom error. By default 401 does, and 400 or 403 with a
  /// code that says so.
  public var mapSignInRefusal: @Sendable (HTTPResponse) -> AuthenticationError? = APIErrorResponseMapper.signInRefusal
  /// Returns an error if a response to sign-up, of any status, refuses the account; by default 400, 409 and 422 do.
  public var mapSignUpRefusal: @Sendable (HTTPResponse) -> AuthenticationError? = APIErrorResponseMapper.signUpRefusal

  /// Maps the response of sign-in, sign-up and refresh; the date is when it was received (UTC). Throwing at a refresh
  /// may lose the session: the refresh token that was sent may already have been used up.
  public var mapTokens: @Sendable (HTTPResponse, Date) throws(AuthenticationError) -> SessionTokens =
    APITokenResponseMapper.map
  /// Maps the response of a refresh where it has another shape than that of a sign-in; nil, as by default, takes
  /// ``mapTokens``.
  public var mapRefreshedTokens: (@Sendable (HTTPResponse, Date) throws(AuthenticationError) -> SessionTokens)?
  /// Throws to refuse a response to sign-in or sign-up whose tokens could be mapped, by default because of its
  /// `expiresIn`. Nothing is lost: the granted tokens are revoked. Not called at a refresh.
  public var checkSignIn: @Sendable (HTTPResponse) throws(AuthenticationError) -> Void =
    APITokenResponseMapper.checkLifetime
  /// Returns the user if the response to sign-in or sign-up contains one; by default it does not, and the user is
  /// fetched from ``userPath``.
  public var mapIncludedUser: @Sendable (HTTPResponse) throws(AuthenticationError) -> User? = {
    _ throws(AuthenticationError) in nil
  }
  /// Returns the user whom these credentials name, where no response names the user; nil, as by default, if they
  /// name none. ``mapIncludedUser`` comes before it, ``userPath`` after it.
  public var mapNamedUser: @Sendable (any Credentials) throws(AuthenticationError) -> User? = {
    _ throws(AuthenticationError) in nil
  }
  /// Maps the response of the user request; throws ``AuthenticationError/unexpectedResponse``.
  public var mapUser: @Sendable (HTTPResponse) throws(AuthenticationError) -> User = APIUserResponseMapper.map

  /// Whether this response to a refresh, of any status, means that the backend has ended the session. A match signs the
  /// user out, so it must be certain: a proxy's error page, for example, must not match.
  public var endsSession: @Sendable (HTTPResponse) -> Bool = APIErrorResponseMapper.saysInvalidGrant
  /// Whether this response, to the check of a session, to an account service or to an API call, refuses the access token,
  /// after which the session is refreshed and the request is sent once more; by default 401 does. Not asked about a
  /// response that an account service has an outcome for. Of the responses to API calls those from 400 to 499 count; a
  /// 401 with a challenge for the token is refreshed anyway.
  public var refusesAccessToken: @Sendable (HTTPResponse) -> Bool = { $0.status == 401 }
  /// Whether this response to a sign-out means that the session has ended already, which is a success (RFC 7009 §2.2).
  /// Nil, as by default, asks ``endsSession``.
  public var isRevoked: (@Sendable (HTTPResponse) -> Bool)?

  init() {}

  /// The contract in which every part has its default, to be changed one by one.
  public static let standard = APIContract()

  /// Returns a value for ``mapTokens`` that finds the tokens by their paths.
  ///
  /// ```swift
  /// contract.mapTokens = APIContract.tokens(access: "data.token", refresh: "data.refresh", lifetime: "data.expires_in")
  /// ```
  ///
  /// Without a usable lifetime or expiry in the body, an access token that is a JWT says itself when it expires (`exp`,
  /// RFC 7519 §4.1.4). Points in time are measured by the server's clock: the `Date` field of the response, else the
  /// token's `iat`. The tokens are not verified, and are kept with any content.
  ///
  /// - Parameters:
  ///   - access: the path of the access token, as in ``HTTPResponse/value(at:)``.
  ///   - refresh: the path of the refresh token; by default there is none.
  ///   - identity: the path of the ID token; by default there is none.
  ///   - lifetime: the path of the access token's lifetime, a number or a text; by default there is none.
  ///   - unit: of that lifetime; 1 second by default.
  ///   - expiry: the path of the access token's end, in ISO 8601, or in seconds or milliseconds since 1970 (UTC); by
  ///     default there is none.
  ///   - type: the word before the token in the `Authorization` header; by default `Bearer` (RFC 6750 §2.1).
  public static func tokens(
    access: String, refresh: String? = nil, identity: String? = nil, lifetime: String? = nil,
    unit: Duration = .seconds(1), expiry: String? = nil, type: String = "Bearer"
  ) -> @Sendable (HTTPResponse, Date) throws(AuthenticationError) -> SessionTokens {
    { response, receivedAt throws(AuthenticationError) in
      guard let body = response.json, let token = body.text(at: access) else { throw .unexpectedResponse }
      let claims = JSONMembers(unverified: Secret(token))
      let serverTime = response.date(now: receivedAt)?.timeIntervalSince1970 ?? claims?.number("iat")
      let now = serverTime ?? receivedAt.timeIntervalSince1970
      let stated = lifetime.flatMap(body.value).flatMap { $0.number ?? $0.text.flatMap { Double($0) } }
      let seconds = [
        stated.map { $0 * (unit / .seconds(1)) }, expiry.flatMap(body.value).flatMap(secondsSince1970).map { $0 - now },
        claims?.number("exp").map { $0 - now },
      ].compactMap(\.self).first { $0 >= 1 && $0 <= AccessToken.longestLifetime / .seconds(1) }
      return SessionTokens(
        access: try AccessToken(
          Secret(token), type: type, receivedAt: receivedAt, lifetime: seconds.map { .seconds($0) },
          clockOffset: response.clockOffset(receivedAt: receivedAt)),
        refresh: body.text(at: refresh).map { Secret($0) },
        identity: body.text(at: identity).map { Secret($0) })
    }
  }

  /// Returns a value for ``mapUser``, or for ``mapIncludedUser``, that finds the members of a user by their paths.
  ///
  /// ```swift
  /// contract.mapUser = APIContract.user(id: "user.pk", name: "user.display_name", email: "user.email")
  /// contract.mapIncludedUser = APIContract.user(inToken: "access", id: "sub")
  /// ```
  ///
  /// - Parameters:
  ///   - token: the path of a JWT whose claims are read in place of the body; it is not verified, since it came from
  ///     its issuer. By default the body is read.
  ///   - id: the path of the id, a text or a whole number, as in ``HTTPResponse/value(at:)``.
  ///   - name: the path of the name to show.
  ///   - email: the path of the e-mail address.
  ///   - isEmailVerified: the path of whether the address is verified.
  ///   - phoneNumber: the path of the phone number.
  ///   - picture: the path of the address of a picture.
  public static func user(
    inToken token: String? = nil, id: String, name: String? = nil, email: String? = nil,
    isEmailVerified: String? = nil, phoneNumber: String? = nil, picture: String? = nil
  ) -> @Sendable (HTTPResponse) throws(AuthenticationError) -> User {
    { response throws(AuthenticationError) in
      var body = response.json
      if let token {
        let claims = body?.text(at: token).flatMap { JSONMembers(unverified: Secret($0)) }
        body = claims.map { .object($0.values) }
      }
      guard let body, let identifier = body.text(at: id) else { throw .unexpectedResponse }
      return User(
        id: identifier, name: body.text(at: name), email: body.text(at: email),
        isEmailVerified: isEmailVerified.flatMap { body.value(at: $0)?.flag }, phoneNumber: body.text(at: phoneNumber),
        picture: body.text(at: picture))
    }
  }

  /// Returns a value for ``signInBody`` with other names for the user name and the password; other credentials are as
  /// by default.
  ///
  /// ```swift
  /// contract.signInBody = APIContract.body(userName: "email", adding: ["client": "ios", "remember": true])
  /// ```
  ///
  /// - Parameters:
  ///   - userName: the name of the member with the user name.
  ///   - password: the name of the member with the password.
  ///   - members: further members, with any password.
  public static func body(
    userName: String, password: String = "password", adding members: [String: JSONValue] = [:]
  ) -> @Sendable (any Credentials) throws(AuthenticationError) -> Body {
    { credentials throws(AuthenticationError) in
      guard let typed = credentials as? PasswordCredentials else { return try standard.signInBody(credentials) }
      return members.merging([userName: .string(typed.userName), password: .string(typed.password.reveal())]) { $1 }
    }
  }

  /// Of a number of seconds or milliseconds, or a text in ISO 8601.
  private static func secondsSince1970(_ value: JSONValue) -> Double? {
    if let number = value.number ?? value.text.flatMap({ Double($0) }) {
      // Seconds stay below this until the year 5138.
      return number < 100_000_000_000 ? number : number / 1_000
    }
    return value.text.flatMap(Date.init(iso8601:))?.timeIntervalSince1970
  }
}

extension APIContract {
  /// The error with the response's details: the backend's code, and how long to wait.
  func completed(_ error: AuthenticationError, by response: HTTPResponse, at now: Date) -> AuthenticationError {
    var error = error
    if codeMember != "error" {
      // A member with that name may be a sentence of one word.
      if error.providerCode == APIErrorResponseMapper.providerCode(of: response) { error.providerCode = nil }
      let code = response.isSuccess ? nil : response.json?.text(at: codeMember).flatMap(response.plainToken)
      error.providerCode = code ?? error.providerCode
    }
    error = error.waiting(as: response, now)
    guard error.retryAfter == nil, let waitMember, error.isOfLoad, let body = response.json,
      let count = body.value(at: waitMember.path).flatMap({ $0.number ?? $0.text.flatMap { Double($0) } })
    else { return error }
    let seconds = count * (waitMember.unit / .seconds(1))
    return error.with(\.retryAfter, seconds >= 0 ? .seconds(min(seconds, 86_400)) : nil)
  }
}

extension AuthenticationError {
  /// Whether a later try may succeed, and the provider may say when.
  fileprivate var isOfLoad: Bool { [.tooManyAttempts, .rateLimited, .serverFailed].contains(self) }
}

extension NativeCredentials {
  /// The vendor's values among `identityToken`, `nonce` (raw, before any hashing), `authorizationCode` and
  /// `accessToken`.
  package var wireMembers: [String: JSONValue] {
    [
      "identityToken": identityToken, "nonce": rawNonce, "authorizationCode": authorizationCode,
      "accessToken": accessToken,
    ].compactMapValues { $0.map { .string($0.reveal()) } }
  }

  /// The body of a sign-in: also `provider`, the id of the method, and the vendor's values among `name` (`firstName`
  /// and `lastName`) and `email`.
  fileprivate var wireBody: [String: JSONValue] {
    var body = wireMembers
    body["provider"] = .string(method.id)
    body["email"] = email.map(JSONValue.string)
    body["name"] = name.map { name in
      .object(["firstName": name.given, "lastName": name.family].compactMapValues { $0.map(JSONValue.string) })
    }
    return body
  }
}

extension AuthenticationError {
  /// A backend that refuses a vendor's token refuses the app's set-up or a stolen token: the user typed nothing wrong.
  func refusing(_ credentials: any Credentials) -> Self {
    guard self == .invalidCredentials, credentials is NativeCredentials else { return self }
    return .notVerified.with(\.providerCode, self.providerCode)
  }

  /// Of a table that knows no credentials: those that are a code are a wrong code.
  func described(for credentials: any Credentials) -> Self {
    guard self == .invalidCredentials, let answer = credentials as? ChallengeAnswer, !answer.code.isEmpty else {
      return refusing(credentials)
    }
    return .wrongCode.with(\.providerCode, self.providerCode)
  }
}

/// One request of an ``APIContract``, below its base URL.
///
/// ```swift
/// APIRequest(.post, "auth/code", body: ["email": "ada@example.com"])
/// ```
public struct APIRequest: Sendable {
  var method: HTTPMethod
  var path: String
  var query: [String: String]
  var body: APIContract.Body?
  var form: [String: Secret]?
  /// Texts that are put into the JSON body when it is sent, by their paths in it: `auth.password`.
  public var secrets: [String: Secret]
  /// Header fields besides those of the client.
  public var headers: [String: Secret]

  /// Creates a request; nothing is sent.
  ///
  /// - Parameters:
  ///   - method: the request method (RFC 9110 §9).
  ///   - path: relative to the base URL. In a request for the signed-in user, `{user}` is replaced by their id.
  ///   - query: by name; the values are percent-encoded here.
  ///   - body: sent as JSON; nil sends none.
  ///   - secrets: texts that are put into the body, which must be an object, when it is sent: passwords, codes and tokens,
  ///     by their paths, such as `password` or `auth.password`.
  ///   - form: sent in place of a body, as `application/x-www-form-urlencoded` (RFC 6749 appendix B); nil sends none.
  ///   - headers: further header fields. The access token of a signed-in user is added unless `Authorization` is here.
  public init(
    _ method: HTTPMethod, _ path: String, query: [String: String] = [:], body: APIContract.Body? = nil,
    secrets: [String: Secret] = [:], form: [String: Secret]? = nil, headers: [String: Secret] = [:]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.secrets = secrets
    self.form = form
    self.headers = headers
  }

  /// The JSON body with the secrets; nil if there is neither.
  fileprivate var json: APIContract.Body? {
    get throws(AuthenticationError) {
      if secrets.isEmpty || form != nil { return form == nil ? body : nil }
      var members: [String: JSONValue] = [:]
      if let body {
        guard let data = try? JSONEncoder().encode(body),
          let encoded = try? BoundedJSON.decode([String: JSONValue].self, from: data)
        else { throw .noObject(path) }
        members = encoded
      }
      for (path, secret) in secrets { members.put(secret, at: path.split(separator: ".")[...]) }
      return members
    }
  }
}

extension [String: JSONValue] {
  fileprivate mutating func put(_ secret: Secret, at path: ArraySlice<Substring>) {
    guard let name = path.first.map(String.init) else { return }
    guard path.count > 1 else { return self[name] = .string(secret.reveal()) }
    var members: Self = if case .object(let inner) = self[name] { inner } else { [:] }
    members.put(secret, at: path.dropFirst())
    self[name] = .object(members)
  }
}

extension ServiceURL {
  /// Creates the request to send below a backend's base URL.
  ///
  /// - Parameters:
  ///   - token: authorizes the request.
  ///   - user: whose id stands for `{user}`.
  /// - Throws: ``AuthenticationError/invalidRequest`` if its body cannot be written as JSON.
  package func request(
    _ request: APIRequest, _ token: AccessToken? = nil, of user: User? = nil
  ) throws(AuthenticationError) -> HTTPRequest {
    var sent = try self.request(
      request.method, Self.path(request.path, of: user), query: request.query, request.json)
    if let form = request.form {
      var fields = FormBody()
      for (name, value) in form.sorted(by: { $0.key < $1.key }) { fields.add(name, value.reveal()) }
      (sent.headers, sent.body) = (HTTPRequest(posting: fields, to: url).headers, Data(fields.encoded.utf8))
    }
    sent.headers["Accept"] = "application/json"
    if let token { sent.headers["Authorization"] = token.authorization.reveal() }
    for (name, value) in request.headers { sent.headers[name] = value.reveal() }
    return sent
  }

  /// Puts the user's id where the path says `{user}`.
  private static func path(_ path: String, of user: User?) throws(AuthenticationError) -> String {
    guard path.contains("{user}") else { return path }
    guard let user else { throw .unknownUser(path) }
    return path.replacing("{user}", with: try component(user.id))
  }

  /// An id as a part of a path; one that would lead elsewhere is refused.
  package static func component(_ id: String) throws(AuthenticationError) -> String {
    guard !["", ".", ".."].contains(id), !id.contains("/") else { throw .impossibleID }
    return id
  }
}

extension AuthenticationError {
  fileprivate static func noObject(_ path: String) -> Self {
    Self(
      .invalidRequest, "The body for '\(path)' has secrets and is no JSON object; nothing was sent.",
      suggestion: "Give APIRequest a body that encodes as an object, or none.")
  }
  fileprivate static let impossibleID = Self(
    .invalidRequest, "The id is empty, or has a slash, and would lead to another path; nothing was sent.",
    suggestion: "Give the backend's ids another form.")
  fileprivate static func unknownUser(_ path: String) -> Self {
    Self(
      .invalidConfiguration, "The path '\(path)' names a user, who is not known yet; nothing was sent.",
      suggestion: "Set APIContract.mapIncludedUser, so that a sign-in needs no request for the user.")
  }
}
