import Crypto
import Foundation
import Testing

@testable import AuthenticationCognito

/// SRP-6a as Cognito does it, by published numbers.
@Suite struct SRPTests {
  @Test func `the multiplier is the published one`() {
    #expect(SRPNumber.hexadecimal(SRPGroup.cognito.multiplier.bytes) == SRPVectors.published.multiplier)
  }

  @Test(arguments: SRPVectors.published.scramblers)
  func `AWS's own client scrambles alike`(vector: SRPVectors.Scrambler) {
    let hash = SHA256.hash(data: SRPNumber.padded(bytes(vector.client)) + SRPNumber.padded(bytes(vector.server)))
    #expect(SRPNumber.hexadecimal(Array(hash)) == vector.scrambler)
  }

  @Test(arguments: SRPVectors.published.secrets)
  func `AWS's own client comes to the same secret`(vector: SRPVectors.Premaster) throws {
    let group = SRPGroup.cognito
    let exchange = SRPExchange(random: bytes(vector.secret))
    #expect(exchange.publicValue == vector.client)
    let key = SRPExchange.Identity(realm: vector.identity, name: "").key(vector.password, salt: bytes(vector.salt))
    let scrambler = SHA256.hash(data: SRPNumber.padded(bytes(vector.client)) + SRPNumber.padded(bytes(vector.server)))
    let premaster = group.premasterSecret(
      server: try #require(group.element(bytes(vector.server))), scrambler: Limbs(bytes: Array(scrambler)),
      password: key, secret: Limbs(bytes: bytes(vector.secret)))
    #expect(SRPNumber.hexadecimal(premaster.bytes) == vector.premaster)
  }

  @Test(arguments: SRPVectors.published.exchanges)
  func `a whole exchange gives the published numbers`(vector: SRPVectors.Exchange) throws {
    let identity = SRPExchange.Identity(realm: String(vector.pool.drop { $0 != "_" }.dropFirst()), name: vector.user)
    let exchange = SRPExchange(random: bytes(vector.secret))
    #expect(exchange.publicValue == vector.client)
    #expect(
      SRPNumber.hexadecimal(identity.key(vector.password, salt: bytes(vector.salt)).bytes) == vector.passwordKey)
    let key = try #require(
      exchange.sessionKey(
        of: identity, password: vector.password, salt: bytes(vector.salt), server: bytes(vector.server)))
    #expect(unsafe key.withUnsafeBytes { unsafe Array($0) } == bytes(vector.sessionKey))
    let block = try #require(Data(base64Encoded: vector.secretBlock))
    #expect(
      SRPExchange.signature(of: identity, secretBlock: Array(block), timestamp: vector.timestamp, key: key)
        == vector.signature)
  }

  @Test func `RFC 5054's own example comes out`() throws {
    let vector = SRPVectors.published.rfc5054
    let group = SRPGroup(
      modulus: bytes(vector.modulus), generator: bytes(vector.generator), multiplier: bytes(vector.multiplier))
    let secret = Limbs(bytes: bytes(vector.secret))
    let password = Limbs(bytes: bytes(vector.passwordKey))
    #expect(group.generated(secret).bytes == bytes(vector.client))
    #expect(group.generated(password).bytes == bytes(vector.verifier))
    let premaster = group.premasterSecret(
      server: try #require(group.element(bytes(vector.server))), scrambler: Limbs(bytes: bytes(vector.scrambler)),
      password: password, secret: secret)
    #expect(premaster.bytes == bytes(vector.premaster))
  }

  @Test func `a server's value that makes the exchange worthless is refused`() throws {
    let vector = SRPVectors.published.exchanges[0]
    let exchange = SRPExchange(random: bytes(vector.secret))
    let identity = SRPExchange.Identity(realm: "AbCdEfGhI", name: vector.user)
    let modulus = SRPGroup.cognito.modulus.limbs.bytes
    let beyond = SRPGroup.cognito.modulus.limbs.adding([1] + [UInt64](repeating: 0, count: 47), under: .max).bytes
    for server in [[0], [0, 0], modulus, beyond, [1] + [UInt8](repeating: 0, count: 384), [1] + modulus] as [[UInt8]] {
      #expect(exchange.sessionKey(of: identity, password: "p", salt: [1], server: server) == nil)
    }
    let zero = [UInt8](repeating: 0, count: 32)
    #expect(exchange.sessionKey(of: identity, password: "p", salt: [1], server: [2], scrambler: zero) == nil)
    #expect(exchange.sessionKey(of: identity, password: "p", salt: [1], server: [2]) != nil)
  }
}
