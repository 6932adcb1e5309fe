extension RenewalTiming {
  /// Makes a refresh due immediately if an earlier one is unsettled, while the provider may still accept its token.
  mutating func settle(at uptime: Duration) {
    guard token != nil, streak == nil else { return }
    earlyPoint = min(earlyPoint ?? uptime, uptime)
  }

  /// False if a failure since then requires waiting.
  var canSettle: Bool { streak == nil }
}
