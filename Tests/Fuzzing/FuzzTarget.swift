import Foundation
import Testing

/// A parser of foreign bytes, and its rules for any of them.
struct FuzzTarget: Sendable, CustomTestStringConvertible {
  /// As in `Corpus/` and `Dictionaries/`.
  let name: String
  /// Throws a ``Finding``. A trap, or not coming to an end, is one as well.
  let check: @Sendable ([UInt8]) throws -> Void

  var testDescription: String { name }

  static let all = portable + onLinux + openID

  #if os(Linux)
  private static let onLinux = [Self(name: "raw-answer", check: RawAnswerTarget.check)]
  #else
  private static let onLinux: [Self] = []
  #endif

  private static let portable = [
    Self(name: "stored-record", check: StoredFormatTarget.check),
    Self(name: "www-authenticate", check: ChallengeTarget.check),
    Self(name: "http-date", check: HTTPDateTarget.check),
    Self(name: "json", check: JSONTarget.check),
    Self(name: "passkey", check: PasskeyTarget.check),
    Self(name: "archive", check: ArchiveTarget.check),
  ]

  /// Checks the input; and, for one in 128, an input of 64 KiB made of it, which only a parser that reads each byte a
  /// bounded number of times reads in time.
  func run(_ input: [UInt8]) throws {
    try checkInTime(input)
    let hash = input.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    guard hash >> 57 == 0, !input.isEmpty else { return }
    let start = Int(hash >> 16 & 0xFFFF) % input.count
    let piece = input[start..<min(input.count, start + 1 + Int(hash & 31))]
    var long = Array(input[..<start])
    for _ in 0..<65_536 / piece.count { long += piece }
    try checkInTime(long + input[start...])
  }

  /// By the processor's time, in microseconds: a busy machine is no finding.
  private func checkInTime(_ input: [UInt8]) throws {
    let start = clock()
    try check(input)
    try Finding.unless(clock() - start < 5_000_000, "\(input.count) bytes are read within 5 seconds")
  }
}
