import AuthenticationKit
import AuthenticationOpenID
import Foundation

extension Examination {
  /// Fetches the documents of an issuer, and checks them without signing in (OpenID Connect Discovery §3, RFC 8414 §2,
  /// RFC 7517 §5). A document that cannot be fetched is a finding. The checks are `tls`, `discovery`, `issuer`,
  /// `endpoint`, `clock`, `responses`, `grants`, `pkce`, `par`, `iss`, `scopes`, `clients`, `dpop`, `sign-out`,
  /// `algorithms` and `keys`, in the order in which they depend on each other.
  ///
  /// - Parameter tenants: of a service whose metadata stands for many issuers.
  static func issuer(_ issuer: String, tenants: IssuerTenants? = nil, client: any HTTPClient) async -> Self {
    var examination = Self()
    do throws(AuthenticationError) {
      let documents = IssuerDocuments(issuer: try IssuerIdentifier(issuer), client: client, clock: SystemClock())
      try await examination.examine(documents, tenants)
    } catch {
      examination.add(error == .insecureConnection ? "tls" : "discovery", fault: error)
    }
    return examination
  }

  private mutating func add(
    _ check: String, _ level: Level, _ message: String, advice: String? = nil, code: AuthenticationError? = nil
  ) {
    findings.append(Finding(check: check, level: level, message: message, advice: advice, code: code))
  }

  private mutating func add(_ check: String, fault error: AuthenticationError) {
    add(check, .problem, error.message, advice: error.suggestion, code: error)
  }

  /// Reports the first message if all is well, and else the second one.
  private mutating func add(
    _ check: String, if isFine: Bool, _ message: String, else level: Level = .warning, _ fault: String, advice: String,
    code: AuthenticationError? = nil
  ) {
    if isFine { add(check, message) } else { add(check, level, fault, advice: advice, code: code) }
  }

  /// Reports the message unless a check that a sign-in makes throws.
  private mutating func add(_ check: String, _ message: String, unless fails: () throws(AuthenticationError) -> Void) {
    do throws(AuthenticationError) {
      try fails()
      add(check, message)
    } catch {
      add(check, fault: error)
    }
  }

  private mutating func examine(
    _ documents: IssuerDocuments, _ tenants: IssuerTenants?
  ) async throws(AuthenticationError) {
    let asked = documents.clock.now
    let response = try await documents.metadataResponse()
    let answered = documents.clock.now
    var wire = try MetadataResponseMapper.wire(response, now: answered)
    let isEncrypted = documents.issuer.origin.scheme == "https"
    add(
      "tls",
      isEncrypted
        ? "The connection is encrypted, and this machine trusts the certificate."
        : "The connection is not encrypted, and does not leave this machine.")
    add("discovery", "The metadata is well-formed.")
    let mismatch = wire.mismatch(documents.issuer, tenants)
    add(
      "issuer", if: mismatch == nil, "The metadata names the issuer that was asked for.",
      else: .problem, mismatch?.message ?? "",
      advice: "Write the issuer exactly as its metadata does, in every byte, the last slash included.",
      code: mismatch)
    await complete(&wire, documents)
    let rule = EndpointRule(issuer: documents.issuer.origin)
    examineEndpoints(&wire, rule)
    let metadata = try MetadataResponseMapper.metadata(wire, rule)
    let client = OpenIDClient(issuer: documents.issuer.text, clientID: "").resolved(by: metadata)
    let wantsIDToken = client.askedScopes.contains("openid")
    examineClock(response.date(now: answered), between: asked, and: answered, matters: wantsIDToken)
    examineRequests(metadata)
    examineScopes(metadata, client.askedScopes)
    examineClients(metadata)
    examineSignOut(metadata)
    examineAlgorithms(metadata, matters: wantsIDToken)
    await examineKeys(metadata.endpoints[.keySet], documents, matters: wantsIDToken)
  }

  /// Looks for endpoints as a sign-in does: in the RFC 8414 document, too.
  private func complete(_ wire: inout MetadataWire, _ documents: IssuerDocuments) async {
    let wanted: [OpenIDClient.Endpoint] = [
      .authorization, .token, .revocation, .deviceAuthorization, .pushedAuthorizationRequest, .introspection,
    ]
    guard wanted.contains(where: { wire.endpoints[$0] == nil }), let other = await documents.oauthWire() else { return }
    for endpoint in wanted { wire.endpoints[endpoint] = wire.endpoints[endpoint] ?? other.endpoints[endpoint] }
  }

  /// Reports no difference if the server's time lies between request and response, or within the second before the
  /// request, because `Date` is cut off to seconds.
  private mutating func examineClock(_ date: Date?, between asked: Date, and answered: Date, matters: Bool) {
    guard let date else {
      add(
        "clock", .warning, "The issuer does not tell its time.",
        advice: "Have it send a Date header: else a device's wrong clock looks like the issuer's fault.")
      return
    }
    let ahead = asked.timeIntervalSince(date) - 1
    let behind = date.timeIntervalSince(answered)
    let seconds = (ahead > 0 ? ahead : min(0, -behind)).rounded()
    clockOffset = .seconds(seconds)
    let count = Int(abs(seconds)).counted("second")
    let message = "This machine's clock is \(count) \(seconds < 0 ? "behind" : "ahead of") the issuer's."
    switch abs(seconds) {
    case ...5: add("clock", message)
    case ...60: add("clock", .warning, message, advice: "Set the clock: more than 60 seconds end a sign-in.")
    case _ where !matters: add("clock", .warning, message, advice: "Set the clock.")
    default: add("clock", .problem, message, advice: "Set the clock.", code: .clockSkewed)
    }
  }

  /// OpenID Connect Core §5.4, §11. Only names of the usual scopes are quoted.
  private mutating func examineScopes(_ metadata: IssuerMetadata, _ asked: [String]) {
    guard asked.contains("openid") else {
      return add(
        "scopes", .warning, "The issuer does not list the scope 'openid'.",
        advice: "It is asked for no ID token: it is a plain OAuth issuer, and may not say who signed in.")
    }
    let side = metadata.scopes == nil ? "The issuer lists no scopes; a" : "A"
    add(
      "scopes", if: asked.contains("offline_access"), "\(side) login asks for: \(asked.joined(separator: " ")).",
      "The issuer does not list the scope 'offline_access': a login leaves it out.",
      advice: "Where no refresh token comes, the user signs in again when the access token has expired.")
  }

  /// How a client may authenticate, and prove that tokens are its own (RFC 6749 §2.3, RFC 9449 §5.1).
  private mutating func examineClients(_ metadata: IssuerMetadata) {
    let methods = metadata.clientAuthenticationMethods
    let takesSecret = methods.usual.contains { ["client_secret_basic", "client_secret_post"].contains($0) }
    add(
      "clients", if: methods?.contains("none") == true, "Public clients are welcome.",
      methods == nil
        ? "The issuer names no client authentication, which means client_secret_basic (RFC 8414 §2)."
        : "The issuer does not say that it takes public clients.",
      advice: "Many do all the same. If it refuses one, "
        + (takesSecret ? "give the client a secret." : "have it take one, or client_secret_basic."))
    let binds = metadata.proofAlgorithms?.contains("ES256") == true
    add("dpop", "The issuer \(binds ? "binds tokens to a key (DPoP)" : "does not say that it supports DPoP").")
  }

  /// Removes endpoints that are not usable.
  private mutating func examineEndpoints(_ wire: inout MetadataWire, _ rule: EndpointRule) {
    for endpoint in [OpenIDClient.Endpoint.authorization, .token] where wire.endpoints[endpoint] == nil {
      add(
        "endpoint", .problem, "There is no \(endpoint.rawValue).",
        advice: "Check the issuer: no user can sign in there with a browser.", code: .endpointMissing)
    }
    var found: [String] = []
    for endpoint in OpenIDClient.Endpoint.allCases {
      do throws(AuthenticationError) {
        if try rule.check(wire.endpoints[endpoint], endpoint.rawValue) != nil { found.append(endpoint.rawValue) }
      } catch {
        add("endpoint", fault: error)
        wire.endpoints[endpoint] = nil
      }
    }
    add("endpoint", "Usable: \(found.isEmpty ? "none" : found.joined(separator: ", ")).")
  }

  /// RFC 7009, OpenID Connect RP-Initiated Logout §2.
  private mutating func examineSignOut(_ metadata: IssuerMetadata) {
    let methods = metadata.revocationAuthenticationMethods
    if metadata.endpoints[.revocation] == nil {
      add(
        "sign-out", .warning, "There is no revocation_endpoint.",
        advice: "Signing out leaves the tokens valid at the issuer; keep their lifetimes short.")
    } else {
      add(
        "sign-out", if: methods.usual.contains("none"), "The issuer revokes tokens, also for public clients.",
        methods == nil
          ? "The issuer revokes tokens; it does not say for which clients: client_secret_basic (RFC 8414 §2)."
          : "The issuer revokes tokens, and does not say that it does so for public clients.",
        advice: "If it refuses one, signing out leaves its tokens valid at the issuer; keep their lifetimes short.")
    }
    add(
      "sign-out", if: metadata.endpoints[.endSession] != nil,
      "The issuer has a page that ends its browser session.", "There is no end_session_endpoint.",
      advice: "Signing out leaves the user signed in at the issuer itself, in the browser.")
  }

  /// Only names of known algorithms are quoted.
  private mutating func examineAlgorithms(_ metadata: IssuerMetadata, matters: Bool) {
    guard let advertised = metadata.idTokenAlgorithms else {
      return add(
        "algorithms", .warning, "The issuer does not say how it signs ID tokens.",
        advice: "Have it publish id_token_signing_alg_values_supported.")
    }
    let usable = SignatureAlgorithm.all.map(\.rawValue).filter(advertised.contains).sorted()
    let others = advertised.count - usable.count
    let passedOver = others > 0 ? " (\(others) more passed over)" : ""
    add(
      "algorithms", if: !usable.isEmpty, "Usable for ID tokens: \(usable.joined(separator: ", "))\(passedOver).",
      else: matters ? .problem : .warning, "None of the algorithms the issuer signs ID tokens with is usable here.",
      advice: "Have the issuer sign with RS256, ES256 or EdDSA.", code: .security)
  }

  private mutating func examineKeys(_ url: URL?, _ documents: IssuerDocuments, matters: Bool) async {
    guard let url else {
      let message = AuthenticationError.noKeySet.message
      guard matters else {
        return add("keys", .warning, message, advice: "It is a plain OAuth issuer: no ID token says who signed in.")
      }
      return add(
        "keys", .problem, message, advice: "Have it publish jwks_uri, or ask for no scope 'openid'.", code: .security)
    }
    do throws(AuthenticationError) {
      let response = try await documents.keySetResponse(url)
      let usable = try JSONWebKeySet(json: response.body).keys.count
      let all = JSONMembers(json: response.body)?.list("keys").count ?? usable
      let message = "Of \(all.counted("key")), \(usable) can verify ID tokens here."
      add(
        "keys", if: usable > 0, message, else: .problem, message,
        advice: "Have the issuer publish an RSA key of 2048 bits or more.", code: .security)
    } catch {
      add("keys", fault: error)
    }
  }

  /// Checks the needs of an authorization request, with the same checks as a sign-in.
  private mutating func examineRequests(_ metadata: IssuerMetadata) {
    add("responses", "The issuer answers with an authorization code.") { () throws(AuthenticationError) in
      try metadata.checkResponseTypes()
    }
    let isForDevices = metadata.endpoints[.deviceAuthorization] != nil
    let device = isForDevices ? "in the browser, on another device" : "in the browser"
    add("grants", "Users can sign in: \(device).") { () throws(AuthenticationError) in try metadata.checkGrants() }
    // RFC 7636 §4.2, RFC 9700 §2.1.1
    if metadata.codeChallengeMethods == nil {
      add(
        "pkce", .warning, "The issuer does not say that it supports PKCE.",
        advice: "It is used all the same. Have the issuer publish code_challenge_methods_supported with S256.")
    } else {
      add("pkce", "The issuer supports PKCE with S256.") { () throws(AuthenticationError) in
        try metadata.checkCodeChallenges()
      }
    }
    // RFC 9126 §5
    let isPushed = metadata.requiresPushedAuthorizationRequests
    add(
      "par", if: !isPushed || metadata.endpoints[.pushedAuthorizationRequest] != nil,
      isPushed
        ? "The issuer takes pushed requests only, and has an endpoint for them."
        : "The issuer takes requests that are not pushed.",
      else: .problem, "The issuer takes pushed requests only, and has no endpoint for them.",
      advice: "Have it publish pushed_authorization_request_endpoint, or take other requests.", code: .endpointMissing)
    add(
      "iss", if: metadata.sendsIssuerInResponses, "The issuer names itself in authorization responses.",
      "The issuer does not name itself in authorization responses.",
      advice: "An app with several issuers should give each a redirect URI of its own (RFC 9700 §4.4).")
  }
}

extension [String]? {
  /// Ways to authenticate a client; without a list there is one (RFC 8414 §2).
  fileprivate var usual: [String] { self ?? ["client_secret_basic"] }
}
