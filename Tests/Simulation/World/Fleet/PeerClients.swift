/// Refreshes a minute before the end, and every 30 seconds after a failure: the usual timer.
struct TickingClient: FleetClient {
  static let name = "a tick of 30 s"
  private var timer = 0.0

  init(dice: Dice) {}

  mutating func receive(at time: Double, lifetime: Double) { timer = time + lifetime - min(60, lifetime / 4) }

  mutating func fail(at time: Double, in outage: Outage) { timer = time + max(30, outage.retryAfter ?? 0) }

  func nextTry(after time: Double) -> Double { timer }
}

/// Refreshes a minute before the end, and after a failure waits up to 1 s, 2 s, 4 s … 60 s: the usual back-off.
struct JitteringClient: FleetClient {
  static let name = "full jitter, 1–60 s"
  private let dice: Dice
  private var timer = 0.0
  private var failures = 0

  init(dice: Dice) { self.dice = dice }

  mutating func receive(at time: Double, lifetime: Double) {
    timer = time + lifetime - min(60, lifetime / 4)
    failures = 0
  }

  mutating func fail(at time: Double, in outage: Outage) {
    let ceiling = Double(min(60, 1 << min(failures, 6)))
    timer = time + max(dice.roll() * ceiling, outage.retryAfter ?? 0)
    failures += 1
  }

  func nextTry(after time: Double) -> Double { timer }
}
