package import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps `{"email", "username", "name": {"firstName", "lastName"}, "lastAuthenticated"}` to a ``User``, whose id is
/// the user name; `lastAuthenticated` is null for a new user.
/// (The ancestor's term: `APIUserResponse`.)
package enum APIUserResponseMapper {
  private struct Wire: Decodable {
    struct Name: Decodable {
      let firstName: String
      let lastName: String
    }

    let email: String
    let username: String
    let name: Name
    let lastAuthenticated: String?
  }

  /// Maps the response to a user.
  ///
  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` if the body is not such an object; no text of it is
  ///   quoted.
  package static func map(_ response: HTTPResponse) throws(AuthenticationError) -> User {
    guard response.isJSON, let wire = try? BoundedJSON.decode(Wire.self, from: response.body),
      !wire.username.isEmpty
    else {
      throw AuthenticationError(
        .unexpectedAnswer, "The answer is not a JSON object that describes a user.",
        suggestion: "Check what the backend answers, or give APIContract a mapper of your own.")
    }
    let name = [wire.name.firstName, wire.name.lastName].filter { !$0.isEmpty }.joined(separator: " ")
    return User(
      id: wire.username, name: name.isEmpty ? nil : name, email: wire.email, isNew: wire.lastAuthenticated == nil)
  }
}
