#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Crypto
import Foundation

/// The provider's page, and the emulator's in its place.
extension FirebaseDialect {
  /// `page` of a provider, `handler` of the emulator.
  static func page(_ request: VendorRequest) -> String? {
    switch request.path {
    case ["provider", "authorize"]: "page"
    case ["emulator", "auth", "handler"]: "handler"
    default: nil
    }
  }

  mutating func createAuthURI(_ body: VendorMembers) throws(VendorRefusal) -> [String: JSONValue] {
    guard let provider = try body.text("providerId") else { throw .firebase("MISSING_IDENTIFIER") }
    if options.isEmulator {
      throw VendorRefusal(
        code: "Sign-in with IDP is not yet supported.", status: 501, members: ["status": "NOT_IMPLEMENTED"])
    }
    guard let continueURI = try body.text("continueUri"), URL(string: continueURI)?.scheme != nil else {
      throw .firebase("MISSING_CONTINUE_URI")
    }
    let (state, session) = (OpaqueToken.make(), try body.text("sessionId") ?? OpaqueToken.make())
    begunPages[state] = FirebaseBegunPage(providerID: provider, continueURI: continueURI, sessionID: session)
    let query = ["redirect_uri": continueURI, "state": state, "response_type": "code", "client_id": "at-\(provider)"]
    let text = query.sorted { $0.key < $1.key }.map { "\($0)=\(Fields.encode($1))" }.joined(separator: "&")
    return [
      "authUri": .string("\(origin)/provider/authorize?\(text)"), "sessionId": .string(session),
      "providerId": .string(provider),
    ]
  }

  mutating func show(_ page: String, _ query: Fields, _ now: Date) -> Answer {
    page == "page" ? authorize(query) : handle(query)
  }

  /// The provider returns only to an address that is registered there.
  private mutating func authorize(_ query: Fields) -> Answer {
    guard let uri = query["redirect_uri"], options.continueURIs.contains(uri), let state = query["state"],
      let begun = begunPages[state]
    else { return .page("redirect_uri_mismatch", status: 400) }
    switch user {
    case .approves(let account):
      let code = OpaqueToken.make()
      begunPages[state]?.codes[code] = FirebaseIdentity(
        providerID: begun.providerID, subject: account.subject, email: account.email, name: account.name)
      return Self.redirect(to: uri, ["state": state, "code": code])
    case .declines: return Self.redirect(to: uri, ["state": state, "error": "access_denied"])
    case .causes(let error): return Self.redirect(to: uri, ["state": state, "error": error])
    case .types, .leaves: return .page("Sign in")
    }
  }

  /// The emulator's page, which returns by the app's custom scheme, with claims in place of a token.
  private func handle(_ query: Fields) -> Answer {
    guard options.isEmulator, query["apiKey"] == options.apiKey, let provider = query["providerId"],
      let event = query["eventId"], let client = query["clientId"], query["authType"] == "signInWithRedirect",
      query["sessionId"]?.count == 64, query["ibi"] != nil
    else { return .page("Auth Emulator IDP Login Widget", status: 400) }
    var inner = ["authType": "signInWithRedirect", "eventId": event, "providerId": provider]
    switch user {
    case .approves(let account):
      let claims = VendorToken.json([
        "sub": .string(account.subject), "email": .string(account.email), "name": .string(account.name),
      ])
      let answer = ["providerId": provider, "id_token": String(decoding: claims, as: UTF8.self)]
      inner["link"] = Self.address("http://localhost", answer)
    case .declines: inner["firebaseError"] = #"{"code":"auth/user-cancelled","message":"canary"}"#
    case .causes(let error): inner["firebaseError"] = #"{"code":"auth/\#(error)","message":"canary"}"#
    case .types, .leaves: return .page("Sign in")
    }
    let scheme = client.split(separator: ".").reversed().joined(separator: ".")
    let deepLink = Self.address("\(origin)/emulator/auth/handler", inner)
    return Self.redirect(to: "\(scheme)://firebaseauth/link", ["deep_link_id": deepLink])
  }

  private static func redirect(to uri: String, _ query: [String: String]) -> Answer {
    Answer(status: 302, headers: ["Location": address(uri, query)])
  }

  private static func address(_ uri: String, _ query: [String: String]) -> String {
    uri + "?" + query.sorted { $0.key < $1.key }.map { "\($0)=\(Fields.encode($1))" }.joined(separator: "&")
  }

  /// The user of a page that `createAuthUri` began; nil if the request URI is the response of none. Its code is
  /// used once.
  mutating func returnedIdentity(
    _ requestURI: String, _ provider: String?, _ session: String?
  ) throws(VendorRefusal) -> FirebaseIdentity? {
    let query = Self.query(of: requestURI)
    guard let state = query["state"], let begun = begunPages[state] else { return nil }
    guard begun.sessionID == session else { throw .firebase("INVALID_IDP_RESPONSE : canary") }
    guard begun.providerID == provider, requestURI.hasPrefix(begun.continueURI + "?"),
      let identity = query["code"].flatMap({ begun.codes[$0] })
    else { throw .firebase("INVALID_IDP_RESPONSE : canary") }
    begunPages[state] = nil
    return identity
  }

  /// The emulator's form of a token: claims in JSON.
  func emulatedIdentity(_ text: String, _ provider: String?) throws(VendorRefusal) -> FirebaseIdentity {
    let claims = try? JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
    guard options.isEmulator, let provider, let claims, let subject = claims["sub"]?.text else {
      throw .firebase("INVALID_IDP_RESPONSE : canary")
    }
    return FirebaseIdentity(
      providerID: provider, subject: subject, email: claims["email"]?.text, name: claims["name"]?.text)
  }

  static func idToken(inResponse requestURI: String) -> String? { query(of: requestURI)["id_token"] }

  private static func query(of address: String) -> Fields {
    Fields(String(address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }))
  }
}

extension FirebaseDialect {
  /// With `returnIdpCredential` a refusal to link arrives as 200 with `errorMessage`.
  mutating func signInWithIdentityProvider(
    _ body: VendorMembers, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    try requireTokens(body)
    let wantsCredential = try body.flag("returnIdpCredential")
    guard let requestURI = try body.text("requestUri"), URL(string: requestURI)?.scheme != nil else {
      throw .firebase("MISSING_REQUEST_URI")
    }
    var form = Fields(try body.text("postBody") ?? "")
    let identity =
      if let returned = try returnedIdentity(requestURI, form["providerId"], body.text("sessionId")) {
        returned
      } else if let answered = Self.idToken(inResponse: requestURI) {
        try emulatedIdentity(answered, form["providerId"])
      } else {
        try self.identity(form, now)
      }
    if form["id_token"] == nil, form["access_token"] == nil { form = Fields(["id_token": "of-the-page"]) }
    let federated: [String: JSONValue] = [
      "federatedId": .string("https://\(identity.providerID)/\(identity.subject)"),
      "providerId": .string(identity.providerID), "rawUserInfo": .string(rawUserInfo(identity)),
      "oauthIdToken": .optional(form["id_token"]), "oauthAccessToken": .optional(form["access_token"]),
      "oauthExpireIn": form["access_token"] == nil ? .null : "3599",
    ]
    let known = accounts.values.first { account in
      account.identities.contains { $0.providerID == identity.providerID && $0.subject == identity.subject }
    }
    if body.values["idToken"] != nil {
      let owner = try self.owner(of: body, now).account
      let taken = identity.email.flatMap { self.account(email: $0) }
      var refusal: String?
      if let taken, taken.id != owner.id { refusal = "EMAIL_EXISTS" }
      if let known, known.id != owner.id { refusal = "FEDERATED_USER_ID_ALREADY_LINKED" }
      guard let refusal else { return try enter(owner, identity, isNew: false, now).merging(federated) { $1 } }
      if wantsCredential { return federated.merging(["errorMessage": .string(refusal)]) { $1 } }
      throw .firebase(refusal)
    }
    if let known { return try enter(known, identity, isNew: false, now).merging(federated) { $1 } }
    if let email = identity.email, let other = self.account(email: email) {
      let providers = other.identities.map { JSONValue.string($0.providerID) }
      return federated.merging([
        "needConfirmation": true, "email": .string(email),
        "verifiedProvider": .array(providers.isEmpty ? ["password"] : providers),
      ]) { $1 }
    }
    guard try body.flag("autoCreate") else { throw .firebase("USER_NOT_FOUND") }
    return try enter(makeAccount(at: now), identity, isNew: true, now).merging(federated) { $1 }
  }

  private mutating func enter(
    _ account: FirebaseAccount, _ identity: FirebaseIdentity, isNew: Bool, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    var account = account
    account.identities.removeAll { $0.providerID == identity.providerID && $0.subject == identity.subject }
    account.identities.append(identity)
    if account.email == nil, let email = identity.email { (account.email, account.isEmailVerified) = (email, true) }
    account.displayName = account.displayName ?? identity.name
    return try signIn(account, by: identity.providerID, isNew: isNew, now)
  }

  /// The user at the other provider; tokens are those of ``VendorToken``.
  private func identity(_ form: Fields, _ now: Date) throws(VendorRefusal) -> FirebaseIdentity {
    guard let provider = form["providerId"] else { throw .firebase("MISSING_OR_INVALID_PROVIDER_ID") }
    let isNonceHashed = provider == "apple.com"
    guard let token = form["id_token"] else {
      guard ["google.com", "facebook.com", "github.com"].contains(provider), let access = form["access_token"] else {
        throw .firebase("INVALID_IDP_RESPONSE : Missing token")
      }
      return FirebaseIdentity(providerID: provider, subject: access)
    }
    guard provider != "github.com", let claims = VendorToken.claims(token), let subject = claims["sub"]?.text,
      claims["exp"]?.number.map({ $0 > now.timeIntervalSince1970 }) ?? true
    else { throw .firebase("INVALID_IDP_RESPONSE : Invalid id_token") }
    if let nonce = claims["nonce"]?.text {
      let raw = form["nonce"]
      guard raw.map({ isNonceHashed ? Self.hexadecimalHash($0) : $0 }) == nonce else {
        throw .firebase("MISSING_OR_INVALID_NONCE : The nonce does not match.")
      }
    }
    let appleName = try self.appleName(form["user"])
    return FirebaseIdentity(
      providerID: provider, subject: subject, email: claims["email"]?.text, name: claims["name"]?.text ?? appleName)
  }

  /// `{"name":{"firstName","lastName"}}`, at the first consent only.
  private func appleName(_ text: String?) throws(VendorRefusal) -> String? {
    guard let text else { return nil }
    let user = try? JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
    guard case .object(let name) = user?["name"] else { throw .firebaseArgument }
    return [name["firstName"]?.text, name["lastName"]?.text].compactMap(\.self).joined(separator: " ")
  }

  /// A JSON document inside a text.
  private func rawUserInfo(_ identity: FirebaseIdentity) -> String {
    let members: [String: JSONValue] = [
      "sub": .string(identity.subject), "email": .optional(identity.email), "name": .optional(identity.name),
    ]
    return String(decoding: VendorToken.json(members.present), as: UTF8.self)
  }

  private static func hexadecimalHash(_ text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
#endif
