public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Maps `{"accessToken", "idToken"?, "refreshToken"?, "expiresIn"?}` to tokens.
public enum APITokenResponseMapper {
  private struct Wire: Decodable {
    let accessToken: String
    let idToken: String?
    let refreshToken: String?
    let expiresIn: Seconds?
  }

  /// A number, or a number in a string, as some servers send it.
  private struct Seconds: Decodable {
    let value: Double

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        value = number
      } else if let number = Double(try container.decode(String.self)) {
        value = number
      } else {
        throw AuthenticationError.malformed
      }
    }
  }

  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` for anything but such an object; no text of it is quoted.
  public static func map(_ response: HTTPResponse, receivedAt: Date) throws(AuthenticationError) -> SessionTokens {
    guard response.isJSON, let wire = try? JSONDecoder().decode(Wire.self, from: response.body) else {
      throw .malformed
    }
    let access = try AccessToken(
      Secret(wire.accessToken), receivedAt: receivedAt, lifetime: try lifetime(wire.expiresIn))
    return SessionTokens(
      access: access,
      refresh: wire.refreshToken.flatMap { $0.isEmpty ? nil : RefreshToken(Secret($0)) },
      identity: wire.idToken.map { RawIdentityToken(Secret($0)) })
  }

  private static func lifetime(_ seconds: Seconds?) throws(AuthenticationError) -> Duration? {
    guard let seconds = seconds?.value else { return nil }
    guard seconds >= 1, seconds <= AccessToken.longestLifetime / .seconds(1) else { throw .malformed }
    return .seconds(seconds)
  }
}

extension AuthenticationError {
  fileprivate static let malformed = Self(
    .unexpectedAnswer, "The answer is not a JSON object with an accessToken and a plausible expiresIn.",
    suggestion: "Check what the backend answers, or give APIContract a mapper of your own.")
}
