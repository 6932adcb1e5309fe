import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps the answer of `GET /mfa/authenticators`: the factors that are active, and of a kind that is known here.
enum Auth0FactorsResponseMapper {
  static func map(_ response: HTTPResponse) throws(AuthenticationError) -> [Challenge.Factor] {
    guard response.isJSON, let list = try? BoundedJSON.decode([[String: JSONValue]].self, from: response.body) else {
      throw .unexpectedAnswer
    }
    return list.map { JSONMembers($0) }.compactMap { authenticator in
      guard authenticator.flag("active") == true, let id = authenticator["id"],
        let kind = kind(type: authenticator["authenticator_type"], channel: authenticator["oob_channel"])
      else { return nil }
      return Challenge.Factor(id: id, kind: kind, destination: authenticator["name"])
    }
  }

  static func kind(type: String?, channel: String?) -> Challenge.Kind? {
    switch (type, channel) {
    case ("otp", _): .oneTimePassword
    case ("recovery-code", _): .recoveryCode
    case ("oob", "sms"), ("oob", "voice"): .smsCode
    case ("oob", "email"): .emailCode
    case ("oob", "auth0"): .approval
    default: nil
    }
  }
}
