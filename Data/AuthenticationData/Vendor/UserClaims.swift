public import AuthenticationDomain
import Foundation

extension User {
  /// Reads the ``claims`` as a type of the app's own: `try user.claims(as: Roles.self).realm_access?.roles ?? []`.
  ///
  /// ```swift
  /// struct Roles: Decodable {
  ///   struct Realm: Decodable { let roles: [String] }
  ///   let realm_access: Realm?
  /// }
  /// ```
  ///
  /// - Parameter type: its members have the names of the claims; other claims are left out.
  /// - Returns: the claims.
  /// - Throws: ``AuthenticationError/unexpectedResponse`` if a claim is missing or of another type; the message has its
  ///   path.
  public func claims<Claims: Decodable>(as type: Claims.Type) throws(AuthenticationError) -> Claims {
    do {
      return try BoundedJSON.decode(type, from: JSONEncoder().encode(claims))
    } catch {
      let path = (error as? DecodingError)?.path ?? ""
      throw AuthenticationError(
        .unexpectedResponse, "The user's claims are not a \(type): '\(path)' is missing, or of another type.",
        suggestion: "Declare what the provider may leave out as optional.")
    }
  }
}

extension DecodingError {
  /// Where it happened, such as `realm_access.roles`.
  fileprivate var path: String {
    let (keys, last): ([any CodingKey], String?) =
      switch self {
      case .keyNotFound(let key, let context): (context.codingPath, key.stringValue)
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        (context.codingPath, nil)
      @unknown default: ([], nil)
      }
    return (keys.map(\.stringValue) + (last.map { [$0] } ?? [])).joined(separator: ".")
  }
}
