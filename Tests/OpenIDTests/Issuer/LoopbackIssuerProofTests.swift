import AuthenticationData
import AuthenticationTesting
import AuthenticationTestingServers
import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct LoopbackIssuerProofTests {
  private let key = P256.Signing.PrivateKey()
  private let clock = ManualClock()

  private func started(_ algorithm: SigningAlgorithm = .rs256) async throws -> IssuerCaller {
    var options = LoopbackOpenIDIssuer.Options()
    options.algorithm = algorithm
    let issuer = LoopbackOpenIDIssuer(options, clock: clock)
    try await issuer.start()
    return IssuerCaller(issuer: issuer)
  }

  private func proof(_ method: String, _ url: URL, id: String, more: [String: Any] = [:]) throws -> String {
    let point = key.publicKey.rawRepresentation
    let jwk = [
      "kty": "EC", "crv": "P-256", "x": Base64URL.encode(point.prefix(32)), "y": Base64URL.encode(point.suffix(32)),
    ]
    let header: [String: Any] = ["typ": "dpop+jwt", "alg": "ES256", "jwk": jwk]
    let claims: [String: Any] = [
      "htm": method, "htu": url.absoluteString, "jti": id, "iat": clock.now.timeIntervalSince1970,
    ]
    let parts = try [header, claims.merging(more) { $1 }].map {
      Base64URL.encode(try JSONSerialization.data(withJSONObject: $0))
    }
    let signed = parts.joined(separator: ".")
    return signed + "." + Base64URL.encode(try key.signature(for: Data(signed.utf8)).rawRepresentation)
  }

  @Test func `a token bound to a key is worth nothing without it`() async throws {
    let caller = try await started()
    let issuer = caller.issuer
    let code = try await caller.authorize()["code"]
    let answer = try await caller.redeem(code, proof: proof("POST", issuer.url(.token), id: "1"))
    let token = try #require(answer.text("access_token"))
    #expect(answer.text("token_type") == "DPoP")
    #expect(try await caller.get(.resource, headers: ["Authorization": "Bearer \(token)"]).status == 401)
    let hash = Base64URL.encode(SHA256.hash(data: Data(token.utf8)))
    let good = try proof("GET", issuer.url(.resource), id: "2", more: ["ath": hash])
    let headers = { ["Authorization": "DPoP \(token)", "DPoP": $0] as HTTPHeaders }
    #expect(try await caller.get(.resource, headers: headers(good)).status == 200)
    #expect(try await caller.get(.resource, headers: headers(good)).status == 401, "a proof counts once")
    let unbound = try proof("GET", issuer.url(.resource), id: "3")
    #expect(try await caller.get(.resource, headers: headers(unbound)).status == 401, "ath is missing")
    let elsewhere = try proof("GET", issuer.url(.userInfo), id: "4", more: ["ath": hash])
    #expect(try await caller.get(.resource, headers: headers(elsewhere)).status == 401, "htu is another")
  }

  @Test func `a server that wants a nonce names it`() async throws {
    let caller = try await started()
    let url = caller.issuer.url(.token)
    caller.issuer.quirks.requiresNonceAtTokenEndpoint = true
    let code = try await caller.authorize()["code"]
    let refused = try await caller.redeem(code, proof: proof("POST", url, id: "1"))
    #expect(refused.text("error") == "use_dpop_nonce")
    let nonce = try #require(refused.response.headers["DPoP-Nonce"])
    let answer = try await caller.redeem(code, proof: proof("POST", url, id: "2", more: ["nonce": nonce]))
    #expect(answer.status == 200)
  }

  @Test(arguments: SigningAlgorithm.allCases)
  func `an ID token is signed with the key that is published`(_ algorithm: SigningAlgorithm) async throws {
    let caller = try await started(algorithm)
    let token = try await caller.redeem(caller.authorize()["code"]).text("id_token") ?? ""
    let parts = token.split(separator: ".").map(String.init)
    let signature = try #require(Base64URL.decode(parts[2]))
    let keys = try await caller.get(.keys).members["keys"] as? [[String: String]]
    let key = try #require(keys?.first)
    let number = { (name: String) in try #require(Base64URL.decode(key[name] ?? "")) }
    let signed = Data("\(parts[0]).\(parts[1])".utf8)
    let isValid =
      switch algorithm {
      case .rs256, .rs512: try rsa(number("n"), number("e"), signed, signature, wide: algorithm == .rs512)
      case .es256:
        try P256.Signing.PublicKey(rawRepresentation: number("x") + number("y"))
          .isValidSignature(P256.Signing.ECDSASignature(rawRepresentation: signature), for: signed)
      case .edDSA:
        try Curve25519.Signing.PublicKey(rawRepresentation: number("x")).isValidSignature(signature, for: signed)
      }
    #expect(isValid)
  }

  private func rsa(_ n: Data, _ e: Data, _ signed: Data, _ signature: Data, wide: Bool) throws -> Bool {
    let key = try _RSA.Signing.PublicKey(n: n, e: e)
    let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
    return wide
      ? key.isValidSignature(signature, for: SHA512.hash(data: signed), padding: .insecurePKCS1v1_5)
      : key.isValidSignature(signature, for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5)
  }
}
