/// How long an exchange may take and how much it may bring.
struct HTTPLimits: Sendable {
  /// From the call to the last byte received.
  var deadline: Duration
  /// Until a connection stands, TLS included.
  var connecting: Duration
  /// Without a byte in either direction.
  var silence: Duration
  /// Of a body after decoding, in bytes.
  var maximumBodySize: Int
}

extension Duration {
  /// Rounded up, between one and what a C `long` of 32 bits holds.
  var milliseconds: Int { Int((self / .milliseconds(1)).rounded(.up).clamped(1, 2_147_483_647)) }
  var wholeSeconds: Int { Int((self / .seconds(1)).rounded(.up).clamped(1, 2_147_483)) }
}

extension Double {
  fileprivate func clamped(_ lowest: Double, _ highest: Double) -> Double { min(max(self, lowest), highest) }
}
