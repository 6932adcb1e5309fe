public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Maps `{"accessToken", "idToken"?, "refreshToken"?, "expiresIn"?}` to tokens.
/// (The ancestor's term: `APIFetchTokenUseCaseResponse`.)
public enum APITokenResponseMapper {
  private struct Wire<Seconds: Decodable>: Decodable {
    let accessToken: String
    let idToken: String?
    let refreshToken: String?
    let expiresIn: Seconds?
  }

  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` for anything but such an object; no text of it is quoted.
  /// `expiresIn` may be a number in a string, as some servers send it.
  public static func map(_ response: HTTPResponse, receivedAt: Date) throws(AuthenticationError) -> SessionTokens {
    guard response.isJSON else { throw .malformed }
    if let wire = try? JSONDecoder().decode(Wire<Double>.self, from: response.body) {
      return try tokens(wire, lifetime: lifetime(wire.expiresIn), receivedAt)
    }
    guard let wire = try? JSONDecoder().decode(Wire<String>.self, from: response.body) else { throw .malformed }
    guard let text = wire.expiresIn, let seconds = Double(text) else { throw .malformed }
    return try tokens(wire, lifetime: lifetime(seconds), receivedAt)
  }

  private static func tokens<Seconds>(
    _ wire: Wire<Seconds>, lifetime: Duration?, _ receivedAt: Date
  ) throws(AuthenticationError) -> SessionTokens {
    SessionTokens(
      access: try AccessToken(Secret(wire.accessToken), receivedAt: receivedAt, lifetime: lifetime),
      refresh: wire.refreshToken.flatMap { $0.isEmpty ? nil : RefreshToken(Secret($0)) },
      identity: wire.idToken.flatMap { $0.isEmpty ? nil : RawIdentityToken(Secret($0)) })
  }

  private static func lifetime(_ seconds: Double?) throws(AuthenticationError) -> Duration? {
    guard let seconds else { return nil }
    guard seconds >= 1, seconds <= AccessToken.longestLifetime / .seconds(1) else { throw .malformed }
    return .seconds(seconds)
  }
}

extension AuthenticationError {
  fileprivate static let malformed = Self(
    .unexpectedAnswer, "The answer is not a JSON object with an accessToken and a plausible expiresIn.",
    suggestion: "Check what the backend answers, or give APIContract a mapper of your own.")
}
