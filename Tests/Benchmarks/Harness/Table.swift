/// Prints figures as they come, in columns.
struct Table {
  private static let widths = [58, 11, 12, 30]
  private(set) var worst = Verdict.noGoal

  func printHeader() {
    printLine(["what", "median", "allocations", "goal", "verdict"])
  }

  mutating func add(_ figures: [Figure]) {
    for figure in figures {
      worst = max(worst, figure.verdict)
      printLine(figure.cells)
    }
  }

  private func printLine(_ cells: [String]) {
    var line = ""
    for (index, cell) in cells.enumerated() {
      line += cell
      guard index < Self.widths.count else { continue }
      line += String(repeating: " ", count: max(1, Self.widths[index] - cell.count))
    }
    print(line)
  }
}
