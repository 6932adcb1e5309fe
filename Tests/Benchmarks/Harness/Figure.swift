/// One line of the table: a median, its allocations, and the goals of both.
struct Figure: Sendable {
  enum Unit: String, Sendable {
    case nanoseconds = "ns"
    case microseconds = "µs"
    case milliseconds = "ms"
    case kilobytes = "kB"
    case times = "×"
    case count = ""
  }

  let name: String
  let value: Double
  let unit: Unit
  /// Nil for a figure that is shown to compare the others with.
  var limit: Double?
  var allocations: Double?
  var allocationLimit: Double?
  /// A forbidden event that happened.
  var fault: String?

  init(
    _ name: String, _ value: Double, _ unit: Unit, atMost limit: Double? = nil, allocations: Double? = nil,
    allocationsAtMost allocationLimit: Double? = nil
  ) {
    self.name = name
    self.value = value
    self.unit = unit
    self.limit = limit
    self.allocations = allocations
    self.allocationLimit = allocationLimit
  }

  var verdict: Verdict {
    if fault != nil { return .broken }
    var verdict = limit.map { Verdict(value, atMost: $0) } ?? .noGoal
    // A stray allocation of another thread, spread over many operations, is not one of the operation's.
    if let allocations, let allocationLimit {
      verdict = max(verdict, Verdict((allocations * 100).rounded() / 100, atMost: allocationLimit))
    }
    return verdict
  }

  var cells: [String] {
    let goals = [
      limit.map { "≤ \($0.short) \(unit.rawValue)" }, allocationLimit.map { "≤ \($0.short) allocations" },
    ]
    return [
      name, "\(value.short) \(unit.rawValue)", allocations?.short ?? "",
      goals.compactMap(\.self).joined(separator: ", "),
      [verdict.description, fault].compactMap(\.self).joined(separator: ": "),
    ]
  }
}

extension Double {
  /// Two decimals below ten, one below a hundred, none above; no trailing zeros.
  var short: String {
    let scale: Double = abs(self) < 10 ? 100 : abs(self) < 100 ? 10 : 1
    let rounded = (self * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
