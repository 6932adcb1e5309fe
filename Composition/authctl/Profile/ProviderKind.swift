package import AuthenticationKit
import Synchronization

/// A kind of provider that `--provider` names: the options that it takes, and what is made of them. An open set: a
/// program of one's own adds kinds before it runs, see ``runAuthCTL(adding:)``.
///
/// ```swift
/// ProviderKind("api", required: [.baseURL]) { settings in .api(baseURL: settings[.baseURL]) }
/// ```
package struct ProviderKind: Sendable {
  /// What `--provider` is given.
  package let name: String
  /// The options without which nothing is sent.
  package let required: [ProviderOption]
  /// The further options that it takes.
  package let optional: [ProviderOption]
  /// Makes the provider; the profile's own realm takes the place of its realm.
  package let configuration: @Sendable (ProviderSettings) -> AuthProviderConfiguration

  package init(
    _ name: String, required: [ProviderOption], optional: [ProviderOption] = [],
    configuration: @escaping @Sendable (ProviderSettings) -> AuthProviderConfiguration
  ) {
    self.name = name
    self.required = required
    self.optional = optional
    self.configuration = configuration
  }

  /// A JSON backend of one's own, as the standard contract has it.
  static let api = Self("api", required: [.baseURL]) {
    var contract = APIContract.standard
    contract.account = .standard
    return .api(baseURL: $0[.baseURL], contract: contract)
  }

  private static let registered = Mutex([api])

  /// Every kind that this program knows, in the order of the help.
  static var known: [ProviderKind] { registered.withLock { $0 } }

  static func named(_ name: String) -> ProviderKind? { known.first { $0.name == name } }

  static func register(_ kind: ProviderKind) {
    registered.withLock { kinds in
      kinds.removeAll { $0.name == kind.name }
      kinds.append(kind)
    }
  }
}
