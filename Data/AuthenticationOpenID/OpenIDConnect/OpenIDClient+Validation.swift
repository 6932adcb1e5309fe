import AuthenticationDomain

extension OpenIDClient {
  /// Returns the same client if it can work; called once, when the app is composed. ``Issuer`` checks the issuer's
  /// identifier.
  ///
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration``.
  func validated() throws(AuthenticationError) -> Self {
    guard !clientID.isEmpty, clientID.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw .client("has an id that is empty or not plain text", "Use the id the issuer gave (RFC 6749 appendix A.1).")
    }
    for scope in scopes ?? [] where scope.isEmpty || !scope.utf8.allSatisfy(\.isScopeCharacter) {
      throw .client("asks for a scope that is empty or has a space", "Give one scope a piece (RFC 6749 §3.3).")
    }
    for resource in resources where !resource.contains(":") || resource.contains("#") {
      throw .client("names a resource that is no absolute URI without fragment", "See RFC 8707 §2.")
    }
    for name in parameters.keys where name.isEmpty || AuthorizationRequest.ownParameters.contains(name) {
      throw .client(
        "sets the parameter '\(name)', which is not for the app to set",
        "Use the property for it; state, nonce, PKCE and the response's form are not configurable.")
    }
    if dialect.checkIdentity != nil, scopes?.contains("openid") == false {
      throw .client(
        "checks ID tokens and asks for none", "Add the scope openid, or leave out the organization or domain.")
    }
    guard clockTolerance >= .zero else { throw .client("has a negative clock tolerance", "Use seconds from 0.") }
    try redirect.validate()
    try presenter?.validate(redirect)
    return self
  }
}

extension UInt8 {
  /// `scope-token` (RFC 6749 §3.3).
  fileprivate var isScopeCharacter: Bool {
    self == 0x21 || (0x23...0x5B).contains(self) || (0x5D...0x7E).contains(self)
  }
}

extension AuthenticationError {
  fileprivate static func client(_ fault: String, _ suggestion: String) -> Self {
    Self(.invalidConfiguration, "The OpenIDClient \(fault).", suggestion: suggestion)
  }
}
