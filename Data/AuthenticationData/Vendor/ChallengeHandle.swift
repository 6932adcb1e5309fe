public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a provider's adapter must know again when a challenge is answered, perhaps after a relaunch: the vendor's own
/// handles, and never a password or a code.
///
/// ```swift
/// let challenge = Challenge(kind: .emailCode, handle: ChallengeHandle("mail", ["id": "f3a1"]).secret)
/// let id = try ChallengeHandle(challenge)["id"]
/// ```
public struct ChallengeHandle: Sendable {
  /// What was given, by name, and `step`.
  public private(set) var fields: [String: String]

  /// Names a step, and what it must know.
  ///
  /// - Parameters:
  ///   - step: which of the adapter's steps it is.
  ///   - fields: what the answer needs; nil adds nothing.
  public init(_ step: String, _ fields: [String: String?] = [:]) {
    self.fields = fields.compactMapValues(\.self)
    self.fields["step"] = step
  }

  /// Reads the handle of a challenge.
  ///
  /// - Throws: ``AuthenticationError/Code/challengeReplaced`` if another provider, or another version, made it.
  public init(_ challenge: Challenge) throws(AuthenticationError) {
    let json = Data(challenge.handle.reveal().utf8)
    guard let fields = try? BoundedJSON.decode([String: String].self, from: json), fields["step"] != nil else {
      throw .challengeReplaced
    }
    self.fields = fields
  }

  /// Which of the adapter's steps it is.
  public var step: String { fields["step"] ?? "" }

  /// A field; nil if there is none.
  public subscript(name: String) -> String? {
    get { fields[name] }
    set { fields[name] = newValue }
  }

  /// A field that must be there.
  package func required(_ name: String) throws(AuthenticationError) -> String {
    guard let value = fields[name] else { throw .challengeReplaced }
    return value
  }

  /// As a ``Challenge`` holds it.
  public var secret: Secret {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Secret(String(decoding: (try? encoder.encode(fields)) ?? Data(), as: UTF8.self))
  }
}

extension ChallengeHandle: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "<handle>" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
