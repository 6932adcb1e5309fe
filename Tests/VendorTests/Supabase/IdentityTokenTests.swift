import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct IdentityTokenTests {
  // printf 'raw-nonce' | sha256sum
  static let hashedNonce: JSONValue = "2c5d107938053a2275f022c153c9a71f65ee07754b8bca543ee97a0c3cc66990"

  func credentials(
    _ method: SignInMethod = .apple, claims: [String: JSONValue] = [:], nonce: String? = nil, name: String? = nil,
    accessToken: String? = nil
  ) -> NativeCredentials {
    let claims = ["sub": "apple-1", "email": "ada@example.com", "email_verified": true].merging(claims) { $1 }
    return NativeCredentials(
      method: method, identityToken: Secret(VendorToken.make(claims)), rawNonce: nonce.map(Secret.init),
      accessToken: accessToken.map(Secret.init), name: name.flatMap { UserName(given: $0, family: nil) })
  }

  @Test func `an identity token of Apple signs in, with the nonce before hashing`() async throws {
    let bench = try await SupabaseBench()
    let user = try await bench.root.useCase.signIn(
      with: credentials(claims: ["nonce": Self.hashedNonce], nonce: "raw-nonce"))
    #expect(user.email == "ada@example.com")
    let body = try bench.body("token id_token")
    #expect(body["provider"] == "apple")
    #expect(body["nonce"] == "raw-nonce")
  }

  @Test func `a token of another attempt is refused`() async throws {
    let bench = try await SupabaseBench()
    await #expect {
      try await bench.root.useCase.signIn(with: credentials(claims: ["nonce": Self.hashedNonce], nonce: "other"))
    } throws: {
      ($0 as? AuthenticationError)?.reason == .nonce
    }
  }

  @Test func `a nonce on one side alone is refused, but for Facebook`() async throws {
    let bench = try await SupabaseBench()
    #expect(await code { try await bench.root.useCase.signIn(with: credentials(nonce: "x")) } == .invalidRequest)
    try await bench.root.useCase.signIn(with: credentials(.facebook, nonce: "x"))
  }

  @Test func `the vendor's access token goes along`() async throws {
    let bench = try await SupabaseBench()
    try await bench.root.useCase.signIn(
      with: credentials(.google, claims: ["at_hash": "x"], accessToken: "google-access"))
    #expect(try bench.body("token id_token")["access_token"] == "google-access")
  }

  @Test func `the name that Apple tells once is kept`() async throws {
    let bench = try await SupabaseBench()
    try await bench.root.useCase.signIn(with: credentials(name: "Ada Lovelace"))
    #expect(try await bench.root.manager.account.refreshUser().name == "Ada Lovelace")
  }

  @Test func `an address that the vendor did not verify is confirmed`() async throws {
    let bench = try await SupabaseBench()
    await #expect {
      try await bench.root.useCase.signIn(with: credentials(claims: ["email_verified": false]))
    } throws: {
      let challenge = ($0 as? AuthenticationError)?.challenge
      return challenge?.kind == .confirmation && challenge?.destination == "ada@example.com"
    }
  }
}
