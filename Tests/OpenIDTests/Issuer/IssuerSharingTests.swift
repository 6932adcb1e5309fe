import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Testing

@testable import AuthenticationOpenID

/// Two accounts in one process, at one issuer.
@Suite struct IssuerSharingTests {
  private func provider(
    at issuer: String, transport: any HTTPClient, clock: any AuthenticationClock = SystemClock()
  ) throws -> OpenIDConnectProvider {
    let root = try MainRoot(.openIDConnect(issuer: issuer, clientID: "app")) {
      $0.storage = .inMemory
      $0.providerTransport = transport
      $0.clock = clock
    }
    return try #require(root.provider as? OpenIDConnectProvider)
  }

  @Test func `two roots that share a transport fetch the metadata of an issuer once`() async throws {
    let loopback = LoopbackOpenIDIssuer()
    let identifier = try await loopback.start()
    let transport = try SystemHTTPClient()
    let (one, two) = (
      try provider(at: identifier, transport: transport), try provider(at: identifier, transport: transport)
    )
    _ = try await one.issuer.metadata()
    _ = try await two.issuer.metadata()
    #expect(loopback.requests(on: .discovery).count == 1)
    await loopback.stop()
  }

  @Test func `roots with transports or clocks of their own share nothing`() throws {
    let transport = try SystemHTTPClient()
    let issuer = "https://id.example.com"
    let first = try provider(at: issuer, transport: transport).issuer
    #expect(try provider(at: issuer, transport: transport).issuer === first)
    #expect(try provider(at: issuer, transport: SystemHTTPClient()).issuer !== first)
    #expect(try provider(at: issuer, transport: transport, clock: ManualClock()).issuer !== first)
    #expect(try provider(at: issuer + "/tenant", transport: transport).issuer !== first)
  }
}
