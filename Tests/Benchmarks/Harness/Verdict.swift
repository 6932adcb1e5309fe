/// How a figure stands against its goal; in the order of how bad it is.
enum Verdict: Int, Comparable, CustomStringConvertible {
  case noGoal
  case met
  case missed
  case missedByMoreThanDouble
  case broken

  init(_ value: Double, atMost limit: Double) {
    switch value {
    case ...limit: self = .met
    case ...(limit * 2): self = .missed
    default: self = .missedByMoreThanDouble
    }
  }

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

  var description: String {
    switch self {
    case .noGoal: "-"
    case .met: "ok"
    case .missed: "missed"
    case .missedByMoreThanDouble: "MISSED BY MORE THAN DOUBLE"
    case .broken: "BROKEN"
    }
  }
}
