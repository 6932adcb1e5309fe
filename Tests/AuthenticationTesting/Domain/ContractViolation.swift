package import AuthenticationDomain

/// A fact of a contract that an implementation does not keep.
public struct ContractViolation: Error, Sendable, CustomStringConvertible {
  /// The statement that does not hold.
  public let fact: String
  /// The observation.
  public let finding: String

  public var description: String { "\(fact): \(finding)" }
}

/// The fault that a check of a fact found.
package struct Finding: Error {
  package let text: String

  package init(text: String) { self.text = text }

  package static func expect(_ isTrue: Bool, _ text: @autoclosure () -> String) throws(Finding) {
    if !isTrue { throw Finding(text: text()) }
  }

  /// A read that must fail in a storage's own words.
  package static func expectFailure<Value>(_ read: Result<Value?, AuthenticationError>) throws(Finding) {
    guard case .failure(let error) = read else {
      throw Finding(text: (try? read.get()) == nil ? "read as absent" : "read as a value")
    }
    try expect([.storageUnavailable, .storageCorrupt].contains(error), "threw \(error.code)")
  }
}

/// A named statement about every implementation of a port.
public struct ContractFact<Subject: Sendable>: Sendable, CustomStringConvertible {
  /// The statement, as a test's name.
  public let description: String
  let check: @Sendable (Subject) throws -> Void

  package init(_ description: String, _ check: @escaping @Sendable (Subject) throws -> Void) {
    self.description = description
    self.check = check
  }

  package func verify(_ subject: Subject) throws(ContractViolation) {
    do {
      try check(subject)
    } catch let finding as Finding {
      throw ContractViolation(fact: description, finding: finding.text)
    } catch let error as AuthenticationError {
      throw ContractViolation(fact: description, finding: "threw \(error)")
    } catch {
      throw ContractViolation(fact: description, finding: "threw \(type(of: error))")
    }
  }
}
