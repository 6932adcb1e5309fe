import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps the answer of `accounts:lookup`, whose times are texts of milliseconds.
struct FirebaseUserResponseMapper {
  private let body: JSONMembers

  /// - Throws: ``AuthenticationError/Code/unexpectedAnswer`` unless it describes one person.
  init(_ body: JSONMembers) throws(AuthenticationError) {
    guard let user = body.list("users").first, user["localId"] != nil else { throw .unexpectedAnswer }
    self.body = user
  }

  var user: User {
    let created = body.number("createdAt").map { Date(timeIntervalSince1970: $0 / 1_000) }
    return User(
      id: body["localId"] ?? "", name: body["displayName"], email: body["email"],
      isEmailVerified: body.flag("emailVerified"), phoneNumber: body["phoneNumber"], picture: body["photoUrl"],
      createdAt: created, isAnonymous: methods.isEmpty && body["email"] == nil && body.flag("customAuth") != true)
  }

  var methods: [LinkedMethod] {
    body.list("providerUserInfo").compactMap { info in
      guard let id = info["providerId"] else { return nil }
      return LinkedMethod(
        id: id, method: Self.methods[id] ?? SignInMethod(id: id, displayName: id),
        label: info["email"] ?? info["phoneNumber"] ?? info["displayName"])
    }
  }

  var factors: [EnrolledFactor] { Self.factors(body.list("mfaInfo")) }

  /// The second factors, as a sign-in and a lookup list them.
  static func factors(_ list: [JSONMembers]) -> [EnrolledFactor] {
    list.compactMap { factor in
      guard let id = factor["mfaEnrollmentId"] else { return nil }
      let kind: Challenge.Kind = factor["phoneInfo"] == nil ? .oneTimePassword : .smsCode
      return EnrolledFactor(
        id: id, kind: kind, label: factor["displayName"] ?? factor["phoneInfo"],
        createdAt: factor["enrolledAt"].flatMap { try? Date($0, strategy: .iso8601) })
    }
  }

  private static let methods: [String: SignInMethod] = [
    "password": .password, "phone": .phoneCode, "emailLink": .emailLink, "google.com": .google, "apple.com": .apple,
    "facebook.com": .facebook, "anonymous": .anonymous,
  ]
}
