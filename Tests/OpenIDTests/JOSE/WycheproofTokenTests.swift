import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// The signed tokens and key sets of Project Wycheproof, by the check that ID tokens and access tokens share.
@Suite struct WycheproofTokenTests {
  /// Valid by their standard, but here with a key whose `alg` is another one, or none that there is (`ES521`).
  private static let ofAnotherAlgorithm: Set = ["JWS 346", "JWS 347", "JWS 350", "JWS 351"]

  @Test func `there are as many tokens as Wycheproof has`() {
    let tokens = JOSEFixture.wycheproof.groups.flatMap(\.tokens)
    #expect(tokens.count == 401 + 26 && Set(tokens.map(\.id)).count == tokens.count)
  }

  @Test(arguments: JOSEFixture.wycheproof.groups)
  func `a token is accepted or refused as Wycheproof has it, and no MAC is accepted`(
    group: JOSEFixture.Wycheproof.Group
  ) throws {
    let keys = try JSONWebKeySet(json: JSONEncoder().encode(["keys": group.keys]))
    // Any reader of an issuer's public keys could make such a token (RFC 8725 §3.1).
    let isMAC = group.keys.allSatisfy { $0["kty"] == "oct" }
    for token in group.tokens {
      let jws = try? CompactJWS(token.jws)
      let isAccepted = (try? jws?.checkSignature(by: keys, permitting: SignatureAlgorithm.all, of: "token")) != nil
      #expect(
        isAccepted == (token.isValid && !isMAC && !Self.ofAnotherAlgorithm.contains(token.id)),
        "\(token.id), \(token.comment)")
    }
  }
}
