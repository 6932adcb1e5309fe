import AuthenticationKit

extension Secret {
  /// Sixteen bits of a digest (FNV-1a), behind four dots: they tell one token from another, and nothing else of it.
  var fingerprint: String {
    let digest = reveal().utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String((digest >> 16) ^ (digest & 0xFFFF), radix: 16)
    return "•••• " + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
