/// Prints as its type's name: it holds codes, verifiers or tokens as plain text. What is public says the same itself.
protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  var description: String { "<\(Self.self)>" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
