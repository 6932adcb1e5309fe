import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AuthProviderConfiguration {
  /// An app team's own JSON backend below `baseURL`; the tokens may be sent to the origin of that URL.
  ///
  /// A base URL that cannot work is refused when the app is composed:
  /// ``AuthenticationError/Code/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - baseURL: an https address, or an http one of this machine; the contract's paths are below it.
  ///   - contract: the backend's paths, bodies and responses.
  ///   - realm: by default the origin. Give one to keep sessions when the backend moves.
  public static func api(baseURL: String, contract: APIContract = .standard, realm: String? = nil) -> Self {
    Self(name: "api", realm: realm ?? "api \(URL(string: baseURL).flatMap(Origin.init)?.description ?? "")") {
      environment throws(AuthenticationError) in
      let base = try APIBase(baseURL)
      let provider = APIAuthProvider(
        base: base, contract: contract, client: environment.httpClient, clock: environment.clock)
      return Product(provider: provider, allowedOrigins: [base.origin])
    }
  }

  /// The same for a URL that is already parsed; it is also checked when the app is composed.
  public static func api(baseURL: URL, contract: APIContract = .standard, realm: String? = nil) -> Self {
    api(baseURL: baseURL.absoluteString, contract: contract, realm: realm)
  }
}
