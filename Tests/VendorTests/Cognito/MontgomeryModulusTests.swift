import Foundation
import Testing

@testable import AuthenticationCognito

/// The arithmetic below SRP, by numbers that Python computed. Ten thousand of Cognito's own size are compared by
/// Tests/EndToEnd/Cognito/run.
@Suite struct MontgomeryModulusTests {
  @Test func `powers are those that Python computes`() throws {
    let lines = String(decoding: try fixture("powers.txt"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 240)
    for line in lines {
      let numbers = line.split(separator: " ").map { bytes(String($0)) }
      let modulus = MontgomeryModulus(Limbs(bytes: numbers[0]))
      let power = modulus.power(Limbs(bytes: numbers[1], count: modulus.limbs.count), Limbs(bytes: numbers[2]))
      #expect(power == Limbs(bytes: numbers[3], count: modulus.limbs.count), "\(line)")
    }
  }

  @Test func `differences and products stay within the modulus`() {
    let modulus = MontgomeryModulus([97])
    for (left, right) in [(0, 0), (0, 96), (96, 96), (1, 2), (50, 49)] as [(UInt64, UInt64)] {
      #expect(modulus.difference([left], [right]) == [(97 + left - right) % 97])
      #expect(modulus.product([left], [right]) == [left * right % 97])
    }
  }

  @Test func `an exponent of sums and products carries to its end`() {
    let large: Limbs = [.max, .max]
    let exponent: Limbs = [0, 0, .max - 1, .max, 1]
    #expect(large.multiplied(by: large, adding: [.max, .max, .max, .max]) == exponent)
  }

  @Test func `a number that is not needed any more is overwritten`() {
    var number: Limbs = [1, 2, 3]
    number.erase()
    #expect(number == [0, 0, 0])
  }
}
