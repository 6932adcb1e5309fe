import AuthenticationDomain
import Foundation

/// A machine, its network and its identity provider, on one thread and on virtual time. Everything that happens in it
/// follows from its seed.
///
/// `@unchecked Sendable`: confined to the thread that made it, on which all its jobs and timers run; the only way in
/// from elsewhere would be a job of the concurrency runtime, and ``add(_:)`` traps where one comes on another thread.
final class World: @unchecked Sendable {
  private let thread = Thread.current
  let seed: UInt64
  let profile: Profile
  var random: SplitMix
  /// Of the faults that were thought of later, so that older seeds keep the worlds in which they once failed.
  var faults: SplitMix
  /// Of ``Extras``.
  var extras: SplitMix
  /// Of the actions of users on screens that sign in.
  var attempts: SplitMix
  /// Of access tokens for further resources.
  var resources: SplitMix
  /// Of processes that drain before they exit.
  var exits: SplitMix
  /// Of responses that are neither a plain refusal nor lost: in a quarter of the worlds.
  var responses: SplitMix
  var hasOddResponses: Bool { seed % 4 == 3 }
  var time = Duration.zero
  /// How far the wall clock is from where the monotonic one would have it.
  var wallOffset = Duration.zero
  var jobs: [Job] = []
  var timers = Timers()
  var processes: [SimulatedProcess] = []
  var issuer: Issuer
  var network: Network
  var disk: Disk
  /// The holder of the lock that guards a refresh.
  var refreshLock: Client?
  var calls: [Call] = []
  var invariants: Invariants
  var summary = Summary()
  var steps = 0
  var intentsLeft = 0
  /// A session was cleared without a request to the provider, or the clock said that 30 days are over.
  var hasForgotten = false
  /// A token that was received before then looks younger than it is.
  var clockWasSetBack = false
  /// When a process received an access token, as late as that may be.
  var receivedAt: [String: (time: Duration, by: Int?)] = [:]
  /// When a step was asked of a process that runs, by its handle.
  var askedAt: [String: Duration] = [:]
  var lastCall = 0
  private var lastClient = -1
  private var lastID: UInt64 = 0
  private var trace: [String]?
  /// Of each manager that began; nil in a world that records none.
  private(set) var recordings: [Recording]?
  /// The events until the end.
  private(set) var finished: [String]?

  init(seed: UInt64, hasExtras: Bool, isTracing: Bool, isRecording: Bool = false) {
    self.seed = seed
    random = SplitMix(seed: seed)
    faults = SplitMix(seed: seed ^ 0x5EED)
    extras = SplitMix(seed: seed ^ 0xADD5)
    attempts = SplitMix(seed: seed ^ 0x7121)
    resources = SplitMix(seed: seed ^ 0x8707)
    responses = SplitMix(seed: seed ^ 0x2E57)
    exits = SplitMix(seed: seed ^ 0xD4A1)
    profile = Profile(
      random: &random, faults: &faults,
      extras: hasExtras ? Extras(from: &extras, attempts: &attempts, resources: &resources) : Extras())
    issuer = Issuer(rotates: profile.rotates, grace: profile.grace, repeatsSuccessor: profile.repeatsSuccessor)
    network = Network(faultPercent: profile.networkFaultPercent)
    disk = Disk(faultPercent: profile.storeFaultPercent, watchFaultPercent: profile.watchFaultPercent)
    invariants = Invariants(
      usesLocks: profile.usesLocks, rotates: profile.rotates, grace: profile.grace)
    trace = isTracing ? [] : nil
    recordings = isRecording ? [] : nil
  }

  func record(_ name: String) -> Recording? {
    guard recordings != nil else { return nil }
    let recording = Recording(name)
    recordings?.append(recording)
    return recording
  }

  var wallClock: Date { date(time + wallOffset) }

  /// Nil where the provider does not tell it.
  var providerClock: Date? { profile.extras.providerSkew.map { date(time + $0) } }

  private func date(_ time: Duration) -> Date {
    Date(timeIntervalSince1970: 1_767_225_600 + time / .seconds(1))
  }

  func add(_ job: Job) {
    precondition(thread === Thread.current, "a job of a simulated world came on another thread")
    if !job.process.hasExited, random.chance(profile.lateJobPercent) {
      timers.add(at: time + random.duration(upToMilliseconds: 200)) { [self] in jobs.append(job) }
    } else {
      jobs.append(job)
    }
  }

  func nextClient() -> Int {
    lastClient += 1
    return lastClient
  }

  func newID() -> RecordID {
    lastID += 1
    return RecordID(seed, lastID)
  }

  func stopTracing() {
    finished = trace
    trace = nil
  }

  func note(_ event: @autoclosure () -> String) {
    guard trace != nil else { return }
    let milliseconds = time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000
    trace?.append("\(steps)\t\(milliseconds) ms\t\(event())")
  }
}
