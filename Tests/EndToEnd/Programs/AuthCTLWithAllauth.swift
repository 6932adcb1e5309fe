import AuthenticationKit
import AuthCTLCommands

/// `authctl`, which knows one more kind of provider: `authctl … --provider allauth --base-url URL`.
enum AuthCTLWithAllauth {
  static func run(_ arguments: [String]) async {
    await runAuthCTL(
      adding: [ProviderKind("allauth", required: [.baseURL]) { .djangoAllauth(baseURL: $0[.baseURL]) }],
      arguments: arguments)
  }
}
