import AuthenticationData
import AuthenticationDomain

/// Signs in at Supabase Auth (GoTrue). It keeps no session; in memory it keeps a new password while a code is asked for
/// before it may be set, and the token of a forgotten password's code until the new one is set.
struct SupabaseAuthProvider: ResumingAuthProvider {
  let client: SupabaseClient
  let randomBytes: @Sendable (Int) -> [UInt8]
  let newPassword = NewPassword()
  let secrets = StepSecrets()

  init(project: SupabaseProject, service: ServiceURL, environment: AuthProviderConfiguration.Environment) {
    client = SupabaseClient(
      project: project, service: service, http: environment.httpClient, clock: environment.clock)
    randomBytes = environment.randomBytes
  }

  var project: SupabaseProject { client.project }

  var methods: [SignInMethod] {
    project.methods.filter { $0 != .emailLink || project.redirectURL != nil }
  }

  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    switch credentials {
    case let answer as ChallengeAnswer: try await outcome(self.answer(answer, for: nil))
    case let credentials as PasswordCredentials: try await signIn(credentials)
    case let credentials as EmailCredentials: try await signIn(credentials)
    case let credentials as PhoneCredentials: .challenge(try await send(.text(to: credentials.phoneNumber)))
    case is AnonymousCredentials:
      try await complete(client.session("signup", SupabaseClient.protected([:]), isNew: true))
    case let credentials as NativeCredentials: try await signIn(credentials)
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let token = session.tokens.refresh else { throw .sessionExpired }
    let response = try await exchange(token)
    return try SupabaseSessionResponseMapper.tokens(response, of: session.user.id, receivedAt: client.clock.now)
  }

  /// Of this device alone: the vendor's default would sign out all of them. An access token that has expired ends
  /// nothing, so it is refreshed first. What is refused is gone.
  func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {
    do throws(AuthenticationError) {
      var access = tokens.access.value
      if let expiry = tokens.access.expiresAt, expiry <= client.clock.now, let token = tokens.refresh {
        access = try JSONMembers(await exchange(token)).secret("access_token") ?? access
      }
      _ = try await client.send(.post, "logout", query: ["scope": "local"], as: access, errors: .account)
    } catch {
      guard error.code == .accessTokenRefused || error.code.disposition == .endsSession else { throw error }
    }
  }

  func forgetBegunSignIns() {
    newPassword.forget()
    secrets.forgetAll()
  }

  private func exchange(_ token: RefreshToken) async throws(AuthenticationError) -> HTTPResponse {
    try await client.send(
      .post, "token", query: ["grant_type": "refresh_token"], ["refresh_token": .string(token.value.reveal())],
      errors: .refresh)
  }

  // MARK: Methods

  private func signIn(_ credentials: PasswordCredentials) async throws(AuthenticationError) -> SignInOutcome {
    let address = try SupabaseAddress(typed: credentials.userName)
    do throws(AuthenticationError) {
      let body = address.member.merging(["password": .string(credentials.password.reveal())]) { $1 }
      return try await complete(
        client.session("token", query: ["grant_type": "password"], SupabaseClient.protected(body)))
    } catch {
      guard ["email_not_confirmed", "phone_not_confirmed"].contains(error.providerCode) else { throw error }
      return .challenge(challenge(.confirming(address, by: project.confirmation)))
    }
  }

  private func signIn(_ credentials: EmailCredentials) async throws(AuthenticationError) -> SignInOutcome {
    // The verifier is where the link was asked for; elsewhere the link alone proves nothing.
    if credentials.link != nil { throw .invalidLink }
    let isLink = credentials.method == .emailLink
    return .challenge(try await send(.mail(to: credentials.address, isLink: isLink)))
  }

  private func signIn(_ credentials: NativeCredentials) async throws(AuthenticationError) -> SignInOutcome {
    do throws(AuthenticationError) {
      let signedIn = try await client.session(
        "token", query: ["grant_type": "id_token"], SupabaseClient.protected(try identityToken(credentials)))
      if let name = credentials.name, signedIn.session.user.name == nil {
        // Apple tells it once.
        let whole = [name.given, name.family].compactMap(\.self).joined(separator: " ")
        _ = try? await update(ProfileChanges(name: whole), of: signedIn.session)
      }
      return try await complete(signedIn)
    } catch {
      guard error.providerCode == "provider_email_needs_verification",
        let token = credentials.identityToken, let email = JSONMembers(unverified: token)?["email"]
      else { throw error }
      return .challenge(challenge(.confirming(.email(email), by: project.confirmation)))
    }
  }

  func identityToken(_ credentials: NativeCredentials) throws(AuthenticationError) -> [String: JSONValue] {
    guard let token = credentials.identityToken else { throw .unsupportedMethod(credentials.method) }
    var body: [String: JSONValue] = [
      "provider": .string(credentials.method.id), "id_token": .string(token.reveal()),
    ]
    if let token = credentials.accessToken { body["access_token"] = .string(token.reveal()) }
    if let nonce = credentials.rawNonce { body["nonce"] = .string(nonce.reveal()) }
    return body
  }

  private func outcome(_ step: AccountStep) throws(AuthenticationError) -> SignInOutcome {
    switch step {
    case .session(let session): .session(session)
    case .challenge(let challenge): .challenge(challenge)
    case .done: throw .unexpectedAnswer
    }
  }
}

extension SupabaseAuthProvider: SignUpProvider {
  /// Where the project confirms addresses, a challenge follows. An address that is taken is made known by an account
  /// without identities.
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    guard let credentials = credentials as? PasswordCredentials else {
      return try await signIn(with: credentials)
    }
    let step = SupabaseStep.confirming(try SupabaseAddress(typed: credentials.userName), by: project.confirmation)
    let verifier = step.isLink ? CodeVerifier(random: randomBytes(32)) : nil
    let body = step.address.member.merging(["password": .string(credentials.password.reveal())]) { $1 }
    let response = try await client.send(
      .post, "signup", query: redirect(for: verifier), SupabaseClient.protected(body.proving(verifier)))
    let members = try JSONMembers(response)
    if members["access_token"] != nil {
      return try await complete(
        SupabaseSessionResponseMapper.map(response, isNew: true, receivedAt: client.clock.now))
    }
    _ = try members.required("id")
    if case .array([]) = members.values["identities"] { throw .accountExists }
    return .challenge(challenge(step, verifier))
  }
}
