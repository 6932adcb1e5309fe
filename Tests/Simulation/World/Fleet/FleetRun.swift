/// The observations of the provider and the users during one outage of one fleet.
package struct FleetRun {
  private let outage: Outage
  private let clients: Int
  /// Refreshes in each second.
  private var load: [Int]
  private var withoutToken = 0.0
  private var waits: [Double] = []

  init<Client: FleetClient>(_ outage: Outage, of clients: Int, _: Client.Type, seed: UInt64) {
    self.outage = outage
    self.clients = clients
    load = Array(repeating: 0, count: Int(outage.horizon) + 1)
    let dice = Dice(seed: seed)
    for _ in 0..<clients { live(Client(dice: dice), dice) }
  }

  /// Clients know nothing of each other, so that each can live its life before the next.
  private mutating func live(_ newborn: some FleetClient, _ dice: Dice) {
    var client = newborn
    var endsAt = 0.0
    var time: Double
    // Any age is as likely as another, as long as the token would not have been refreshed by now.
    repeat {
      client = newborn
      let birth = -dice.roll() * outage.lifetime
      client.receive(at: birth, lifetime: outage.lifetime)
      endsAt = birth + outage.lifetime
      time = client.nextTry(after: birth)
    } while time < 0
    while time < outage.horizon {
      load[Int(time)] += 1
      if outage.start <= time, time < outage.end {
        client.fail(at: time, in: outage)
      } else {
        if endsAt < time, outage.end <= time {
          withoutToken += time - endsAt
          waits.append(time - max(endsAt, outage.end))
        }
        client.receive(at: time, lifetime: outage.lifetime)
        endsAt = time + outage.lifetime
      }
      time = client.nextTry(after: time)
    }
  }
}

extension FleetRun {
  /// Refreshes in a second while nothing is wrong: over the lifetime before the outage.
  private var steady: Double { count(from: outage.lifetime, to: outage.start) / outage.lifetime }

  /// Refreshes of one client in an hour, while nothing is wrong: the price of being early.
  package var refreshesPerHour: Double { steady * 3_600 / Double(clients) }

  /// The mean load of the outage, in multiples of the steady rate.
  package var outageLoad: Double { count(from: outage.start, to: outage.end) / outage.length / steady }

  /// The highest load after the outage, in multiples of the steady rate, by the mean of that many seconds.
  package func peak(over seconds: Int) -> Double {
    let starts = stride(from: Int(outage.end), to: Int(outage.horizon) - seconds, by: seconds)
    let highest = starts.map { count(from: Double($0), to: Double($0 + seconds)) }.max() ?? 0
    return highest / Double(seconds) / steady
  }

  /// How much of all clients' time in the outage was without a valid token; the waits after it are added.
  package var shareWithoutToken: Double { withoutToken / (Double(clients) * outage.length) }

  /// How many of all clients had no valid token when they got one from the provider again.
  package var shareOfWaiting: Double { Double(waits.count) / Double(clients) }

  /// How long those had to wait after the end of the outage, in seconds.
  package var meanWait: Double { waits.isEmpty ? 0 : waits.reduce(0, +) / Double(waits.count) }
  package var longestWait: Double { waits.max() ?? 0 }

  private func count(from start: Double, to end: Double) -> Double {
    Double(load[Int(start)..<Int(end)].reduce(0, +))
  }
}

extension FleetRun {
  package static func library(_ outage: Outage, clients: Int, seed: UInt64 = 1) -> FleetRun {
    FleetRun(outage, of: clients, LibraryClient.self, seed: seed)
  }

  package static func ticking(_ outage: Outage, clients: Int, seed: UInt64 = 1) -> FleetRun {
    FleetRun(outage, of: clients, TickingClient.self, seed: seed)
  }

  package static func jittering(_ outage: Outage, clients: Int, seed: UInt64 = 1) -> FleetRun {
    FleetRun(outage, of: clients, JitteringClient.self, seed: seed)
  }
}
