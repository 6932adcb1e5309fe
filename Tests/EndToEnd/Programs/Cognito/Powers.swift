import AuthenticationCognito
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Powers modulo Cognito's prime of numbers that a seed gives, so that another implementation can compute the same.
enum Powers {
  static func hash(seed: String, count: Int) -> String {
    let group = SRPGroup.cognito
    var hash = SHA256()
    for index in 0..<count {
      let base = stream("\(seed) base \(index)", count: 383)
      // From a short one to one as long as a sign-in's.
      let exponent = stream("\(seed) exponent \(index)", count: 8 + index % 65)
      let width = group.modulus.limbs.count
      hash.update(data: group.modulus.power(Limbs(bytes: base, count: width), Limbs(bytes: exponent)).bytes)
    }
    return hash.finalize().map { String(format: "%02x", $0) }.joined()
  }

  private static func stream(_ seed: String, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += SHA256.hash(data: Data("\(seed) \(bytes.count)".utf8)) }
    return Array(bytes.prefix(count))
  }
}

/// How long the arithmetic of one sign-in takes: A, then the premaster secret.
enum SignInTime {
  static func milliseconds(count: Int) -> String {
    let identity = SRPExchange.Identity(realm: "pool", name: "user")
    let salt = [UInt8](repeating: 7, count: 16)
    let server = SRPExchange.verifier(of: identity, password: "password", salt: salt)
    let clock = ContinuousClock()
    let times = (0..<count).map { _ in
      clock.measure {
        let exchange = SRPExchange(random: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
        _ = exchange.sessionKey(of: identity, password: "password", salt: salt, server: server)
      }
    }
    return String(format: "%.1f", times.sorted()[count / 2] / .milliseconds(1))
  }
}
