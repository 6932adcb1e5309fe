package import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a provider's adapter must know again when a challenge is answered, perhaps after a relaunch: the vendor's own
/// handles, and never a password or a code.
package struct ChallengeHandle: Sendable {
  private var fields: [String: String]

  /// - Parameter step: which of the adapter's steps it is.
  package init(_ step: String, _ fields: [String: String?] = [:]) {
    self.fields = fields.compactMapValues(\.self)
    self.fields["step"] = step
  }

  /// The handle of a challenge.
  ///
  /// - Throws: ``AuthenticationError/Code/challengeReplaced`` if another provider, or another version, made it.
  package init(_ challenge: Challenge) throws(AuthenticationError) {
    let json = Data(challenge.handle.reveal().utf8)
    guard let fields = try? JSONDecoder().decode([String: String].self, from: json), fields["step"] != nil else {
      throw .challengeReplaced
    }
    self.fields = fields
  }

  package var step: String { fields["step"] ?? "" }

  package subscript(name: String) -> String? {
    get { fields[name] }
    set { fields[name] = newValue }
  }

  /// A field that must be there.
  package func required(_ name: String) throws(AuthenticationError) -> String {
    guard let value = fields[name] else { throw .challengeReplaced }
    return value
  }

  /// As a ``Challenge`` holds it.
  package var secret: Secret {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Secret(String(decoding: (try? encoder.encode(fields)) ?? Data(), as: UTF8.self))
  }
}
