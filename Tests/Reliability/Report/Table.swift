import Foundation

/// Rows in columns, printed as they come.
struct Table {
  private let widths: [Int]

  init(_ widths: [Int]) { self.widths = widths }

  func print(_ cells: [String]) {
    var line = ""
    for (index, cell) in cells.enumerated() {
      line += cell
      guard index < cells.count - 1 else { continue }
      line += String(repeating: " ", count: max(1, widths[index] - cell.count))
    }
    Swift.print(line)
    fflush(nil)
  }
}
