import AuthenticationDomain

/// What all processes store into, and how it fails.
struct Disk {
  var record: SessionRecord?
  var faultPercent: Int
  var refusesReads = false
  var refusesWrites = false
  /// A stopped process of somebody else's holds the lock for writing.
  var isHeld = false
  /// How many of the writes cost a manager its watch.
  var watchFaultPercent: Int
  /// Who is inside ``SessionStore/exclusively(_:)``.
  var owner: Client?

  init(faultPercent: Int, watchFaultPercent: Int) {
    self.faultPercent = faultPercent
    self.watchFaultPercent = watchFaultPercent
  }

  mutating func calmDown() {
    faultPercent = 0
    watchFaultPercent = 0
    (refusesReads, refusesWrites, isHeld) = (false, false, false)
  }

  var family: Int? { record?.session?.set.family }
}

/// The disk as one manager reaches it.
struct SimulatedStore: SessionStore {
  let client: Client
  var world: World { client.world }

  func read() throws(AuthenticationError) -> SessionRecord? {
    guard client.process.step() else { return client.lastRecord }
    if world.disk.refusesReads || world.random.chance(world.disk.faultPercent) {
      world.note("\(client.name) cannot read")
      // Nothing may be written over what could not be read.
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

  /// A write is a step before it happens and one after it: a process may die in between. What a dead process writes
  /// goes nowhere, and is not refused: it would try for ever, as it would where it could not read.
  private func write(_ record: SessionRecord?) throws(AuthenticationError) {
    guard client.process.step() else { return }
    if world.profile.usesLocks, world.disk.owner !== client {
      world.invariants.fail("\(client.name) writes while others may write")
    }
    let stored = record.map(Stored.init) ?? Stored()
    let isRefused = world.disk.refusesWrites || world.random.chance(world.disk.faultPercent)
    guard !isRefused || world.faults.chance(world.profile.landingPercent) else {
      world.note("\(client.name) cannot store \(stored)")
      world.invariants.failedToWrite(client.id, stored)
      throw .simulatedStorage
    }
    world.disk.record = record
    if !isRefused { client.lastRecord = record }
    world.note("\(client.name) stores \(stored)" + (isRefused ? ", and hears that it could not" : ""))
    world.invariants.wrote(stored, by: client.id, isConfirmed: !isRefused)
    if !isRefused || world.faults.chance(50) { world.announceWrite() }
    _ = client.process.step()
    guard isRefused else { return }
    world.summary.deniedWrites += 1
    throw .simulatedStorage
  }

  func exclusively(_ body: () -> Void) throws(AuthenticationError) {
    guard client.process.step() else { return body() }
    if world.disk.owner != nil { world.invariants.fail("\(client.name) waits for itself to let others write") }
    if world.profile.usesLocks, world.disk.isHeld || world.random.chance(world.disk.faultPercent / 2) {
      world.note("\(client.name) is kept out of the store")
      world.invariants.failedToWrite(client.id)
      throw .simulatedStorage
    }
    world.disk.owner = client
    defer { world.disk.owner = nil }
    body()
  }
}

/// The lock that guards a renewal, released by the kernel when its holder dies.
struct SimulatedLock: SessionLock {
  let client: Client
  var world: World { client.world }

  func tryAcquire() throws(AuthenticationError) -> Bool {
    guard client.process.step() else { throw .simulatedStorage }
    if world.random.chance(world.disk.faultPercent / 2) { throw .simulatedStorage }
    guard world.renewalLock == nil else { return false }
    world.renewalLock = client
    return true
  }

  func release() {
    if world.renewalLock === client { world.renewalLock = nil }
  }
}

/// What a record holds, as far as the invariants are concerned.
struct Stored: Equatable, CustomStringConvertible {
  var session: TokenSet?
  var user: String?
  /// How often the refresh token was sent without a known end.
  var sends = 0
  var formerUser: String?

  init() {}

  init(_ record: SessionRecord) {
    session = record.session?.set
    user = record.session?.user.id
    sends = record.unsettledRenewal?.sends ?? 0
    formerUser = record.formerUser?.id
  }

  var description: String {
    guard let session, let user else { return formerUser.map { "no session (\($0) lost it)" } ?? "no session" }
    return "\(session) of \(user)" + (sends > 0 ? ", sent \(sends) times" : "")
  }
}
