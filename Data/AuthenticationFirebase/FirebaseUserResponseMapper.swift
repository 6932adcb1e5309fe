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
    let created = body.date("createdAt", partsOfSecond: 1_000)
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

  var factors: [EnrolledFactor] {
    body.list("mfaInfo").compactMap { factor in
      guard let choice = Self.choice(factor) else { return nil }
      return EnrolledFactor(
        id: choice.id, kind: choice.kind, label: choice.label ?? choice.destination,
        createdAt: factor["enrolledAt"].flatMap { try? Date($0, strategy: .iso8601) })
    }
  }

  /// The second factors that a sign-in lists; Firebase masks their numbers.
  static func choices(_ list: [JSONMembers]) -> [Challenge.Factor] { list.compactMap(choice) }

  private static func choice(_ factor: JSONMembers) -> Challenge.Factor? {
    guard let id = factor["mfaEnrollmentId"] else { return nil }
    let number = factor["phoneInfo"]
    return Challenge.Factor(
      id: id, kind: number == nil ? .oneTimePassword : .smsCode, destination: number, label: factor["displayName"])
  }

  private static let methods: [String: SignInMethod] = [
    "password": .password, "phone": .phoneCode, "emailLink": .emailLink, "google.com": .google, "apple.com": .apple,
    "facebook.com": .facebook, "anonymous": .anonymous,
  ]
}
