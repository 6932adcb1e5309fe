/// Prints as its type's name, because it contains codes, verifiers or tokens as plain text. Public types implement this
/// themselves.
protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  var description: String { "<\(Self.self)>" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
