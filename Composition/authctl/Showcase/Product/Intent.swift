/// What a person wants, as the button says that was pressed: `name`, or `name:argument`.
struct Intent: Sendable, Equatable {
  let name: String
  let argument: String

  init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = parts.first.map(String.init) ?? ""
    argument = parts.count > 1 ? String(parts[1]) : ""
  }
}
