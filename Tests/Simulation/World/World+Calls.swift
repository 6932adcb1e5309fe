import AuthenticationDomain
import AuthenticationKit
import Foundation

extension World {
  func signIn(_ userID: String, on client: Client, isNew: Bool = false) {
    let id = calls.count
    let credentials = SimulatedCredentials(userID: userID, call: id)
    attempt(id, "\(isNew ? "sign-up" : "sign-in") \(id) of \(userID)", by: userID, on: client) {
      useCase throws(AuthenticationError) in
      if isNew { return try await useCase.signUp(with: credentials) }
      return try await useCase.signIn(with: credentials)
    }
  }

  func answer(_ challenge: Challenge, on client: Client) {
    let id = calls.count
    attempt(id, "code \(id) of \(challenge.userID)", by: challenge.userID, on: client) {
      useCase throws(AuthenticationError) in
      try await useCase.signIn(with: .answer(to: challenge, code: Secret("\(id)")))
    }
  }

  /// As a process does that is asked to end: its managers drain, and it exits a while after that.
  func drain(_ process: SimulatedProcess) {
    let limit = Duration.seconds(10)
    for client in process.clients {
      call("drain", on: client) { [self] manager in
        let asked = time
        await manager.drain(within: limit)
        guard !process.hasExited else { return "too late" }
        summary.drains += 1
        invariants.drained(client.id, inTime: time < asked + limit)
        timers.add(at: time + exits.duration(upToMilliseconds: 20_000)) { [self] in
          if process.clients.allSatisfy({ invariants.views[$0.id]?.hasDrained == true }) { process.receive(.kill) }
        }
        return "drained"
      }
    }
  }

  private func attempt(
    _ id: Int, _ name: String, by userID: String, on client: Client,
    _ signIn: @escaping @Sendable (any AuthenticationUseCase) async throws(AuthenticationError) -> User
  ) {
    call(name, on: client) { [self] manager in
      do throws(AuthenticationError) {
        let user = try await signIn(client.useCase ?? manager)
        if user.id != userID { invariants.fail("\(userID) signed in as \(user.id)") }
        ended(id, on: client)
        return "signed in"
      } catch {
        ended(id, on: client, error)
        return error.code
      }
    }
  }

  func signOut(on client: Client, revoking: Bool) {
    let family = invariants.family(on: client.id)
    if !revoking { hasForgotten = true }
    call(revoking ? "sign-out" : "clearing", on: client) { [self] manager in
      let attempts = invariants.asksToSignOut(client.id)
      var failure: AuthenticationError?
      do throws(AuthenticationError) {
        if revoking { try await manager.signOut() } else { try await manager.clear() }
      } catch {
        failure = error
      }
      if !client.process.hasExited {
        invariants.signedOut(client.id, from: family, ending: attempts, threw: failure != nil)
      }
      return failure?.code ?? "signed out"
    }
  }

  /// A request to a resource, which perhaps refuses the token it is given.
  func request(on client: Client, isRefused: Bool, lasting wanted: Duration? = nil) {
    call(isRefused ? "refused request" : "request", on: client) { [self] manager in
      client.waitingRequests += 1
      defer { client.waitingRequests -= 1 }
      do throws(AuthenticationError) {
        let begun = steps
        let asked = time
        let session = try await manager.validSession(rejecting: nil, lasting: wanted)
        if time >= asked + .seconds(20) { client.hasLeftRequests = true }
        if steps == begun { returns(session, client) }
        hearDate(manager, session.set, client)
        guard isRefused else { return "\(session.set)" }
        let other = try await manager.validSession(rejecting: session.accessToken, lasting: nil)
        if other.accessToken == session.accessToken {
          invariants.fail("\(client.name) gives the refused \(session.set) again")
        }
        return "\(session.set), then \(other.set)"
      } catch {
        if error != .notSignedIn { client.hasLeftRequests = true }
        return error.code
      }
    }
  }

  /// The same to another resource, which takes its own token only.
  func request(_ resource: ProtectedResource, on client: Client, isRefused: Bool) {
    call("request to \(resource.key)", on: client) { [self] manager in
      client.waitingRequests += 1
      defer { client.waitingRequests -= 1 }
      do throws(AuthenticationError) {
        let begun = steps
        let asked = time
        let session = try await manager.validSession(for: resource)
        if time >= asked + .seconds(20) { client.hasLeftRequests = true }
        check(session, for: resource, client)
        if steps == begun { returns(session, client) }
        guard isRefused else { return "\(session.accessToken.value.reveal())" }
        let other = try await manager.source(for: resource).validSession(rejecting: session.accessToken)
        check(other, for: resource, client)
        if other.accessToken == session.accessToken {
          invariants.fail("\(client.name) gives the refused \(session.accessToken.value.reveal()) again")
        }
        return "\(session.accessToken.value.reveal()), then \(other.accessToken.value.reveal())"
      } catch {
        if error != .notSignedIn { client.hasLeftRequests = true }
        return error.code
      }
    }
  }

  /// The provider tells more of the user: no token changes.
  func learnOfUser(on client: Client) {
    guard let session = client.manager?.state.session else { return }
    let user = User(id: session.user.id, claims: ["learned": .number(Double(steps))])
    call("news of \(user.id)", on: client) { manager in
      do throws(AuthenticationError) {
        try await manager.take(AuthSession(user: user, tokens: session.tokens), upgrading: false)
        return "taken"
      } catch {
        return error.code
      }
    }
  }

  func check(_ session: AuthSession, for resource: ProtectedResource, _ client: Client) {
    let name = session.accessToken.value.reveal()
    if !name.hasSuffix(".\(resource.key)") { invariants.fail("\(client.name) gives \(name) for \(resource.key)") }
    if issuer.user(of: session.set.family) != session.user.id {
      invariants.fail("\(client.name) gives \(name) as \(session.user.id)'s")
    }
  }

  /// The response of the resource has the server's date.
  private func hearDate(_ manager: AuthManager, _ set: TokenSet, _ client: Client) {
    guard let now = providerClock, extras.chance(60) else { return }
    manager.noteServerDate {
      summary.serverDates += 1
      client.dated = (set, time)
      askAgain(client)
      return Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
    }
  }

  /// Asks about when the token ends, by whichever clock.
  private func askAgain(_ client: Client) {
    guard let lifetime = profile.lifetime else { return }
    timers.add(at: time + lifetime * extras.unit() * 1.5) { [self] in
      if intentsLeft > 0, !client.process.hasExited { request(on: client, isRefused: false) }
    }
  }

  /// A token that is given without waiting is good, as far as this manager can know.
  private func returns(_ session: AuthSession, _ client: Client) {
    guard !client.process.hasExited else { return }
    let set = session.set
    invariants.returns(set, by: client.id)
    let name = session.accessToken.value.reveal()
    guard let lifetime = profile.lifetime, let received = receivedAt[name],
      time > received.time + lifetime + .seconds(3), !invariants.stoppedProcesses.contains(client.process.name)
    else { return }
    let isDated = client.dated.map { $0.set == set && time > $0.at + .seconds(1) } ?? false
    if received.by == client.id || isDated {
      invariants.fail("\(client.name) gives \(name), which is over since \(time - received.time - lifetime)")
    }
  }
}
