import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// A provider as its preset composes it, at a server that speaks its vendor's dialect.
struct DialectBench {
  let clock: ManualClock
  let provider: any RemoteAuthProvider
  /// Listens as long as it is referenced.
  private let server: any LoopbackVendor

  init(_ configuration: AuthProviderConfiguration, at server: any LoopbackVendor, clock: ManualClock) throws {
    self.clock = clock
    self.server = server
    provider = try configuration.make(
      AuthProviderConfiguration.Environment(httpClient: try SystemHTTPClient(), clock: clock)
    ).provider
  }

  func signIn(
    _ credentials: any Credentials, attributes: [String: Secret] = [:]
  ) async throws -> AuthSession {
    try #require(try await provider.signIn(with: credentials, attributes: attributes).session)
  }

  func challenge(_ credentials: any Credentials) async throws -> Challenge {
    try #require(try await provider.signIn(with: credentials).challenge)
  }

  func refresh(_ session: AuthSession) async throws -> AuthSession {
    session.refreshed(with: try await provider.refresh(session))
  }

  func refreshFailure(_ session: AuthSession) async -> AuthenticationError? {
    await failure { try await provider.refresh(session) }
  }
}

/// A browser without a window at a vendor's loopback server.
struct VendorBrowser: AuthorizationPresenter {
  let server: any LoopbackVendor

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL("com.example.app:/callback")
    guard let url = try? await server.visit(page) else { throw .cancelled }
    return url
  }
}
