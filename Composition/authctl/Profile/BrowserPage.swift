package import AuthenticationOpenID

/// How a provider's page is shown, and where the browser returns to.
package struct BrowserPage: Sendable {
  package let presenter: any AuthorizationPresenter
  package let redirect: RedirectURI
}
