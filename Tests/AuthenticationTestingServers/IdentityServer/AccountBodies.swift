#if Tools
import Foundation

struct PasswordResetBody: Decodable {
  let account: String
}

struct PasswordChangeBody: Decodable {
  let old: String
  let new: String
}

struct AddressBody: Decodable {
  let email: String?
  let phone: String?
}

struct EnrolmentBody: Decodable {
  let kind: String
}

struct LinkBody: Decodable {
  let method: String
  let password: String?
}

struct ProfileBody: Decodable {
  let name: String?
}

struct WeakPasswordBody: Encodable {
  let error = "weak_password"
  let passwordRules = ["At least \(IdentityLedger.shortestPassword) characters."]
}

struct SessionListBody: Encodable {
  struct Session: Encodable {
    let id: String
    let isCurrent: Bool
    let lastUsedAt: Date
  }

  let sessions: [Session]
}

struct FactorListBody: Encodable {
  struct Factor: Encodable {
    let id: String
    let kind: String
  }

  let factors: [Factor]
}

struct PasskeyListBody: Encodable {
  let user: String
  let name: String
  let displayName: String
  let credentials: [String]
}

struct MethodListBody: Encodable {
  struct Method: Encodable {
    let id: String
    let method: String
    var label: String?
  }

  let methods: [Method]
}
#endif
