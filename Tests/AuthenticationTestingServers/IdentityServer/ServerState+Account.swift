#if Tools
import Foundation

/// The account services, as `APIAccountContract.standard` has them on the wire.
extension ServerState {
  typealias Owner = IdentityLedger.Owner

  /// Asks for a code, whether or not there is such an account.
  mutating func resetPassword(_ body: Data, at now: Date) -> Answer {
    guard let body = decode(PasswordResetBody.self, body) else { return .invalidRequest }
    return .challenge(ledger.send(.passwordReset, to: body.account, at: now), ledger.options, status: 200)
  }

  mutating func answerAccount(_ request: RecordedRequest, at now: Date) -> Answer {
    let owner = request.bearerToken.flatMap { ledger.owner(ofAccessToken: $0, at: now) }
    if request.bearerToken != nil, owner == nil { return .invalidToken }
    guard let body = decode(ChallengeBody.self, request.body) else { return .invalidRequest }
    do {
      return try answerAccount(body, owner, at: now)
    } catch {
      return .accountRefusal(error)
    }
  }

  private mutating func answerAccount(
    _ body: ChallengeBody, _ owner: Owner?, at now: Date
  ) throws(IdentityRefusal) -> Answer {
    if body.resend == true {
      return .challenge(try ledger.resend(body.challenge, at: now), ledger.options, status: 200)
    }
    if let passkey = body.passkey {
      try ledger.register(passkey, for: owner, to: body.challenge)
      return .done
    }
    if let password = body.password {
      try ledger.setPassword(password, after: body.challenge)
      return .done
    }
    switch try ledger.answer(body.challenge, code: body.code ?? "", of: owner, at: now) {
    case .done: return .done
    case .code(let sent): return .challenge(sent, ledger.options, status: 200)
    case .newPassword(let step): return .newPassword(step)
    }
  }

  mutating func account(_ request: RecordedRequest, on endpoint: Endpoint, at now: Date) -> Answer {
    guard let token = request.bearerToken, let owner = ledger.owner(ofAccessToken: token, at: now) else {
      return .invalidToken
    }
    do {
      return try account(request, on: endpoint, owner, at: now)
    } catch {
      return .accountRefusal(error)
    }
  }

  private mutating func account(
    _ request: RecordedRequest, on endpoint: Endpoint, _ owner: Owner, at now: Date
  ) throws(IdentityRefusal) -> Answer {
    let member =
      request.path.hasPrefix(endpoint.path + "/") ? String(request.path.dropFirst(endpoint.path.count + 1)) : ""
    switch (endpoint, request.method) {
    case (.linkedMethods, "GET"): return .json(MethodListBody(methods: ledger.methods(of: owner)))
    case (.factors, "GET"): return .json(FactorListBody(factors: ledger.factors(of: owner)))
    case (.acceptedPasskeys, "GET"): return .json(ledger.acceptedPasskeys(of: owner))
    case (.sessions, "GET"): return .json(SessionListBody(sessions: ledger.sessions(of: owner)))
    case (.linkedMethods, "DELETE"): try ledger.unlink(member, from: owner)
    case (.factors, "DELETE"): ledger.removeFactor(member, of: owner)
    case (.sessions, _): ledger.endSession(member, of: owner)
    case (.account, "DELETE"): try ledger.delete(owner, at: now)
    default: return try change(request.body, on: endpoint, owner, at: now)
    }
    return .done
  }

  private mutating func change(
    _ body: Data, on endpoint: Endpoint, _ owner: Owner, at now: Date
  ) throws(IdentityRefusal) -> Answer {
    if endpoint == .password, let body = decode(PasswordChangeBody.self, body) {
      try ledger.changePassword(of: owner, from: body.old, to: body.new)
      return .done
    }
    if endpoint == .address, let body = decode(AddressBody.self, body),
      let purpose = body.email.map(SentCode.Purpose.email) ?? body.phone.map(SentCode.Purpose.phone)
    {
      return .challenge(
        ledger.send(purpose, to: owner.account.username, at: now), ledger.options, status: 200)
    }
    if endpoint == .factors, let body = decode(EnrolmentBody.self, body) {
      return try enrol(body.kind, owner, at: now)
    }
    if endpoint == .linkedMethods, let body = decode(LinkBody.self, body) {
      guard body.method == "password", let password = body.password else { throw .unsupportedMethod }
      try ledger.link(password: password, to: owner)
      return .done
    }
    if endpoint == .account, let name = decode(ProfileBody.self, body)?.name {
      return .user(ledger.rename(owner, to: name), lastAuthenticated: owner.lastAuthenticated)
    }
    return .invalidRequest
  }

  private mutating func enrol(_ kind: String, _ owner: Owner, at now: Date) throws(IdentityRefusal) -> Answer {
    switch kind {
    case "sms":
      return .challenge(
        ledger.send(.secondFactor, to: owner.account.username, at: now), ledger.options, status: 200)
    case "passkey": return .passkey(ledger.passkeys.askForRegistration(of: owner.account), status: 200)
    case "conditional_passkey":
      let request = ledger.passkeys.askForRegistration(
        of: owner.account, conditionally: ledger.options.acceptsConditionalPasskeys)
      return .passkey(request, status: 200)
    default: throw .unsupportedMethod
    }
  }
}

extension Answer {
  fileprivate static let done = Answer(status: 204)

  /// 401 would be about the access token.
  fileprivate static func accountRefusal(_ refusal: IdentityRefusal) -> Answer {
    refusal == .invalidCredentials ? .error("invalid_credentials", status: 400) : .refusal(refusal)
  }
}
#endif
