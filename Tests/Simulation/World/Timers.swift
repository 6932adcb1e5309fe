/// The pending events of a world: the earliest first, and among equals the first requested.
struct Timers {
  private struct Timer {
    let time: Duration
    let id: Int
    let fire: () -> Void
  }

  private var timers: [Timer] = []
  private var lastID = 0

  var isEmpty: Bool { timers.isEmpty }

  @discardableResult
  mutating func add(at time: Duration, _ fire: @escaping () -> Void) -> Int {
    lastID += 1
    timers.append(Timer(time: time, id: lastID, fire: fire))
    return lastID
  }

  mutating func remove(_ id: Int) {
    timers.removeAll { $0.id == id }
  }

  mutating func next() -> (time: Duration, fire: () -> Void)? {
    guard var first = timers.indices.first else { return nil }
    for index in timers.indices where timers[index].time < timers[first].time { first = index }
    let timer = timers.remove(at: first)
    return (timer.time, timer.fire)
  }
}
