import ArgumentParser

/// The claimed facts, and the false ones among them.
struct Facts {
  private var count = 0
  private var broken: [String] = []

  mutating func expect(_ holds: Bool, _ fact: String) {
    count += 1
    if !holds { broken.append(fact) }
  }

  /// Ends the process with 1 where a fact does not hold.
  func end() throws {
    for fact in broken { print("DOES NOT HOLD: \(fact)") }
    print("\n\(count - broken.count) of \(count) facts hold.")
    if !broken.isEmpty { throw ExitCode.failure }
  }
}
