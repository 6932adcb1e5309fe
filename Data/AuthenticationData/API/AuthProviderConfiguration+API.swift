import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AuthProviderConfiguration {
  /// An app team's own JSON backend below `baseURL`, to whose origin its tokens may be sent.
  ///
  /// The realm is the origin unless another is given: give one to keep sessions when the backend moves.
  ///
  /// A base URL that cannot work is refused when the app is composed:
  /// ``AuthenticationError/Code/invalidConfiguration``.
  public static func api(baseURL: String, contract: APIContract = .standard, realm: String? = nil) -> Self {
    Self(name: "api", realm: realm ?? "api \(URL(string: baseURL).flatMap(Origin.init)?.description ?? "")") {
      environment throws(AuthenticationError) in
      let base = try APIBase(baseURL)
      let provider = APIAuthProvider(
        base: base, contract: contract, client: environment.httpClient, clock: environment.clock)
      return Product(provider: provider, allowedOrigins: [base.origin])
    }
  }

  /// The same for a URL that is parsed already; checked, too, when the app is composed.
  public static func api(baseURL: URL, contract: APIContract = .standard, realm: String? = nil) -> Self {
    api(baseURL: baseURL.absoluteString, contract: contract, realm: realm)
  }
}
