#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Crypto
import Foundation

extension CognitoDialect {
  mutating func initiate(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let parameters = try texts(body, "AuthParameters")
    let flow = try body.text("AuthFlow")
    if flow == "REFRESH_TOKEN_AUTH" {
      if options.rotatesRefreshTokens {
        throw .cognito("NotAuthorizedException", "Refresh token rotation is enabled for the client.")
      }
      return try refresh(parameters["REFRESH_TOKEN"], now)
    }
    guard let name = parameters["USERNAME"] else { throw .cognito("InvalidParameterException") }
    switch flow {
    case "USER_PASSWORD_AUTH":
      return afterFirstFactor(try account(name, password: parameters["PASSWORD"]), now)
    case "USER_AUTH":
      guard let account = self.account(named: name) else { throw .cognitoCredentials }
      if account.isDisabled { throw .cognito("NotAuthorizedException", "User is disabled.") }
      switch parameters["PREFERRED_CHALLENGE"] {
      case "EMAIL_OTP"? where account.email != nil: return ask("EMAIL_OTP", of: account, at: account.email, now)
      case "SMS_OTP"? where account.phone != nil: return ask("SMS_OTP", of: account, at: account.phone, now)
      default: throw .cognito("InvalidParameterException")
      }
    default:
      throw .cognito("InvalidParameterException", "\(flow ?? "") is not enabled for the client.")
    }
  }

  func texts(_ body: VendorMembers, _ name: String) throws(VendorRefusal) -> [String: String] {
    let members = try body.object(name) ?? [:]
    let texts = members.compactMapValues(\.text)
    guard texts.count == members.count else { throw body.refusal }
    return texts
  }

  /// The user name, or an address.
  func account(named name: String) -> CognitoAccount? {
    accounts[name] ?? accounts.values.first { [$0.email, $0.phone, $0.subject].contains(name) }
  }

  func account(_ name: String, password: String?) throws(VendorRefusal) -> CognitoAccount {
    guard let account = self.account(named: name), account.password != nil, account.password == password else {
      throw .cognitoCredentials
    }
    if account.isDisabled { throw .cognito("NotAuthorizedException", "User is disabled.") }
    if !account.isConfirmed { throw .cognito("UserNotConfirmedException", "User is not confirmed.") }
    return account
  }

  private mutating func afterFirstFactor(_ account: CognitoAccount, _ now: Date) -> [String: JSONValue] {
    if account.mustChangePassword {
      return ask(
        "NEW_PASSWORD_REQUIRED", of: account, now, with: ["userAttributes": "{}", "requiredAttributes": "[]"])
    }
    switch (account.factorSecret != nil, account.hasPhoneFactor) {
    case (true, true):
      return ask(
        "SELECT_MFA_TYPE", of: account, now, with: ["MFAS_CAN_CHOOSE": #"["SMS_MFA","SOFTWARE_TOKEN_MFA"]"#])
    case (true, false): return ask("SOFTWARE_TOKEN_MFA", of: account, now, with: ["FRIENDLY_DEVICE_NAME": "App"])
    case (false, true): return ask("SMS_MFA", of: account, at: account.phone, now)
    case (false, false): return signedIn(account, now)
    }
  }

  /// Asks for a step; with an address a code is sent there.
  private mutating func ask(
    _ challenge: String, of account: CognitoAccount, at address: String? = nil, _ now: Date,
    with parameters: [String: JSONValue] = [:]
  ) -> [String: JSONValue] {
    let session = "session-" + OpaqueToken.make()
    var step = CognitoStep(
      userName: account.userName, challenge: challenge,
      expiresAt: now.addingTimeInterval(options.stepLifetime / .seconds(1)))
    var parameters = parameters
    parameters["USER_ID_FOR_SRP"] = .string(account.userName)
    if let address {
      step.code = send(to: address, length: challenge.hasSuffix("OTP") ? 8 : 6)
      parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] = address.contains("@") ? "EMAIL" : "SMS"
      parameters["CODE_DELIVERY_DESTINATION"] = .string("\(address.prefix(1))***")
    }
    steps[session] = step
    return [
      "ChallengeName": .string(challenge), "ChallengeParameters": .object(parameters), "Session": .string(session),
    ]
  }

  mutating func send(to address: String, length: Int = 6) -> String {
    let code = Digits.code(messages.count + 1, length: length)
    messages.append(.init(address: address, code: code))
    return code
  }

  mutating func respond(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let responses = try texts(body, "ChallengeResponses")
    let challenge = try body.text("ChallengeName")
    guard let session = try body.text("Session"), let step = steps[session], step.challenge == challenge,
      now < step.expiresAt, var account = accounts[step.userName],
      account.userName == responses["USERNAME"].flatMap({ self.account(named: $0) })?.userName
    else { throw .cognitoSession }
    switch step.challenge {
    case "NEW_PASSWORD_REQUIRED":
      account.password = try Self.checked(responses["NEW_PASSWORD"])
      account.mustChangePassword = false
      accounts[account.userName] = account
      steps[session] = nil
      return afterFirstFactor(account, now)
    case "SELECT_MFA_TYPE":
      steps[session] = nil
      return responses["ANSWER"] == "SMS_MFA"
        ? ask("SMS_MFA", of: account, at: account.phone, now) : ask("SOFTWARE_TOKEN_MFA", of: account, now)
    case "SOFTWARE_TOKEN_MFA":
      guard let secret = account.factorSecret, let code = responses["SOFTWARE_TOKEN_MFA_CODE"],
        let used = OneTimePassword.step(of: code, secret: secret, at: now), account.lastStep.map({ used > $0 }) ?? true
      else { throw .cognito("CodeMismatchException") }
      accounts[account.userName]?.lastStep = used
    default:
      guard responses["\(step.challenge)_CODE"] == step.code else { throw .cognito("CodeMismatchException") }
    }
    steps[session] = nil
    return signedIn(account, now)
  }
}

/// The pages and the endpoints of the pool's domain.
extension CognitoDialect {
  /// `authorize`, `logout`, or a grant as in `token authorization_code`.
  func managedOperation(_ request: VendorRequest) -> String? {
    switch (request.method, request.path.joined(separator: "/")) {
    case ("GET", "oauth2/authorize"): "authorize"
    case ("POST", "oauth2/token"): "token \(request.form?["grant_type"] ?? "")"
    case ("GET", "logout"): "logout"
    default: nil
    }
  }

  mutating func managed(
    _ request: VendorRequest, _ operation: String, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    switch operation {
    case "authorize": return authorize(request.query, now)
    case "logout": return logout(request.query)
    default: return .json(try exchange(request.form ?? Fields(""), now))
    }
  }

  /// Nothing is redirected to an address that is not registered.
  private mutating func authorize(_ query: Fields, _ now: Date) -> Answer {
    guard !query.hasRepetition, query["client_id"] == options.clientID, let redirectURI = query["redirect_uri"],
      options.redirectURIs.contains(redirectURI)
    else { return .page("redirect_mismatch", status: 400) }
    let provider = query["identity_provider"]
    let identifier = query["idp_identifier"]
    guard provider.map({ options.identityProviders[$0] != nil }) ?? true,
      identifier.map({ options.identityProviders.values.contains($0) }) ?? true
    else { return .page("Login pages unavailable", status: 400) }
    guard query["response_type"] == "code", query["code_challenge_method"] == "S256",
      let challenge = query["code_challenge"], challenge.count == 43
    else { return redirect(to: redirectURI, ["error": "invalid_request"], query) }
    let asked = Set((query["scope"] ?? "").split(separator: " ").map(String.init))
    guard asked.isSubset(of: options.scopes) else {
      return redirect(to: redirectURI, ["error": "invalid_scope"], query)
    }
    if query["prompt"] == "none", browserUser == nil {
      return redirect(to: redirectURI, ["error": "login_required"], query)
    }
    switch user {
    case .approves(let account):
      let userName = enter(account, by: provider ?? "COGNITO")
      browserUser = userName
      let code = OpaqueToken.make()
      managedCodes[code] = CognitoCode(
        userName: userName, redirectURI: redirectURI, challenge: challenge, nonce: query["nonce"],
        // Without any it is all of the client.
        scopes: asked.isEmpty ? options.scopes : asked, expiresAt: now.addingTimeInterval(300))
      return redirect(to: redirectURI, ["code": code], query)
    case .declines: return redirect(to: redirectURI, ["error": "access_denied"], query)
    case .causes(let error): return redirect(to: redirectURI, ["error": error], query)
    case .types, .leaves: return .page("Sign in")
    }
  }

  /// The account of the pool's own directory, or the one that stands for a user of another provider.
  private mutating func enter(_ account: LoopbackOpenIDIssuer.Account, by provider: String) -> String {
    let userName = provider == "COGNITO" ? account.username : "\(provider)_\(account.subject)"
    if accounts[userName] == nil {
      var new = CognitoAccount(userName: userName, subject: nextID("sub"))
      (new.email, new.isConfirmed) = (account.email, true)
      accounts[userName] = new
    }
    return userName
  }

  private func redirect(to uri: String, _ own: [String: String], _ query: Fields) -> Answer {
    let parameters = own.merging(["state": query["state"]].compactMapValues(\.self)) { own, _ in own }
    let text = parameters.sorted { $0.key < $1.key }.map { "\($0)=\(Fields.encode($1))" }.joined(separator: "&")
    return Answer(status: 302, headers: ["Location": "\(uri)?\(text)"])
  }

  /// The response has no `scope`.
  private mutating func exchange(_ form: Fields, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    guard form["client_id"] == options.clientID else { throw VendorRefusal(code: "invalid_client") }
    guard form["grant_type"] == "authorization_code" else { throw VendorRefusal(code: "unsupported_grant_type") }
    guard let code = form["code"].flatMap({ managedCodes.removeValue(forKey: $0) }), now < code.expiresAt,
      form["redirect_uri"] == code.redirectURI, let verifier = form["code_verifier"],
      URLSafe.encode(Data(SHA256.hash(data: Data(verifier.utf8)))) == code.challenge,
      let account = accounts[code.userName]
    else { throw VendorRefusal(code: "invalid_grant") }
    var claims: [String: JSONValue] = ["nonce": .optional(code.nonce)]
    claims.merge(claimsOfManagedLogin) { $1 }
    let tokens = newTokens(of: account, code.scopes, now, adding: claims)
    return [
      "access_token": tokens["AccessToken"], "id_token": tokens["IdToken"], "refresh_token": tokens["RefreshToken"],
      "token_type": "Bearer", "expires_in": tokens["ExpiresIn"],
    ].compactMapValues(\.self)
  }

  /// Ends the browser's session, and no token; no `state` comes back.
  private mutating func logout(_ query: Fields) -> Answer {
    guard query["client_id"] == options.clientID, let uri = query["logout_uri"], options.logoutURIs.contains(uri) else {
      return .page("Required String parameter 'redirect_uri' is not present", status: 400)
    }
    browserUser = nil
    return Answer(status: 302, headers: ["Location": uri])
  }
}
#endif
