import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps a successful response of a token endpoint to tokens (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
enum TokenResponseMapper {
  private struct Wire: Decodable {
    let access_token: String
    let token_type: String?
    let expires_in: WireSeconds?
    let refresh_token: String?
    let scope: String?
    let id_token: String?
  }

  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` if the body is not such an object; no text of it is quoted.
  /// An implausible lifetime is unknown: the response may contain the only refresh token that is still valid.
  ///
  /// The type is `Bearer` or `DPoP`, in any case (RFC 6749 §5.1); any other cannot be used here (§7.1) and throws
  /// ``AuthenticationError/Code/security`` with ``SecurityCheck/tokenType``. ``SessionTokens/checkBinding()`` checks
  /// whether it is the type that was requested.
  static func map(
    _ response: HTTPResponse, askedFor scopes: [String], separatedBy separator: Character = " ",
    boundTo key: ProofKey?, receivedAt: Date
  ) throws(AuthenticationError) -> SessionTokens {
    guard response.isJSON, !response.isFromOtherOrigin,
      let wire = try? BoundedJSON.decode(Wire.self, from: response.body)
    else { throw .malformedTokens }
    return SessionTokens(
      access: try AccessToken(
        Secret(wire.access_token), type: try type(wire.token_type), receivedAt: receivedAt,
        lifetime: try? wire.expires_in?.lifetime(), scopes: wire.scope.map { list($0, separator) } ?? scopes,
        clockOffset: response.clockOffset(receivedAt: receivedAt)),
      refresh: wire.refresh_token.flatMap { $0.isEmpty ? nil : RefreshToken(Secret($0)) },
      identity: wire.id_token.flatMap { $0.isEmpty ? nil : RawIdentityToken(Secret($0)) }, proofKey: key)
  }

  private static func type(_ name: String?) throws(AuthenticationError) -> String {
    for type in ["Bearer", "DPoP"] where name?.equalsIgnoringCase(type) == true { return type }
    throw .refused(by: .tokenType, "The token is of a type that is not known here, or names none.")
  }

  private static func list(_ scope: String, _ separator: Character) -> [String] {
    scope.split(separator: separator).map(String.init)
  }
}

extension SessionTokens {
  /// Checks that the tokens are bound to a key if that was requested, and only then. A token that is not bound as
  /// requested could be used by anyone who finds it (RFC 9449 §5); one that is bound to an unknown key is useless.
  /// Throws ``SecurityCheck/tokenType``.
  func checkBinding() throws(AuthenticationError) {
    guard (access.type == "DPoP") == (proofKey != nil) else {
      throw .refused(by: .tokenType, "The access token is not bound to the key that it was asked for with, if any.")
    }
  }
}

/// A lifetime in the forms that issuers send: a number, or a number in a string.
struct WireSeconds: Decodable, Sendable {
  private let value: Double

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      value = number
    } else {
      let text = (try? container.decode(String.self)) ?? "?"
      let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
      value = isNumber ? Double(text) ?? .nan : .nan
    }
  }

  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` unless it is between 1 second and 10 years.
  func lifetime() throws(AuthenticationError) -> Duration {
    guard value >= 1, value <= AccessToken.longestLifetime / .seconds(1) else { throw .malformedTokens }
    return .seconds(value)
  }
}

extension AuthenticationError {
  static let malformedTokens = Self(
    .unexpectedAnswer, "The answer is not a JSON object with an access_token and a plausible expires_in.",
    suggestion: "Check what the issuer's token endpoint answers.")
}
