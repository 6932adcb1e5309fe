import AuthenticationDomain

/// The invariants of each step, checked on plain facts: the first violation stays.
struct Invariants {
  let usesLocks: Bool
  let rotates: Bool
  let grace: Duration
  private(set) var violation: String?

  var sends: [Send] = []
  var families: [Int: FamilyHistory] = [:]
  var failedCalls: Set<Int> = []
  /// Sign-ins after which a user signed out, or in again, on the same manager.
  var overtakenCalls: Set<Int> = []
  /// Of attempts that were cancelled or replaced.
  var givenUpCalls: Set<Int> = []
  var exitedProcesses: Set<String> = []
  var stoppedProcesses: Set<String> = []
  var views: [Int: View] = [:]
  /// The content of the store.
  var stored = Stored()

  init(usesLocks: Bool = true, rotates: Bool = true, grace: Duration = .zero) {
    self.usesLocks = usesLocks
    self.rotates = rotates
    self.grace = grace
  }

  mutating func fail(_ violation: String) {
    if self.violation == nil { self.violation = violation }
  }

  /// The fate of the sessions that began with one sign-in.
  struct FamilyHistory {
    let user: String
    let call: Int?
    /// The highest rotation that was ever stored.
    var latest: Int?
    /// The store held another session, or none, after it.
    var wasReplaced = false
    /// How often a refresh of it was refused without a reason.
    var oddRefusals = 0
    /// A process died after it had told the journal of a send: whether it was sent is unknown.
    var isInDoubt = false
    var endedLate = false
    /// The process that received its first tokens; nil where they were lost in transit.
    var receiver: (client: Int, process: String)?
    /// A manager made it the session.
    var wasAdopted = false
    /// The store has held its tokens: as the session, or to be revoked.
    var wasKept = false
    /// It went from a store that could not be read or had no room for more, or whether it was stored is unknown.
    var isUnaccounted = false
    /// The provider has taken back its tokens.
    var isRevokedAlone = false
  }

  /// The states that one manager has shown, and its knowledge of the store.
  struct View {
    let name: String
    let isCommand: Bool
    var shown = Shown.unknown
    /// The sessions it has moved on from.
    var left: Set<Int> = []
    var signOuts = 0
    var latestReason: SignOutReason?
    /// The last record that it read or wrote.
    var known: Stored?
    /// As far as it was told: it may be stored all the same.
    var hasFailedToWrite = false
    /// The last record that it wanted to write is not stored, whatever the store reported.
    var isBehind = false
    /// A session that it wanted to store, and could not look whether it had.
    var unsure: Int?
    /// Families that the provider refused to its face.
    var refusals: [Int: Issuer.Refusal] = [:]
    /// It was kept from the lock or from the store.
    var couldNotResolve = false
    /// The sign-ins that the provider was asked for, and whose callers wait.
    var openSignIns: Set<Int> = []
    var latestSignIn: Int?
    /// The second step that it may ask for.
    var openChallenge: String?
    /// It has not begun with the stored record: its write replaces a record that it may never have read.
    var isBlind = true
    /// It was asked to send no more refreshes, and has returned.
    var hasDrained = false
    /// All that it had sent is stored, or known not to be.
    var isResolved = false
  }

  mutating func began(_ client: Int, _ name: String, isCommand: Bool = false) {
    views[client] = View(name: name, isCommand: isCommand)
  }

  func name(_ client: Int) -> String { views[client]?.name ?? "?" }

  /// The signed-in family of a manager's state.
  func family(on client: Int) -> Int? { views[client]?.shown.family }
}
