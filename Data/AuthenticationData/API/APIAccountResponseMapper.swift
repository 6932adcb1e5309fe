package import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps the lists and the refusals of ``APIAccountContract/standard``.
package enum APIAccountResponseMapper {
  private struct Methods: Decodable {
    struct Entry: Decodable {
      let id: String
      let method: String
      let label: String?
    }

    let methods: [Entry]
  }

  private struct Factors: Decodable {
    struct Entry: Decodable {
      let id: String
      let kind: String
      let label: String?
      let createdAt: Date?
    }

    let factors: [Entry]
  }

  private struct Sessions: Decodable {
    struct Entry: Decodable {
      let id: String
      let isCurrent: Bool
      let label: String?
      let lastUsedAt: Date?
    }

    let sessions: [Entry]
  }

  private struct Refusal: Decodable {
    let error: String
  }

  @Sendable package static func linkedMethods(_ response: HTTPResponse) throws(AuthenticationError) -> [LinkedMethod] {
    try decode(Methods.self, response).methods.map {
      LinkedMethod(id: $0.id, method: SignInMethod(id: $0.method, displayName: $0.method), label: $0.label)
    }
  }

  @Sendable package static func factors(_ response: HTTPResponse) throws(AuthenticationError) -> [EnrolledFactor] {
    try decode(Factors.self, response).factors.map {
      EnrolledFactor(id: $0.id, kind: .init(id: $0.kind), label: $0.label, createdAt: $0.createdAt)
    }
  }

  @Sendable package static func sessions(_ response: HTTPResponse) throws(AuthenticationError) -> [RemoteSession] {
    try decode(Sessions.self, response).sessions.map {
      RemoteSession(id: $0.id, isCurrent: $0.isCurrent, label: $0.label, lastUsedAt: $0.lastUsedAt)
    }
  }

  /// Nil for 401, which is about the access token.
  @Sendable package static func refusal(_ response: HTTPResponse) -> AuthenticationError? {
    guard (400...499).contains(response.status), response.status != 401 else { return nil }
    let wire = response.isJSON ? try? BoundedJSON.decode(Refusal.self, from: response.body) : nil
    return switch wire?.error {
    case "invalid_credentials": .invalidCredentials
    case "recent_sign_in_required": .recentSignInRequired
    case "already_linked": .alreadyLinked
    case "last_method": .lastMethod
    case "unsupported_method": .unsupportedService
    default: APIErrorResponseMapper.signInRefusal(response)
    }
  }

  private static func decode<Body: Decodable>(
    _ type: Body.Type, _ response: HTTPResponse
  ) throws(AuthenticationError) -> Body {
    guard response.isJSON, let body = try? BoundedJSON.decode(type, from: response.body, dates: .iso8601) else {
      throw .malformedList
    }
    return body
  }
}

extension AuthenticationError {
  fileprivate static let malformedList = Self(
    .unexpectedAnswer, "The answer is not a JSON object with the list that was asked for.",
    suggestion: "Check what the backend answers, or give APIContract.account an ability of your own.")
  fileprivate static let unsupportedService = Self(
    .unsupportedMethod, "The backend does not do this.", suggestion: "Offer something else.")
}
