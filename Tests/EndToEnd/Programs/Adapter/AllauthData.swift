import AuthenticationAccount
import AuthenticationKit
import Foundation

/// The data of a response, where it is not a list.
struct AllauthData: Decodable {
  struct Flow: Decodable {
    let id: String
    let is_pending: Bool?
    let types: [String]?
  }

  struct Account: Decodable {
    let id: JSONValue
    let display: String?
    let email: String?

    var value: User? {
      guard let id = id.text ?? id.number.map({ String(Int($0)) }) else { return nil }
      return User(id: id, name: display, email: email)
    }
  }

  let user: Account?
  let flows: [Flow]?
  let request_options: JSONValue?
  let creation_options: JSONValue?
  let unused_codes: [String]?
  let access_token: String?
  let refresh_token: String?

  var pending: Flow? { flows?.first { $0.is_pending == true } }
}

struct AllauthList<Item: Decodable>: Decodable {
  let data: [Item]
}

struct AllauthFactor: Decodable {
  let type: String
  let id: Int?
  let name: String?
  let created_at: Double

  var value: EnrolledFactor {
    EnrolledFactor(
      id: id.map(String.init) ?? type, kind: .init(allauth: type), label: name,
      createdAt: Date(timeIntervalSince1970: created_at))
  }
}

struct AllauthSession: Decodable {
  let id: Int
  let is_current: Bool
  let user_agent: String?
  let last_seen_at: Double?

  var value: RemoteSession {
    RemoteSession(
      id: String(id), isCurrent: is_current, label: user_agent,
      lastUsedAt: last_seen_at.map { Date(timeIntervalSince1970: $0) })
  }
}

/// At sign-in the tokens are next to the data, at a refresh in it; how long an access token lasts it says itself.
enum AllauthTokens {
  private struct Claims: Decodable {
    let iat: Double
    let exp: Double
  }

  @Sendable static func map(_ response: HTTPResponse, receivedAt: Date) throws(AuthenticationError) -> SessionTokens {
    let answer = AllauthResponse(response)
    guard let access = answer?.meta?.access_token ?? answer?.data?.access_token else { throw .unexpectedResponse }
    return SessionTokens(
      access: try AccessToken(Secret(access), receivedAt: receivedAt, lifetime: lifetime(of: access)),
      refresh: (answer?.meta?.refresh_token ?? answer?.data?.refresh_token).map { Secret($0) })
  }

  private static func lifetime(of token: String) -> Duration? {
    let parts = token.split(separator: ".")
    guard parts.count == 3 else { return nil }
    let text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    guard let claims = Data(base64Encoded: padded).flatMap({ try? BoundedJSON.decode(Claims.self, from: $0) }),
      claims.exp - claims.iat >= 1, claims.exp - claims.iat < 315_000_000
    else { return nil }
    return .seconds(claims.exp - claims.iat)
  }
}
