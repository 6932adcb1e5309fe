import Synchronization

/// SplitMix64: the same numbers for the same seed, on every machine.
package final class Dice: Sendable {
  private let state: Atomic<UInt64>

  package init(seed: UInt64) { state = Atomic(seed) }

  /// A number in 0..<1.
  package func roll() -> Double {
    var bits = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) * 0x1p-53
  }
}
