import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

@testable import AuthenticationOpenID
@testable import AuthenticationVerifier

/// An issuer, a resource server that uses the verifier, and a user of this library's client: three parties over HTTP.
struct ResourceServer {
  let loopback: LoopbackOpenIDIssuer
  let clock = ManualClock()
  let root: MainRoot
  let origin: String
  private let server = LoopbackResponder()

  init(
    bindsTokens: Bool = false, proofs: AccessTokenProofs = AccessTokenProofs(), algorithm: SigningAlgorithm = .es256
  ) async throws {
    var options = LoopbackOpenIDIssuer.Options()
    options.signsAccessTokens = true
    options.algorithm = algorithm
    loopback = LoopbackOpenIDIssuer(options, clock: clock)
    let issuer = try await loopback.start()
    let cell = VerifierCell()
    origin = try await server.start { await cell.answer($0) }
    let resource = "\(origin)/mcp"
    cell.set(
      try AccessTokenVerifier(
        resource: resource, issuer: issuer, proofs: proofs, httpClient: try SystemHTTPClient(), clock: clock))
    loopback.quirks.accessTokenClaims = ["aud": .string(resource)]
    var client = OpenIDClient(issuer: issuer, clientID: "app")
    client.redirect = .address("com.example.app:/callback")
    client.presenter = LoopbackPages(loopback)
    client.bindsTokens = bindsTokens
    let allowed = Origin(URL(string: origin)!).map { [$0] } ?? []
    root = try MainRoot(.openIDConnect(client)) { [clock] in
      $0.storage = .secure(InMemoryStorage())
      $0.clock = clock
      $0.allowedOrigins = Set(allowed)
    }
    _ = try await root.useCase.signIn(with: .browser)
  }

  func get(_ path: String) async throws(AuthenticationError) -> HTTPResponse {
    try await root.apiClient.send(HTTPRequest(.get, URL(string: origin + path)!))
  }

  func stop() async {
    await server.stop()
    await loopback.stop()
  }
}

/// A browser without a window.
private struct LoopbackPages: AuthorizationPresenter {
  private let loopback: LoopbackOpenIDIssuer

  init(_ loopback: LoopbackOpenIDIssuer) { self.loopback = loopback }

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL("com.example.app:/callback")
    guard let url = try? await loopback.visit(page) else { throw .cancelled }
    return url
  }
}
