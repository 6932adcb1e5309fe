import AuthenticationDomain

extension IssuerReport {
  /// Checks what an authorization request needs, with the same checks as a sign-in.
  mutating func examineRequests(_ metadata: IssuerMetadata) {
    add("responses", "The issuer answers with an authorization code.") { () throws(AuthenticationError) in
      try metadata.checkResponseTypes()
    }
    let device = metadata.deviceAuthorizationEndpoint == nil ? "in the browser" : "in the browser, on another device"
    add("grants", "People can sign in: \(device).") { () throws(AuthenticationError) in try metadata.checkGrants() }
    examineProofKeys(metadata)
    examinePushedRequests(metadata)
    if metadata.sendsIssuerInResponses {
      add("iss", .ok, "The issuer names itself in authorization responses.")
    } else {
      add(
        "iss", .warning, "The issuer does not name itself in authorization responses.",
        advice: "An app with several issuers should give each a redirect URI of its own (RFC 9700 §4.4).")
    }
  }

  /// RFC 7636 §4.2, RFC 9700 §2.1.1.
  private mutating func examineProofKeys(_ metadata: IssuerMetadata) {
    if metadata.codeChallengeMethods == nil {
      return add(
        "pkce", .warning, "The issuer does not say that it supports PKCE.",
        advice: "It is used all the same. Have the issuer publish code_challenge_methods_supported with S256.")
    }
    add("pkce", "The issuer supports PKCE with S256.") { () throws(AuthenticationError) in
      try metadata.checkCodeChallenges()
    }
  }

  /// RFC 9126 §5.
  private mutating func examinePushedRequests(_ metadata: IssuerMetadata) {
    guard metadata.requiresPushedAuthorizationRequests else {
      return add("par", .ok, "The issuer takes requests that are not pushed.")
    }
    guard metadata.pushedAuthorizationRequestEndpoint == nil else {
      return add("par", .ok, "The issuer takes pushed requests only, and has an endpoint for them.")
    }
    add(
      "par", .problem, "The issuer takes pushed requests only, and has no endpoint for them.",
      advice: "Have it publish pushed_authorization_request_endpoint, or take other requests.", code: .endpointMissing)
  }

  private mutating func add(
    _ check: String, _ message: String, unless fails: () throws(AuthenticationError) -> Void
  ) {
    do throws(AuthenticationError) {
      try fails()
      add(check, .ok, message)
    } catch {
      add(check, error)
    }
  }
}
