#if Tools
import Foundation

extension ServerState {
  mutating func process(_ request: RecordedRequest, on endpoint: Endpoint, at now: Date) -> Answer {
    guard endpoint.methods.contains(request.method) else {
      return .error("method_not_allowed", status: 405).adding("Allow", endpoint.methods.joined(separator: ", "))
    }
    return switch endpoint {
    case .signIn: signIn(request.body, at: now)
    case .challenge: challenge(request.body, at: now)
    case .refresh: refresh(request.body, at: now)
    case .signUp: signUp(request.body, at: now)
    case .signOut: signOut(request.body)
    case .user, .notes, .admin: serve(request, on: endpoint, at: now)
    case .passkey: .passkey(ledger.passkeys.askForAssertion(), status: 401)
    case .passwordReset: resetPassword(request.body, at: now)
    case .accountChallenge: answerAccount(request, at: now)
    case .account, .password, .address, .linkedMethods, .factors, .acceptedPasskeys, .sessions:
      account(request, on: endpoint, at: now)
    }
  }

  private mutating func signIn(_ body: Data, at now: Date) -> Answer {
    guard let body = decode(SignInBody.self, body) else { return .invalidRequest }
    do {
      if let sent = try ledger.begin(username: body.username, password: body.password, at: now) {
        return .challenge(sent, ledger.options, status: 401)
      }
      let grant = try ledger.signIn(username: body.username, password: body.password, at: now)
      counters.signIns += 1
      return tokens(grant, on: .signIn)
    } catch {
      return .refusal(error)
    }
  }

  private mutating func challenge(_ body: Data, at now: Date) -> Answer {
    guard let body = decode(ChallengeBody.self, body) else { return .invalidRequest }
    do {
      if body.resend == true {
        return .challenge(try ledger.resend(body.challenge, at: now), ledger.options, status: 401)
      }
      let grant =
        if let passkey = body.passkey {
          try ledger.signIn(passkey, to: body.challenge, at: now)
        } else {
          try ledger.answer(body.challenge, code: body.code ?? "", at: now)
        }
      counters.signIns += 1
      return tokens(grant, on: .signIn)
    } catch {
      return .refusal(error)
    }
  }

  private mutating func refresh(_ body: Data, at now: Date) -> Answer {
    guard let body = decode(RefreshBody.self, body) else { return .invalidRequest }
    do {
      let grant = try ledger.refresh(body.refreshToken, at: now)
      counters.refreshesGranted += 1
      return tokens(grant, on: .refresh)
    } catch {
      counters.refreshesRefused += 1
      if error == .reusedGrant {
        counters.reusesDetected += 1
        counters.familiesRevoked += 1
      }
      return .refusal(error)
    }
  }

  private mutating func signUp(_ body: Data, at now: Date) -> Answer {
    guard let body = decode(SignUpBody.self, body) else { return .invalidRequest }
    do {
      var account = LoopbackIdentityServer.Account(
        username: body.username, password: body.password, email: body.email)
      account.terms = body.terms ?? [:]
      let reply = try ledger.signUp(account, at: now)
      counters.signUps += 1
      switch reply {
      case .grant(let grant): return tokens(grant, on: .signUp, status: 201)
      case .code(let sent): return .challenge(sent, ledger.options, status: 202)
      }
    } catch {
      return .refusal(error)
    }
  }

  private mutating func signOut(_ body: Data) -> Answer {
    let body = decode(SignOutBody.self, body)
    ledger.signOut(refreshToken: body?.refreshToken, accessToken: body?.accessToken)
    counters.signOuts += 1
    return Answer(status: 204)
  }

  private func serve(_ request: RecordedRequest, on endpoint: Endpoint, at now: Date) -> Answer {
    guard let token = request.bearerToken, let owner = ledger.owner(ofAccessToken: token, at: now) else {
      return .invalidToken
    }
    let note = NoteBody(title: "Welcome, \(owner.account.firstName)", author: owner.account.username)
    return switch (endpoint, request.method) {
    case (.user, _): .user(owner.account, lastAuthenticated: owner.lastAuthenticated)
    case (.admin, _): .adminOnly
    case (_, "POST"): .json(note, status: 201)
    default: .json([note])
    }
  }

  private func tokens(_ grant: IdentityGrant, on endpoint: Endpoint, status: Int = 200) -> Answer {
    if case .expiresIn(let text) = faults[endpoint] { return .tokens(grant, expiresIn: text, status: status) }
    let lifetime = ledger.options.accessTokenLifetime
    let seconds = lifetime / .seconds(1)
    let text = lifetime.components.attoseconds == 0 ? "\(lifetime.components.seconds)" : "\(seconds)"
    return .tokens(grant, expiresIn: text, status: status)
  }

  func decode<Body: Decodable>(_ type: Body.Type, _ data: Data) -> Body? {
    try? JSONDecoder().decode(type, from: data)
  }
}
#endif
