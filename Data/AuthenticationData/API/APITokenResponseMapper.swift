public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Maps `{"accessToken", "idToken"?, "refreshToken"?, "expiresIn"?}` to tokens.
/// (The ancestor's term: `APIFetchTokenUseCaseResponse`.)
public enum APITokenResponseMapper {
  /// The answer of a sign-in or sign-up. `expiresIn` may be a number in a string, as some servers send it.
  ///
  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` for anything but such an object, and for a lifetime that is not
  /// between 1 second and 10 years; no text of the answer is quoted.
  public static func map(_ response: HTTPResponse, receivedAt: Date) throws(AuthenticationError) -> SessionTokens {
    let body = try TokenBody(response)
    return try body.tokens(response, receivedAt: receivedAt, lifetime: body.lifetime())
  }

  /// The answer of a refresh; as ``map(_:receivedAt:)``, but for a lifetime that nobody can believe: it is unknown, and
  /// the tokens are kept, because the refresh token before them may be spent.
  public static func mapRenewal(
    _ response: HTTPResponse, receivedAt: Date
  ) throws(AuthenticationError) -> SessionTokens {
    let body = try TokenBody(response)
    return try body.tokens(response, receivedAt: receivedAt, lifetime: try? body.lifetime())
  }
}

/// Not generic over the number's type: on Linux that costs a twentieth of the decoding.
private struct TokenBody: Decodable {
  let accessToken: String
  let idToken: String?
  let refreshToken: String?
  /// Not a number where what was sent is none.
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

  init(_ response: HTTPResponse) throws(AuthenticationError) {
    guard response.isJSON, let body = try? JSONDecoder().decode(Self.self, from: response.body) else {
      throw .malformed
    }
    self = body
  }

  func lifetime() throws(AuthenticationError) -> Duration? {
    guard let expiresIn else { return nil }
    guard expiresIn >= 1, expiresIn <= AccessToken.longestLifetime / .seconds(1) else { throw .implausibleLifetime }
    return .seconds(expiresIn)
  }

  func tokens(
    _ response: HTTPResponse, receivedAt: Date, lifetime: Duration?
  ) throws(AuthenticationError) -> SessionTokens {
    SessionTokens(
      access: try AccessToken(
        Secret(accessToken), receivedAt: receivedAt, lifetime: lifetime,
        clockOffset: response.clockOffset(receivedAt: receivedAt)),
      refresh: refreshToken.flatMap { $0.isEmpty ? nil : RefreshToken(Secret($0)) },
      identity: idToken.flatMap { $0.isEmpty ? nil : RawIdentityToken(Secret($0)) })
  }
}

extension AuthenticationError {
  fileprivate static let malformed = Self(
    .unexpectedAnswer, "The answer is not a JSON object with a usable accessToken.",
    suggestion: "Check what the backend answers, or give APIContract a mapper of your own.")

  fileprivate static let implausibleLifetime = Self(
    .unexpectedAnswer, "The answer's expiresIn is not between 1 second and 10 years.",
    suggestion: "Check what the backend answers: seconds, or no expiresIn where the lifetime is unknown.")
}
