extension Int {
  /// "1 minute", "2 minutes".
  func counted(_ unit: String) -> String { "\(self) \(unit)\(self == 1 ? "" : "s")" }
}

extension Duration {
  /// In whole minutes, or in seconds where there is less than one.
  var words: String {
    let seconds = Int(components.seconds)
    return seconds < 60 ? seconds.counted("second") : (seconds / 60).counted("minute")
  }
}
