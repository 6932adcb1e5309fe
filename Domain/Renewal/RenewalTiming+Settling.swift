extension RenewalTiming {
  /// A renewal that somebody left unsettled is settled at once, while the provider may still forgive it.
  mutating func settle(at uptime: Duration) {
    guard token != nil, streak == nil else { return }
    earlyPoint = min(earlyPoint ?? uptime, uptime)
  }

  /// Whether a failure since then says that it has to wait.
  var canSettle: Bool { streak == nil }
}
