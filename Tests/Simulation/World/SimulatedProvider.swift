import AuthenticationDomain

/// Presents a person to the simulated provider, and says which call it was.
struct SimulatedCredentials: Credentials {
  let person: String
  let call: Int

  var method: SignInMethod { .password }
  func validate() throws(AuthenticationError) {}
}

/// The provider as one manager reaches it, over the network of its world.
struct SimulatedProvider: RemoteAuthProvider {
  let client: Client
  var world: World { client.world }

  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    guard let credentials = credentials as? SimulatedCredentials else { throw .unsupportedMethod(credentials.method) }
    guard client.process.step() else { throw .cancelled }
    let world = world
    let set: TokenSet = try await client.exchange("a sign-in of \(credentials.person)") {
      if world.random.chance(3) { return .failure(.invalidCredentials) }
      let set = world.issuer.signIn(credentials.person)
      world.invariants.issued(set.family, to: credentials.person, for: credentials.call)
      return .success(set)
    }
    let tokens = try tokens(set, isRenewal: false)
    return .session(AuthSession(user: User(id: credentials.person), tokens: tokens))
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard client.process.step(), let token = session.tokens.refresh else { throw .cancelled }
    let world = world
    let set = TokenSet(token.value)
    let send = world.willSend(set, from: client)
    let renewed: TokenSet = try await client.exchange("a refresh of \(set)") {
      do throws(Issuer.RefusalError) {
        return .success(try world.issuer.refresh(set, at: world.time).get())
      } catch {
        world.note("the provider refuses \(set): \(error.refusal)")
        if error.refusal == .reuse { world.noteReuse(of: set, by: send) }
        return .failure(.sessionRejected)
      }
    } arrived: { result in
      world.arrived(result, for: send, refusal: world.issuer.refusal(of: set.family))
    }
    return try tokens(renewed, isRenewal: true)
  }

  func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {
    guard client.process.step() else { throw .cancelled }
    let world = world
    let set = TokenSet(tokens.access.value)
    world.invariants.willRevoke(set.family, by: client.id)
    let _: Void = try await client.exchange("a revocation of \(set)") {
      world.issuer.revoke(set.family, because: .revokedByClient)
      return .success(())
    }
  }

  private func tokens(_ set: TokenSet, isRenewal: Bool) throws(AuthenticationError) -> SessionTokens {
    let access = try AccessToken(
      Secret(set.description), receivedAt: world.wallClock, lifetime: world.profile.lifetime)
    let refresh = TokenSet(family: set.family, rotation: world.profile.rotates ? set.rotation : 0)
    if isRenewal, !world.profile.rotates { return SessionTokens(access: access) }
    return SessionTokens(access: access, refresh: RefreshToken(Secret(refresh.description)))
  }
}

typealias TokenSet = Issuer.TokenSet

extension TokenSet {
  /// Tokens of the simulation are their own names.
  init(_ value: Secret) {
    let parts = value.reveal().split(separator: ".").compactMap { Int($0) }
    self.init(family: parts[0], rotation: parts[1])
  }
}

extension AuthSession {
  var set: TokenSet { TokenSet(accessToken.value) }
}

extension World {
  func willSend(_ token: TokenSet, from client: Client) -> Int {
    summary.refreshes += 1
    let journal = disk.record?.session?.tokens.refresh.map { TokenSet($0.value) } == token
    return invariants.willSend(
      token, by: client.id, of: client.process.name, journal: journal ? disk.record?.unsettledRenewal?.sends ?? 0 : 0,
      at: time)
  }

  func noteReuse(of token: TokenSet, by send: Int) {
    invariants.cameLate(send)
    if !profile.storeFails { invariants.reused(send, spentAt: issuer.spentAt(token) ?? .zero) }
  }

  func arrived(_ result: Result<TokenSet, AuthenticationError>, for send: Int, refusal: Issuer.Refusal?) {
    switch result {
    case .success: invariants.ended(send, .renewed, at: time)
    case .failure(.sessionRejected): invariants.ended(send, .refused(refusal ?? .unknown), at: time)
    case .failure(let error) where Self.unprocessed.contains(error.code):
      invariants.ended(send, .unprocessed, at: time)
    case .failure(let error):
      summary.lostAnswers += 1
      invariants.ended(send, error.code == .serverFailed ? .failed : .lost, at: time)
    }
  }

  private static let unprocessed: Set<AuthenticationError.Code> = [
    .unreachable, .rateLimited, .endpointMissing, .insecureConnection,
  ]
}
