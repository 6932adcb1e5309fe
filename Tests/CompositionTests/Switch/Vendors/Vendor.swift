import AuthenticationKit
import AuthenticationTesting

/// The providers that have a loopback server.
enum Vendor: CaseIterable {
  case api, openID, firebase, supabase, cognito, auth0, keycloak, gitHub, x

  /// GitHub lets no app revoke a token.
  var revokesTokens: Bool { self != .gitHub }

  /// A server, whose address is known once it listens.
  func stage() async throws -> Stage {
    switch self {
    case .api: try await .api()
    case .openID: try await .openID()
    case .firebase: try await .firebase()
    case .supabase: try await .supabase()
    case .cognito: try await .cognito()
    case .auth0: try await .auth0()
    case .keycloak: try await .keycloak()
    case .gitHub: try await .gitHub()
    case .x: try await .x()
    }
  }
}

/// A provider, which is the one line of the app that differs, and a user whom its server knows.
struct Stage: Sendable {
  let provider: AuthProviderConfiguration
  let clock: ManualClock
  let user: SampleUser
  /// Listens as long as it is referenced.
  let server: any AnyObject & Sendable

  func app(transport: (any HTTPClient)? = nil) throws -> SampleApp {
    try SampleApp(provider, clock: clock, transport: transport)
  }
}
