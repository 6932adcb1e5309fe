import AuthenticationKit
import AuthenticationOpenID
import AuthenticationSupabase
import Foundation

/// One of the providers that the same product can be composed with.
struct ProductLine: Sendable, Identifiable {
  let id: String
  let title: String
  /// What a person may add to the account.
  let factors: [Challenge.Kind]
  /// Who can sign in.
  let hint: String
  private let configure: @Sendable (_ address: String, _ app: App) -> AuthProviderConfiguration

  /// What a provider needs to know of the app.
  struct App: Sendable {
    var presenter: (any AuthorizationPresenter)?
    /// Where the browser returns to, on this machine; nil for any port.
    var port: Int?
  }

  func configuration(at address: String, for app: App = App()) -> AuthProviderConfiguration {
    configure(address, app)
  }
}

extension ProductLine {
  static let all = [api, openID, supabase]

  static let api = Self(
    id: "api", title: "Own API", factors: [.passkey, .smsCode],
    hint: "ada / correct horse · grace / battery staple · mary / proof of stake (with a second factor)"
  ) { address, _ in
    var contract = APIContract.standard
    contract.account = .standard
    contract.methods = [.password, .passkey]
    let password = contract.signInRequest
    contract.signInRequest = { credentials throws(AuthenticationError) in
      credentials is PasskeyCredentials ? APIRequest(.post, "auth/passkey") : try password(credentials)
    }
    return .api(baseURL: address, contract: contract)
  }

  static let openID = Self(
    id: "openid", title: "OpenID Connect", factors: [], hint: "ada / correct horse, on the issuer's own page"
  ) { issuer, app in
    var client = OpenIDClient(issuer: issuer, clientID: "app")
    client.presenter = app.presenter
    client.redirect = app.port.map { .loopback(port: UInt16($0)) } ?? .loopback()
    return .openIDConnect(client)
  }

  static let supabase = Self(
    id: "supabase", title: "Supabase", factors: [.enrolment],
    hint: "ada@example.com / correct horse · +49 170 1234567 · mary@example.com / proof of stake (two factors)"
  ) { address, _ in
    var project = SupabaseProject(url: address, anonKey: "anon-key")
    project.redirectURL = "https://app.example.com/sign-in"
    return .supabase(project)
  }
}
