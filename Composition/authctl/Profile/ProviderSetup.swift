package import AuthenticationKit

/// What a provider is made of: what was told at login, and what one command has besides.
package struct ProviderSetup: Sendable {
  /// What was told at login; an endpoint stands in place of a backend's address.
  package let settings: ProviderSettings
  /// Of the client, where it has one.
  package let clientSecret: Secret?
  /// Nil in a command that signs nobody in.
  package let page: BrowserPage?

  init(
    _ settings: ProviderSettings, clientSecret: Secret? = nil, page: BrowserPage? = nil
  ) {
    var settings = settings
    if settings.has(.baseURL), settings.has(.endpoint) { settings[.baseURL] = settings[.endpoint] }
    self.settings = settings
    self.clientSecret = clientSecret
    self.page = page
  }

  /// Empty if the option was left out.
  package subscript(option: ProviderOption) -> String { settings[option] }

  /// Nil if the option was left out.
  package func value(_ option: ProviderOption) -> String? { settings.has(option) ? settings[option] : nil }
}
