import Foundation
import Testing

@testable import AuthenticationDomain

/// Numbers that a provider or a store chose: none of them ends the process.
@Suite struct BoundedNumbersTests {
  static let absurd = [1e300, -1e300, 1e19, -1e19, 9.3e18, .infinity, -.infinity, .nan, .greatestFiniteMagnitude]

  @Test(arguments: absurd) func `a number out of range is nil`(number: Double) {
    #expect(Int(number, in: 4...12) == nil)
    #expect(Int(number, in: Int.min...Int.max) == nil)
    #expect(Duration(seconds: number, atMost: .seconds(86_400)) == nil)
    #expect(Date(boundedSecondsSince1970: number) == nil)
  }

  @Test func `a number of the range is converted, without its fraction`() {
    #expect(Int(4, in: 4...12) == 4 && Int(12.9, in: 4...12) == 12 && Int(-0.5, in: 0...1) == 0)
    #expect(Int(3.9, in: 4...12) == nil && Int(13, in: 4...12) == nil)
    #expect(Duration(seconds: 0, atMost: .seconds(1)) == .zero)
    #expect(Duration(seconds: 1, atMost: .seconds(1)) == .seconds(1))
    #expect(Duration(seconds: -0.1, atMost: .seconds(1)) == nil)
    #expect(Duration(seconds: 1.1, atMost: .seconds(1)) == nil)
    #expect(Date(boundedSecondsSince1970: 1_790_000_000) == Date(timeIntervalSince1970: 1_790_000_000))
    #expect(Date(boundedSecondsSince1970: 253_402_300_800) == nil, "the year 10000")
  }

  @Test func `whole seconds are rounded up, and have an end`() {
    #expect(Duration.milliseconds(1).roundedUpSeconds == 1)
    #expect(Duration.seconds(2).roundedUpSeconds == 2)
    #expect(Duration.zero.roundedUpSeconds == 0)
    #expect((Duration.seconds(Int64.max) + .milliseconds(1)).roundedUpSeconds == .max)
  }
}
