/// How one manager hears of writes to the disk, as from a watched folder: now and then late, one notice for several
/// writes, or none, where the watch broke and cannot be had again for a time.
struct Watch {
  var continuation: AsyncStream<Void>.Continuation?
  /// A notice is in flight, and stands for all writes until it comes.
  var hasNotice = false
  var isBroken = false

  mutating func end() {
    continuation?.finish()
    self = Watch()
  }
}

extension SimulatedStore {
  /// Under the lock the signal tells them.
  func changes() -> AsyncStream<Void>? { isLocked ? nil : writes() }

  func writes() -> AsyncStream<Void>? {
    guard world.profile.tellsChanges, !client.process.hasExited, !client.watch.isBroken else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    client.watch.end()
    client.watch.continuation = continuation
    return stream
  }
}

extension World {
  /// Everybody hears of a write, the writer too.
  func announceWrite() {
    for client in liveClients {
      guard let continuation = client.watch.continuation else { continue }
      if faults.chance(disk.watchFaultPercent) {
        breakWatch(of: client)
        continue
      }
      var delay = random.duration(upToMilliseconds: random.chance(10) ? 10_000 : 20)
      if disk.watchFaultPercent > 0, faults.chance(20) {
        if client.watch.hasNotice { continue }
        delay = faults.duration(upToMilliseconds: 120_000)
      }
      client.watch.hasNotice = true
      timers.add(at: time + delay) {
        client.watch.hasNotice = false
        continuation.yield()
      }
    }
  }

  private func breakWatch(of client: Client) {
    summary.lostWatches += 1
    note("\(client.name) loses its watch")
    client.watch.end()
    guard faults.chance(50) else { return }
    client.watch.isBroken = true
    timers.add(at: time + faults.duration(upToMilliseconds: 60_000)) { client.watch.isBroken = false }
  }
}
