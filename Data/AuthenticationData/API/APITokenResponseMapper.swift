package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Maps `{"accessToken", "idToken"?, "refreshToken"?, "expiresIn"?}` to tokens.
/// (The ancestor's term: `APIFetchTokenUseCaseResponse`.)
package enum APITokenResponseMapper {
  /// Maps the response to tokens.
  ///
  /// `expiresIn` may be a number in a string, as some servers send it. If its value is not plausible, the lifetime is
  /// unknown and the tokens are kept: the previous refresh token may already have been used up.
  ///
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` if the body is not such an object; no text of it is
  ///   quoted.
  package static func map(_ response: HTTPResponse, receivedAt: Date) throws(AuthenticationError) -> SessionTokens {
    guard response.isJSON else { throw .malformed }
    guard let wire = try? BoundedJSON.decode(TokenBody.self, from: response.body) else { throw .malformed }
    return SessionTokens(
      access: try AccessToken(
        Secret(wire.accessToken), receivedAt: receivedAt, lifetime: wire.expiresIn.flatMap(lifetime),
        clockOffset: response.clockOffset(receivedAt: receivedAt)),
      refresh: wire.refreshToken.flatMap { $0.isEmpty ? nil : RefreshToken(Secret($0)) },
      identity: wire.idToken.flatMap { $0.isEmpty ? nil : RawIdentityToken(Secret($0)) })
  }

  /// Checks that `expiresIn`, if present, is between 1 second and 10 years.
  ///
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer``, which quotes nothing.
  package static func checkLifetime(_ response: HTTPResponse) throws(AuthenticationError) {
    guard let wire = try? BoundedJSON.decode(TokenBody.self, from: response.body) else { return }
    if let seconds = wire.expiresIn, lifetime(seconds) == nil { throw .implausibleLifetime }
  }

  private static let longestLifetime = AccessToken.longestLifetime / .seconds(1)

  private static func lifetime(_ seconds: Double) -> Duration? {
    seconds >= 1 && seconds <= longestLifetime ? .seconds(seconds) : nil
  }
}

/// Not generic over the number's type, which on Linux would cost a twentieth of the decoding time.
private struct TokenBody: Decodable {
  let accessToken: String
  let idToken: String?
  let refreshToken: String?
  /// NaN if the value that was sent is not a number.
  let expiresIn: Double?

  private enum CodingKeys: CodingKey {
    case accessToken, idToken, refreshToken, expiresIn
  }

  init(from decoder: any Decoder) throws {
    let body = try decoder.container(keyedBy: CodingKeys.self)
    accessToken = try body.decode(String.self, forKey: .accessToken)
    idToken = try body.decodeIfPresent(String.self, forKey: .idToken)
    refreshToken = try body.decodeIfPresent(String.self, forKey: .refreshToken)
    do {
      expiresIn = try body.decodeIfPresent(Double.self, forKey: .expiresIn)
    } catch {
      expiresIn = (try? body.decode(String.self, forKey: .expiresIn)).flatMap { Double($0) } ?? .nan
    }
  }
}

extension AuthenticationError {
  fileprivate static let implausibleLifetime = Self(
    .unexpectedAnswer, "The answer's expiresIn is not between 1 second and 10 years.",
    suggestion: "Check what the backend answers: seconds, or no expiresIn where the lifetime is unknown.")
  fileprivate static let malformed = Self(
    .unexpectedAnswer, "The answer is not a JSON object with a usable accessToken.",
    suggestion: "Check what the backend answers, or give APIContract a mapper of your own.")
}
