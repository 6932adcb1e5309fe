/// One installation of an app, always in use. Times in seconds on the fleet's own clock.
protocol FleetClient {
  static var name: String { get }

  init(dice: Dice)

  /// A token came.
  mutating func receive(at time: Double, lifetime: Double)

  /// A refresh failed.
  mutating func fail(at time: Double, in outage: Outage)

  /// When it tries next, after its last result at `time`.
  func nextTry(after time: Double) -> Double
}
