import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Testing

/// `doctor` predicts a default login: at each issuer both end with the same exit code.
@Suite(.serialized) struct DoctorAgreementTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: Int32
    var options = LoopbackOpenIDIssuer.Options()
    let change: @Sendable (LoopbackOpenIDIssuer) -> Void

    init(
      _ name: String, _ status: Int32 = 0, options: (inout LoopbackOpenIDIssuer.Options) -> Void = { _ in },
      change: @escaping @Sendable (LoopbackOpenIDIssuer) -> Void = { _ in }
    ) {
      testDescription = name
      self.status = status
      self.change = change
      options(&self.options)
    }

    static func metadata(_ name: String, _ members: [String: JSON], _ status: Int32 = 0) -> Kind {
      Kind(name, status, change: { $0.quirks.metadata = members })
    }
  }

  static let good: [Kind] = [
    Kind("a faultless issuer"),
    Kind("one below a path, that signs with ES256") { options in
      options.path = "/tenant"
      options.algorithm = .es256
    },
    Kind("one that takes pushed requests only", options: { $0.requiresPushedRequests = true }),
    Kind("one with the RFC 8414 document only", change: { $0.set(.usual(.status(404)), on: .discovery) }),
    Kind(
      "one whose token endpoint only the RFC 8414 document names",
      change: { $0.quirks.openIDMetadata = ["token_endpoint": .absent] }),
    .metadata(
      "one that lists neither scopes nor PKCE",
      ["scopes_supported": .absent, "code_challenge_methods_supported": .absent]),
    .metadata(
      "one that ends nothing",
      ["revocation_endpoint": .absent, "end_session_endpoint": .absent, "introspection_endpoint": .absent]),
    .metadata(
      "one that does not speak of public clients, grants, DPoP and itself",
      [
        "token_endpoint_auth_methods_supported": ["client_secret_basic"], "grant_types_supported": .absent,
        "dpop_signing_alg_values_supported": .absent, "authorization_response_iss_parameter_supported": .absent,
      ]),
    .metadata(
      "a plain OAuth issuer",
      [
        "scopes_supported": ["email"], "id_token_signing_alg_values_supported": .absent, "jwks_uri": .absent,
      ]),
  ]

  static let broken: [Kind] = [
    Kind("HTML in place of the metadata", 1, change: { $0.set(.usual(.html), on: .discovery) }),
    Kind("an outage", 5, change: { $0.set(.usual(.status(503)), on: .discovery) }),
    Kind(
      "no metadata", 1,
      change: {
        $0.set(.usual(.status(404)), on: .discovery)
        $0.set(.usual(.status(404)), on: .oauthMetadata)
      }),
    .metadata("another issuer", ["issuer": "https://evil.example"], 7),
    Kind("a slash too many", 7, change: { $0.quirks.metadata = ["issuer": .string($0.identifier + "/")] }),
    .metadata("no authorization endpoint", ["authorization_endpoint": .absent], 1),
    .metadata("no token endpoint", ["token_endpoint": .absent], 1),
    .metadata("an endpoint without https", ["revocation_endpoint": "http://id.example.com/revoke"], 7),
    .metadata("PKCE without S256", ["code_challenge_methods_supported": ["plain"]], 7),
    .metadata("no code", ["response_types_supported": ["id_token"]], 4),
    .metadata("no code grant", ["grant_types_supported": ["implicit"]], 4),
    .metadata(
      "pushed requests without an endpoint",
      ["require_pushed_authorization_requests": true, "pushed_authorization_request_endpoint": .absent], 1),
    .metadata("no key set", ["jwks_uri": .absent], 7),
    Kind("an empty key set", 7, change: { $0.quirks.hidesKeys = true }),
    Kind("a key too short", 7, change: { $0.quirks.keySet = .keySetOf512Bits }),
    Kind("keys that cannot be fetched", 5, change: { $0.set(.usual(.status(503)), on: .keys) }),
    .metadata("no usable algorithm", ["id_token_signing_alg_values_supported": ["none", "HS256"]], 7),
    Kind("a clock an hour off", 7, change: { $0.quirks.clockOffset = .seconds(3_600) }),
  ]

  @Test(arguments: good + broken) func `doctor and a default login end alike`(kind: Kind) async throws {
    let issuer = LoopbackOpenIDIssuer(kind.options)
    try await issuer.start()
    kind.change(issuer)
    let authctl = try AuthCTL()
    let doctor = try await authctl.run("doctor", "--issuer", issuer.identifier)
    #expect(doctor.status == kind.status, "\(doctor.out)")
    let login = try await authctl.login(issuer)
    #expect(login.status == kind.status, "\(login.err)")
  }

  @Test func `at an issuer that is away no user signs in`() async throws {
    let issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
    await issuer.stop()
    let authctl = try AuthCTL()
    #expect(try await authctl.run("doctor", "--issuer", issuer.identifier).status == 5)
    #expect(try await authctl.login(issuer).status == 5)
  }
}
