extension [String]? {
  /// Ways to authenticate a client; without a list there is one (RFC 8414 §2).
  var usual: [String] { self ?? ["client_secret_basic"] }
}

extension IssuerReport {
  /// OpenID Connect Core §5.4, §11. Only names of the usual scopes are quoted.
  mutating func examineScopes(_ metadata: IssuerMetadata, _ asked: [String]) {
    guard asked.contains("openid") else {
      return add(
        "scopes", .warning, "The issuer does not list the scope 'openid'.",
        advice: "It is asked for no ID token: it is a plain OAuth issuer, and may not say who signed in.")
    }
    guard asked.contains("offline_access") else {
      return add(
        "scopes", .warning, "The issuer does not list the scope 'offline_access': a login leaves it out.",
        advice: "Where no refresh token comes, the person signs in again when the access token has expired.")
    }
    let side = metadata.scopes == nil ? "The issuer lists no scopes; a" : "A"
    add("scopes", .ok, "\(side) login asks for: \(asked.joined(separator: " ")).")
  }

  /// How a client may authenticate, and prove that tokens are its own (RFC 6749 §2.3, RFC 9449 §5.1).
  mutating func examineClients(_ metadata: IssuerMetadata) {
    let methods = metadata.clientAuthenticationMethods
    if let methods, methods.contains("none") {
      add("clients", .ok, "Public clients are welcome.")
    } else {
      add(
        "clients", .warning,
        methods == nil
          ? "The issuer names no client authentication, which means client_secret_basic (RFC 8414 §2)."
          : "The issuer does not say that it takes public clients.",
        advice: "Many do all the same. If it refuses one, "
          + (methods.usual.contains { ["client_secret_basic", "client_secret_post"].contains($0) }
            ? "give the client a secret." : "have it take one, or client_secret_basic."))
    }
    let binds = metadata.proofAlgorithms?.contains("ES256") == true
    add(
      "dpop", .ok, binds ? "The issuer binds tokens to a key (DPoP)." : "The issuer does not say that it supports DPoP."
    )
  }
}
