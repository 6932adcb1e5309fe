/// The kind of world that a seed makes: some are calm, so that a lost session has no excuse there.
struct Profile {
  let processes: Int
  let managersPerProcess: Int
  /// A product with one process and one manager may go without locks.
  let usesLocks: Bool
  let rotates: Bool
  let grace: Duration
  let repeatsSuccessor: Bool
  /// Of access tokens; nil where the provider does not say.
  let lifetime: Duration?
  let networkFaultPercent: Int
  let storeFaultPercent: Int
  /// How many of the writes that fail are done all the same.
  let landingPercent: Int
  /// Whether a manager hears that others have written.
  let tellsChanges: Bool
  /// How many of the writes cost a manager its watch.
  let watchFaultPercent: Int
  var storeFails: Bool { storeFaultPercent > 0 || allowsOutages }
  let lateJobPercent: Int
  let allowsKills: Bool
  let allowsOutages: Bool
  let intents: Int
  let extras: Extras

  init(random: inout SplitMix, faults: inout SplitMix, extras: Extras) {
    self.extras = extras

    processes = random.pick([1, 1, 2, 2, 3])
    managersPerProcess = random.pick([1, 1, 2])
    usesLocks = processes * managersPerProcess > 1 || random.chance(60)
    rotates = random.chance(90)
    grace = random.chance(50) ? .zero : .seconds(10)
    repeatsSuccessor = random.chance(50)
    lifetime = random.pick([.seconds(100), .seconds(100), .seconds(100), .seconds(1_000), nil])
    networkFaultPercent = random.pick([0, 0, 5, 30])
    storeFaultPercent = random.pick([0, 0, 0, 2, 20])
    tellsChanges = random.chance(60)
    lateJobPercent = random.pick([0, 5])
    allowsKills = random.chance(50)
    allowsOutages = random.chance(50)
    intents = 4 + random.below(11)
    landingPercent = faults.pick([0, 0, 50, 100])
    watchFaultPercent = faults.pick([0, 0, 10, 40])
  }
}
