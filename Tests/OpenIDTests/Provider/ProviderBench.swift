import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

@testable import AuthenticationOpenID

/// A provider that talks to an issuer over real HTTP; only the clock and the browser are scripted.
struct ProviderBench {
  let loopback: LoopbackOpenIDIssuer
  let clock = ManualClock()
  let storage = InMemoryStorage()
  let transport: SystemHTTPClient
  let browser: LoopbackBrowser
  var client: OpenIDClient

  init(_ change: (inout LoopbackOpenIDIssuer.Options) -> Void = { _ in }) async throws {
    var options = LoopbackOpenIDIssuer.Options()
    change(&options)
    loopback = LoopbackOpenIDIssuer(options, clock: clock)
    transport = try SystemHTTPClient()
    client = OpenIDClient(issuer: try await loopback.start(), clientID: options.clientID)
    browser = LoopbackBrowser(loopback)
    client.redirect = .address("com.example.app:/callback")
    client.presenter = browser
  }

  var environment: AuthProviderConfiguration.Environment {
    AuthProviderConfiguration.Environment(httpClient: transport, clock: clock, storage: storage)
  }

  /// A new one each time, as after a restart: nothing is shared but the storage.
  func provider() throws -> OpenIDConnectProvider { try OpenIDConnectProvider(client, in: environment) }

  func root(
    resources: [ProtectedResource: Set<Origin>] = [:], apiTransport: (any HTTPTransport)? = nil,
    stepUp: @escaping StepUp = { _ in nil },
    apiDecorator: @escaping @Sendable (any HTTPClient) -> any HTTPClient = { $0 }
  ) throws -> MainRoot {
    try MainRoot(.openIDConnect(client)) {
      $0.resources = resources
      $0.apiTransport = apiTransport
      $0.apiDecorator = apiDecorator
      $0.storage = .secure(storage)
      $0.clock = clock
      $0.stepUp = stepUp
    }
  }

  func signedIn(_ credentials: any Credentials = BrowserSignIn()) async throws -> AuthSession {
    guard case .session(let session) = try await provider().signIn(with: credentials) else { throw NoSession() }
    return session
  }

  struct NoSession: Error {}
}

extension User {
  /// As it is shown, without the issuer's further claims.
  var withoutClaims: User {
    User(
      id: id, name: name, email: email, isNew: isNew, isEmailVerified: isEmailVerified, phoneNumber: phoneNumber,
      picture: picture, locale: locale)
  }
}
