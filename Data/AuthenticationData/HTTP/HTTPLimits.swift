/// How long an exchange may take, and how large its response may be.
struct HTTPLimits: Sendable {
  /// From the call to the last byte received.
  var deadline: Duration
  /// Until a connection is established, TLS included.
  var connecting: Duration
  /// How long no byte may arrive or leave.
  var silence: Duration
  /// The size of a body after decoding, in bytes.
  var maximumBodySize: Int
}

extension Duration {
  /// Rounded up, and limited to the range from 1 to the largest value of a 32-bit C `long`.
  var milliseconds: Int { Int((self / .milliseconds(1)).rounded(.up).clamped(1, 2_147_483_647)) }
  var wholeSeconds: Int { Int((self / .seconds(1)).rounded(.up).clamped(1, 2_147_483)) }
}

extension Double {
  fileprivate func clamped(_ lowest: Double, _ highest: Double) -> Double { min(max(self, lowest), highest) }
}
