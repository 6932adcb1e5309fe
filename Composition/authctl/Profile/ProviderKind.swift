package import AuthenticationKit
import Synchronization

/// A kind of provider that `--provider` names: the options that it takes, and what is made of them. An open set: a
/// program of one's own adds kinds before it runs, see ``runAuthCTL(adding:)``.
///
/// ```swift
/// ProviderKind("api", required: [.baseURL]) { setup in .api(baseURL: setup[.baseURL]) }
/// ```
package struct ProviderKind: Sendable {
  /// What `--provider` is given.
  package let name: String
  /// The options without which nothing is sent.
  package let required: [ProviderOption]
  /// The further options that it takes, besides `--endpoint`.
  package let optional: [ProviderOption]
  /// Makes the provider; the profile's own realm takes the place of its realm.
  package let configuration: @Sendable (ProviderSetup) -> AuthProviderConfiguration

  package init(
    _ name: String, required: [ProviderOption], optional: [ProviderOption] = [],
    configuration: @escaping @Sendable (ProviderSetup) -> AuthProviderConfiguration
  ) {
    self.name = name
    self.required = required
    self.optional = optional
    self.configuration = configuration
  }

  /// Every option that it takes.
  var options: [ProviderOption] { required + optional + [.endpoint] }

  private static let registered = Mutex([
    api, firebase, supabase, auth0, keycloak, cognito, google, apple, facebook, github,
  ])

  /// Every kind that this program knows, in the order of the help.
  static var known: [ProviderKind] { registered.withLock { $0 } }

  static func named(_ name: String) -> ProviderKind? { known.first { $0.name == name } }

  static func register(_ kind: ProviderKind) {
    registered.withLock { kinds in
      kinds.removeAll { $0.name == kind.name }
      kinds.append(kind)
    }
  }

  /// The provider, under a realm of its own. What it finds fault with is told by the option's name.
  func configuration(_ setup: ProviderSetup, realm: String) -> AuthProviderConfiguration {
    let made = configuration(setup)
    return AuthProviderConfiguration(name: made.name, realm: realm) { environment throws(AuthenticationError) in
      do throws(AuthenticationError) { return try made.make(environment) } catch { throw named(error) }
    }
  }

  private func named(_ error: AuthenticationError) -> AuthenticationError {
    let phrase = { (option: ProviderOption) in "The configured '\(option.key)'" }
    guard error.code == .invalidConfiguration,
      let option = options.first(where: { error.message.hasPrefix(phrase($0)) })
    else { return error }
    let rest = error.message.dropFirst(phrase(option).count)
    return .invalidConfiguration("The option --\(option.name)\(rest)", suggestion: "See 'authctl login --help'.")
  }
}
