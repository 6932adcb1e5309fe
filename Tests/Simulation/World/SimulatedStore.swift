import AuthenticationData
import AuthenticationDomain

/// The file of the session as one manager reaches it; where processes share it, under the real
/// `locked(by:telling:timeout:)`.
struct SimulatedStore: SessionStore {
  let client: Client
  var isLocked = false
  var world: World { client.world }

  func read() throws(AuthenticationError) -> SessionRecord? {
    guard client.process.step() else { return client.lastRecord }
    if world.disk.refusesReads || world.random.chance(world.disk.faultPercent) {
      world.note("\(client.name) cannot read")
      // Nothing may be written over unreadable data.
      if world.disk.owner === client { world.invariants.failedToWrite(client.id) }
      throw .simulatedStorage
    }
    let record = world.disk.record
    client.lastRecord = record
    world.invariants.read(record.map(Stored.init) ?? Stored(), by: client.id)
    return record
  }

  func save(_ record: SessionRecord) throws(AuthenticationError) { try write(record) }
  func delete() throws(AuthenticationError) { try write(nil) }

  /// A write is a step before it happens and one after it: a process may die in between. A write of a process that
  /// exited goes nowhere, and is not refused: the process would try for ever, as it would where it could not read.
  private func write(_ record: SessionRecord?) throws(AuthenticationError) {
    guard client.process.step() else { return }
    if world.profile.usesLocks, world.disk.owner !== client {
      world.invariants.fail("\(client.name) writes while others may write")
    }
    let stored = record.map(Stored.init) ?? Stored()
    if let state = client.manager?.state { world.invariants.willWrite(stored, by: client.id, showing: Shown(state)) }
    let isRefused = world.disk.refusesWrites || world.random.chance(world.disk.faultPercent)
    guard !isRefused || world.faults.chance(world.profile.landingPercent) else {
      world.note("\(client.name) cannot store \(stored)")
      world.invariants.failedToWrite(client.id, stored)
      throw .simulatedStorage
    }
    if record == nil { world.invariants.erases(world.disk.record, by: client.id) }
    world.disk.record = record
    if !isRefused { client.lastRecord = record }
    world.note("\(client.name) stores \(stored)" + (isRefused ? ", and hears that it could not" : ""))
    world.invariants.wrote(stored, by: client.id, isConfirmed: !isRefused)
    world.invariants.keeps(record)
    if !isRefused || world.faults.chance(50) { world.announceWrite() }
    _ = client.process.step()
    guard isRefused else { return }
    world.summary.deniedWrites += 1
    throw .simulatedStorage
  }

  /// For a product that goes without locks.
  func exclusively(_ body: () -> Void) throws(AuthenticationError) {
    guard client.process.step() else { return body() }
    world.disk.owner = client
    defer { world.disk.owner = nil }
    body()
  }

  func locked() -> any SessionStore {
    var store = self
    store.isLocked = true
    let signal = ChangeSignal(raise: {}, changes: { writes() })
    return store.locked(by: SimulatedWriteLock(client: client), telling: signal, timeout: .zero)
  }
}
