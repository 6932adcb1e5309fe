import AuthenticationDomain

/// Something that must hold for every input, and did not for this one.
struct Finding: Error, CustomStringConvertible {
  let description: String

  static func unless(_ holds: Bool, _ fact: @autoclosure () -> String) throws {
    if !holds { throw Finding(description: "not so: \(fact())") }
  }
}

extension AuthenticationError {
  /// Stands in seeds and dictionaries for words of a server and for secrets.
  static let canary = "c4nary"

  func checkSilence() throws {
    let texts = ["\(self)", String(reflecting: self), message, suggestion ?? ""]
    try Finding.unless(!texts.contains { $0.utf8.contains(Self.canary.utf8) }, "an error says nothing of what came")
  }
}
