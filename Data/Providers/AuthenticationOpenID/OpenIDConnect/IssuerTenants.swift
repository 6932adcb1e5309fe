import AuthenticationData

/// The tenants of one service, each a separate issuer, with one template for their names.
package struct IssuerTenants: Sendable {
  /// Contains `{tenantid}`.
  let template: String
  /// Whether a metadata document may call itself so.
  let isIssuer: @Sendable (String) -> Bool

  func issuer(of tenant: String) -> String { template.replacing("{tenantid}", with: tenant) }

  /// Whether a token of this issuer and tenant (`iss`, `tid`) is one of those that the metadata stands for.
  ///
  /// - Parameter document: the issuer in the metadata: the template, or one tenant's issuer.
  func accepts(_ issuer: String, of tenant: String?, in document: String) -> Bool {
    guard let tenant, tenant.isUUID, issuer.isSame(as: self.issuer(of: tenant)) else { return false }
    return document == template || issuer.isSame(as: document)
  }

  /// Whether a key that names its issuer may sign for this one.
  func allows(_ key: JSONWebKey, signing issuer: String?, of tenant: String?) -> Bool {
    guard let own = key.issuer, let tenant else { return key.issuer == nil }
    return issuer.isSame(as: own.replacing("{tenantid}", with: tenant))
  }
}
