import AuthenticationDomain
import Foundation

/// Presents a user to the simulated provider, and says which call it was.
struct SimulatedCredentials: Credentials {
  let userID: String
  let call: Int

  var method: SignInMethod { .password }
  func validate() throws(AuthenticationError) {}
}

/// The provider as one manager reaches it, over the network of its world.
struct SimulatedProvider: ResourceAuthProvider {
  let client: Client
  var world: World { client.world }

  var createsAccounts: Bool { true }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    if let answer = request.credentials as? ChallengeAnswer { return try await finish(answer) }
    guard let credentials = request.credentials as? SimulatedCredentials else {
      throw .unsupportedMethod(request.credentials.method)
    }
    if credentials.call >= World.firstCallOfAttempts { return try await signIn(byForm: credentials) }
    guard begin(credentials.call) else { throw .cancelled }
    if world.extras.chance(world.profile.extras.challengePercent) { return try await challenge(credentials) }
    let world = world
    return try await session(of: credentials.userID, for: credentials.call) {
      world.random.chance(3) ? .invalidCredentials : nil
    }
  }

  func begin(_ call: Int) -> Bool {
    guard client.process.step() else { return false }
    world.invariants.signInBegan(call, on: client.id)
    return true
  }

  private func challenge(_ credentials: SimulatedCredentials) async throws(AuthenticationError) -> SignInOutcome {
    let world = world
    let handle = "\(credentials.userID)/\(credentials.call)"
    let asked: String = try await client.exchange("a sign-in of \(credentials.userID)") {
      .success(handle)
    } arrived: { [client] result in
      guard case .success = result else { return }
      world.summary.challenges += 1
      world.invariants.asked(handle, for: credentials.call, on: client.id)
    }
    return .challenge(Challenge(kind: .smsCode, handle: Secret(asked)))
  }

  private func finish(_ answer: ChallengeAnswer) async throws(AuthenticationError) -> SignInOutcome {
    if world.issuer.knows(answer.challenge.handle.reveal()) { return try await signIn(by: answer) }
    guard let call = Int(answer.code.reveal()), begin(call) else { throw .cancelled }
    let world = world
    return try await session(of: answer.challenge.userID, for: call) {
      switch world.extras.below(10) {
      case 0: .invalidCredentials
      case 1: .simulatedExpiry
      default: nil
      }
    }
  }

  func session(
    of userID: String, for call: Int, refusal: @escaping () -> AuthenticationError?
  ) async throws(AuthenticationError) -> SignInOutcome {
    let world = world
    let set: TokenSet = try await client.exchange("a sign-in of \(userID)") {
      if let refusal = refusal() { return .failure(refusal) }
      let set = world.issuer.signIn(userID)
      world.invariants.issued(set.family, to: userID, for: call)
      return .success(set)
    } arrived: { [client] result in
      if case .success(let set) = result { world.invariants.reached(set.family, client.id, of: client.process.name) }
    }
    return .session(AuthSession(user: User(id: userID), tokens: try tokens(set, isRefresh: false)))
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try tokens(try await refreshed(session), isRefresh: true)
  }

  /// The provider has no token for the resource now and then, or gives one for another resource instead.
  func refresh(
    _ session: AuthSession, for resource: ProtectedResource
  ) async throws(AuthenticationError) -> ResourceTokens {
    let world = world
    let set = try await refreshed(session) { world.resources.chance(8) ? .resourceRefused : nil }
    let isOther = world.resources.chance(8)
    world.summary.resourceTokens += 1
    let name = isOther ? "\(set).other" : "\(set).\(resource.key)"
    return ResourceTokens(
      try tokens(set, named: name, isRefresh: true), refusal: isOther ? .resourceRefused : nil)
  }

  private func refreshed(
    _ session: AuthSession, refusal: @escaping () -> AuthenticationError? = { nil }
  ) async throws(AuthenticationError) -> TokenSet {
    guard client.process.step(), let token = session.tokens.refresh else { throw .cancelled }
    let world = world
    let set = TokenSet(token)
    let send = world.willSend(set, from: client)
    return try await client.exchange("a refresh of \(set)") {
      if let refusal = refusal() { return .failure(refusal) }
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
  }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    if keepingOtherSessions, world.profile.extras.revokesOneSession { return try await end(tokens) }
    guard client.process.step() else { throw .cancelled }
    let world = world
    let set = TokenSet(tokens.access.value)
    world.invariants.willRevoke(set.family, by: client.id)
    if world.profile.extras.revokesOneSession, let state = client.manager?.state {
      world.invariants.willEndAll(of: set.family, by: client.id, showing: Shown(state))
    }
    let _: Void = try await client.exchange("a revocation of \(set)") {
      world.issuer.revoke(set.family, because: .revokedByClient)
      return .success(())
    }
  }

  /// Ends this session alone.
  private func end(_ tokens: SessionTokens) async throws(AuthenticationError) {
    guard client.process.step() else { throw .cancelled }
    let world = world
    let set = TokenSet(tokens.access.value)
    let _: Void = try await client.exchange("the end of \(set) alone") {
      world.invariants.revokedAlone(set.family)
      return .success(())
    }
  }

  private func tokens(
    _ set: TokenSet, named name: String? = nil, isRefresh: Bool
  ) throws(AuthenticationError) -> SessionTokens {
    let access = try world.accessToken(named: name ?? set.description)
    world.receivedAt[access.value.reveal()] = (world.time, client.id)
    let refresh = TokenSet(family: set.family, rotation: world.profile.rotates ? set.rotation : 0)
    if isRefresh, !world.profile.rotates { return SessionTokens(access: access) }
    // Not the access token's own text: then it would be one that refreshes itself.
    return SessionTokens(access: access, refresh: Secret("\(refresh).refresh"))
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
  /// The latest that it has of its family: after a refresh for a resource the access token is an earlier one.
  var set: TokenSet {
    let access = TokenSet(accessToken.value)
    guard let refresh = tokens.refresh.map({ TokenSet($0) }) else { return access }
    return access.rotation < refresh.rotation ? refresh : access
  }
}

extension Challenge {
  /// The handle of a simulated one says whose it is, and of which attempt.
  var userID: String { String(handle.reveal().prefix { $0 != "/" }) }
}

extension World {
  func accessToken(named name: String) throws(AuthenticationError) -> AccessToken {
    let offset = providerClock.map { Duration.seconds($0.timeIntervalSince(wallClock).rounded()) }
    return try AccessToken(
      Secret(name), receivedAt: wallClock, lifetime: profile.lifetime, clockOffset: offset)
  }

  func willSend(_ token: TokenSet, from client: Client) -> Int {
    summary.refreshes += 1
    if profile.usesLocks, refreshLock !== client { invariants.fail("\(client.name) sends \(token) without the lock") }
    if client.process.isCommand, client.waitingRequests == 0, !client.hasLeftRequests {
      invariants.fail("\(client.name), a command, sends \(token) while no caller waits for it")
    }
    let journal = disk.record?.session?.tokens.refresh.map { TokenSet($0) } == token
    return invariants.willSend(
      token, by: client.id, of: client.process.name, journal: journal ? disk.record?.refreshJournal?.sends ?? 0 : 0,
      at: time)
  }

  func noteReuse(of token: TokenSet, by send: Int) {
    invariants.cameLate(send)
    if !profile.storeFails { invariants.reused(send, spentAt: issuer.spentAt(token) ?? .zero) }
  }

  func arrived(_ result: Result<TokenSet, AuthenticationError>, for send: Int, refusal: Issuer.Refusal?) {
    switch result {
    case .success: invariants.ended(send, .refreshed, at: time)
    case .failure(.sessionRejected): invariants.ended(send, .refused(refusal ?? .unknown), at: time)
    case .failure(let error) where Self.unprocessed.contains(error) || error.response == .refused:
      invariants.ended(send, .unprocessed, at: time)
      if error.response == .refused { invariants.refusedOddly(send) }
    case .failure(let error):
      summary.lostAnswers += 1
      invariants.ended(send, error == .serverFailed || error.response == .unusable ? .failed : .lost, at: time)
    }
  }

  private static let unprocessed: Set<AuthenticationError> = [
    .unreachable, .rateLimited, .endpointMissing, .insecureConnection, .resourceRefused,
  ]
}
