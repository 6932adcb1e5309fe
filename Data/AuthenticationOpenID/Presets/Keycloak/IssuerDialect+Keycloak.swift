import AuthenticationDomain

extension IssuerDialect {
  /// One code, `invalid_grant`, means many things here: its description tells them apart.
  static let keycloak: Self = {
    var dialect = Self()
    dialect.refusals = VendorRefusals([
      // Also of a missing or wrong one-time code, and of an account that is locked for a while.
      ("invalid_grant", "Invalid user credentials", .invalidCredentials),
      ("invalid_grant", "Account is not fully set up", .actionRequired),
      ("invalid_grant", "Account disabled", .userDisabled),
      // Not documented together with this grant (check).
      ("invalid_grant", "User disabled", .userDisabled),
    ])
    dialect.refreshRefusals = VendorRefusals([
      ("invalid_scope", "Client no longer has requested consent from user", .sessionRejected)
    ])
    dialect.pageAttributes = ["kc_action", "kc_idp_hint"]
    dialect.passwordAttributes = ["totp"]
    dialect.redirectRefusal = { parameters in
      switch parameters["kc_action_status"] {
      case nil, "success": nil
      case "cancelled": .declined
      default: .actionFailed
      }
    }
    dialect.endsSessionByRefreshToken = true
    dialect.grantsOfflineAccessWithoutConsent = true
    return dialect
  }()
}

extension AuthenticationError {
  fileprivate static let actionRequired = Self(
    .insufficientUserAuthentication,
    "Keycloak asks the person for something first, such as a new password or a verified address, and does not say what.",
    suggestion: "Let the person sign in by the browser, which asks for it.")
  fileprivate static let actionFailed = Self(
    .unexpectedAnswer, "Keycloak could not do what 'kc_action' asked for.",
    suggestion: "Check the action's name, and that the realm has it switched on.")
}
