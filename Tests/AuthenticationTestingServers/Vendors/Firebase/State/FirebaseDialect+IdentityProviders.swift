#if Tools && OpenID
import AuthenticationDomain
import Crypto
import Foundation

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
