public import Foundation

/// A token that authorizes requests, with its lifetime and scopes.
///
/// Its characters are checked once, here, so that attaching it to a request needs no further check.
public struct AccessToken: Sendable, Hashable, BoxedValue {
  struct Contents: Sendable, Hashable {
    let value: Secret
    let type: String
    let receivedAt: Date
    let lifetime: Duration?
    let clockOffset: Duration?
    let scopes: [String]
    let authorization: Secret
  }

  let contents: Boxed<Contents>

  /// The token without its type.
  public var value: Secret { contents.value.value }
  /// `Bearer` if the provider does not say (RFC 6750).
  public var type: String { contents.value.type }
  /// When this device received it (UTC).
  public var receivedAt: Date { contents.value.receivedAt }
  /// How long it is valid from ``receivedAt``, in whole seconds; nil if the provider did not say: unknown, not endless.
  public var lifetime: Duration? { contents.value.lifetime }
  /// How far the provider's clock was ahead of this device's at ``receivedAt``, in whole seconds; nil if it did not
  /// say (`Date`, RFC 9110 §6.6.1).
  package var clockOffset: Duration? { contents.value.clockOffset }
  /// The granted scopes, which may differ from the requested ones (RFC 6749 §3.3).
  public var scopes: [String] { contents.value.scopes }
  /// The value of the `Authorization` header, made once.
  public var authorization: Secret { contents.value.authorization }

  /// A token as the provider sent it.
  ///
  /// - Parameters:
  ///   - value: the token without its type.
  ///   - type: the token's type.
  ///   - receivedAt: when this device received it (UTC).
  ///   - lifetime: how long it is valid from `receivedAt`; nil if the provider did not say.
  ///   - scopes: the granted scopes.
  ///   - clockOffset: how far the provider's clock was ahead of this device's at `receivedAt`; nil if it did not say.
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if the value or the type is empty or holds anything but
  ///   visible ASCII (RFC 6750 §2.1), the lifetime is not between 1 second and 10 years, or `receivedAt` is not a
  ///   plausible time.
  public init(
    _ value: Secret, type: String = "Bearer", receivedAt: Date, lifetime: Duration? = nil, scopes: [String] = [],
    clockOffset: Duration? = nil
  ) throws(AuthenticationError) {
    let text = value.reveal()
    guard text.isVisibleASCII else {
      throw .unusableToken("The access token is empty or holds characters that no header may carry.")
    }
    guard type.isVisibleASCII else {
      throw .unusableToken("The token type is empty or holds characters that no header may carry.")
    }
    guard abs(receivedAt.timeIntervalSince1970) <= Date.latestSeconds else {
      throw .unusableToken("The access token was received at no plausible time.")
    }
    if let lifetime, lifetime < .seconds(1) || lifetime > Self.longestLifetime {
      throw .unusableToken("The access token's lifetime is not between 1 second and 10 years.")
    }
    contents = Boxed(
      Contents(
        value: value, type: type, receivedAt: receivedAt, lifetime: lifetime.map { .seconds($0.components.seconds) },
        clockOffset: clockOffset.map { .seconds($0.components.seconds) }, scopes: scopes,
        authorization: Secret(type + " " + text)))
  }

  /// The longest lifetime that is accepted: 10 years.
  package static let longestLifetime: Duration = .seconds(10 * 365 * 86_400)

  /// UTC, by this device's wall clock at receipt; nil when unknown.
  public var expiresAt: Date? {
    lifetime.map { receivedAt.addingTimeInterval(Double($0.components.seconds)) }
  }
}

extension String {
  /// Whether this is not empty and holds only visible ASCII. All bytes are checked, without an early exit, which the
  /// compiler turns into a few wide instructions: a token is long, and read at every launch.
  fileprivate var isVisibleASCII: Bool {
    var text = self
    return text.withUTF8 { bytes in
      let others = unsafe bytes.reduce(0 as UInt8) { $0 | ($1 &- 0x21 > 0x7E - 0x21 ? 1 : 0) }
      return !bytes.isEmpty && others == 0
    }
  }
}

extension AuthenticationError {
  fileprivate static func unusableToken(_ message: String) -> Self {
    Self(.unexpectedResponse, message, suggestion: "Check what the provider's token endpoint answers.")
  }
}
