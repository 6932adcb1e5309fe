import AuthenticationDomain

/// What must hold at each step, checked on plain facts: the first violation stays.
struct Invariants {
  let usesLocks: Bool
  let rotates: Bool
  let grace: Duration
  private(set) var violation: String?

  var sends: [Send] = []
  var families: [Int: FamilyHistory] = [:]
  var failedCalls: Set<Int> = []
  var deadProcesses: Set<String> = []
  var stoppedProcesses: Set<String> = []
  var views: [Int: View] = [:]
  /// What the store holds.
  var stored = Stored()

  init(usesLocks: Bool = true, rotates: Bool = true, grace: Duration = .zero) {
    self.usesLocks = usesLocks
    self.rotates = rotates
    self.grace = grace
  }

  mutating func fail(_ violation: String) {
    if self.violation == nil { self.violation = violation }
  }

  /// What became of the sessions that began with one sign-in.
  struct FamilyHistory {
    let user: String
    let call: Int?
    /// The highest rotation that was ever stored.
    var latest: Int?
    /// The store held another session, or none, after it.
    var wasReplaced = false
    /// A process died after it had told the journal of a send: nobody can know whether it was sent.
    var isInDoubt = false
    var endedLate = false
  }

  /// What one manager has shown, and what it knows of the store.
  struct View {
    let name: String
    var shown = Shown.unknown
    /// The sessions it has moved on from.
    var left: Set<Int> = []
    var signOuts = 0
    /// What it last read or wrote.
    var known: Stored?
    /// As far as it was told: it may be stored all the same.
    var hasFailedToWrite = false
    /// What it last wanted to write is not stored, whatever it was told.
    var isBehind = false
    /// A session that it wanted to store, and could not look whether it had.
    var unsure: Int?
    /// A session that was stored in an empty store, while it heard otherwise and could not look.
    var doubtful: Int?
    /// Families that the provider refused to its face.
    var refusals: [Int: Issuer.Refusal] = [:]
  }

  mutating func began(_ client: Int, _ name: String) { views[client] = View(name: name) }

  func name(_ client: Int) -> String { views[client]?.name ?? "?" }

  /// The signed-in family of what a manager shows.
  func family(on client: Int) -> Int? { views[client]?.shown.family }
}
