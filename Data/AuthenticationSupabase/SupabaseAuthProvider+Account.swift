import AuthenticationData
import AuthenticationDomain

extension SupabaseAuthProvider: ProfileProvider, LinkingProvider, SessionListProvider, AddressProvider {
  func userBody(of session: AuthSession) async throws(AuthenticationError) -> JSONMembers {
    try JSONMembers(await client.send(.get, "user", as: session.accessToken.value, errors: .account))
  }

  func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    try SupabaseUserResponseMapper.map(await userBody(of: session))
  }

  func update(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthenticationError) -> User {
    var data = changes.claims
    if let name = changes.name { data["full_name"] = .string(name) }
    if let picture = changes.picture { data["avatar_url"] = .string(picture) }
    if let locale = changes.locale { data["locale"] = .string(locale) }
    return try await change(["data": .object(data)], of: session)
  }

  func change(
    _ body: [String: JSONValue], _ verifier: CodeVerifier? = nil, of session: AuthSession,
    errors: SupabaseErrors = .account
  ) async throws(AuthenticationError) -> User {
    let response = try await client.send(
      .put, "user", query: redirect(for: verifier), as: session.accessToken.value, body.proving(verifier),
      errors: errors)
    return try SupabaseUserResponseMapper.map(JSONMembers(response))
  }

  // MARK: Addresses

  func verify(_ address: AccountAddress, of session: AuthSession) async throws(AuthenticationError) -> AccountStep {
    try await change(to: SupabaseAddress(address), of: session)
  }

  /// - Parameter password: the name of one that is set when the address is confirmed.
  func change(
    to address: SupabaseAddress, of session: AuthSession, password: String? = nil
  ) async throws(AuthenticationError) -> AccountStep {
    let isLink = project.confirmation == .link && !address.isPhone
    let verifier = isLink ? CodeVerifier(random: randomBytes(32)) : nil
    let user = try await change(address.member, verifier, of: session, errors: .linking)
    guard address.isConfirmed(for: user) else {
      let step = SupabaseStep(purpose: .change, address: address, isLink: isLink)
      return .challenge(challenge(step, verifier, password: password))
    }
    let changed = AuthSession(user: user, tokens: session.tokens)
    guard let password else { return .session(changed) }
    return .session(try await setPassword(newPassword.body(password), of: changed))
  }

  // MARK: Ways to sign in

  func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    SupabaseUserResponseMapper.linkedMethods(try await userBody(of: session))
  }

  /// An anonymous account is upgraded, and keeps its user id.
  func link(
    _ credentials: any Credentials, to session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep {
    switch credentials {
    case let credentials as EmailCredentials: return try await change(to: .email(credentials.address), of: session)
    case let credentials as PhoneCredentials: return try await change(to: .phone(credentials.phoneNumber), of: session)
    case let credentials as PasswordCredentials:
      let password = newPassword.keep(credentials.password)
      return try await change(to: SupabaseAddress(typed: credentials.userName), of: session, password: password)
    case let credentials as NativeCredentials:
      let body = try identityToken(credentials).merging(["link_identity": true]) { $1 }
      return try await complete(
        client.session(
          "token", query: ["grant_type": "id_token"], as: session.accessToken.value, body, errors: .linking)
      ).step
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  func unlink(_ method: LinkedMethod, from session: AuthSession) async throws(AuthenticationError) {
    _ = try await client.send(
      .delete, "user/identities/\(method.id)", as: session.accessToken.value, errors: .account)
  }

  // MARK: Sessions

  /// The service lists none: this one, and one entry for all others.
  func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession] {
    let id = JSONMembers(unverified: session.accessToken.value)?["session_id"]
    return [RemoteSession(id: id ?? "current", isCurrent: true), RemoteSession(id: "others", isCurrent: false)]
  }

  func end(_ remote: RemoteSession, of session: AuthSession) async throws(AuthenticationError) {
    _ = try await client.send(
      .post, "logout", query: ["scope": remote.isCurrent ? "local" : "others"], as: session.accessToken.value,
      errors: .account)
  }
}
