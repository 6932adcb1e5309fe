import AuthenticationData
import AuthenticationDomain

/// Where something is sent.
enum SupabaseAddress: Sendable, Hashable {
  case email(String)
  case phone(String)

  /// What was typed in place of a user name.
  init(typed text: String) throws(AuthenticationError) {
    if text.hasPrefix("+") {
      try PhoneCredentials(phoneNumber: text).validate()
      self = .phone(text)
    } else {
      try EmailCredentials(address: text).validate()
      self = .email(text)
    }
  }

  init(_ address: AccountAddress) {
    switch address {
    case .email(let text): self = .email(text)
    case .phone(let text): self = .phone(text)
    }
  }

  var text: String {
    switch self {
    case .email(let text), .phone(let text): text
    }
  }

  var isPhone: Bool { if case .phone = self { true } else { false } }

  var member: [String: JSONValue] { [isPhone ? "phone" : "email": .string(text)] }

  /// Whether the account has it, and it is confirmed.
  func isConfirmed(for user: User) -> Bool {
    switch self {
    case .email(let text): user.email?.lowercased() == text.lowercased() && user.isEmailVerified == true
    case .phone(let text): user.phoneNumber == text
    }
  }
}

/// A code or a link that was sent, and for what.
struct SupabaseStep: Sendable {
  enum Purpose: String { case signIn, confirmation, change, recovery }

  let purpose: Purpose
  let address: SupabaseAddress
  var isLink = false

  static func text(to number: String) -> Self { Self(purpose: .signIn, address: .phone(number)) }
  static func mail(to address: String, isLink: Bool) -> Self {
    Self(purpose: .signIn, address: .email(address), isLink: isLink)
  }
  static func confirming(_ address: SupabaseAddress, by confirmation: SupabaseProject.Confirmation) -> Self {
    Self(purpose: .confirmation, address: address, isLink: confirmation == .link && !address.isPhone)
  }

  /// As `POST /verify` takes it.
  var type: String {
    switch (purpose, address) {
    case (.signIn, .email): "email"
    case (.confirmation, .email): "signup"
    case (.signIn, .phone), (.confirmation, .phone): "sms"
    case (.change, .email): "email_change"
    case (.change, .phone): "phone_change"
    case (.recovery, _): "recovery"
    }
  }

  var kind: Challenge.Kind {
    if isLink { return .link }
    if purpose == .confirmation { return .confirmation }
    return address.isPhone ? .smsCode : .emailCode
  }

  // MARK: In a challenge

  static let name = "sent"

  func handle(_ verifier: CodeVerifier?, password: String?) -> ChallengeHandle {
    ChallengeHandle(
      Self.name,
      [
        "purpose": purpose.rawValue, "address": address.text, "link": isLink ? "true" : nil,
        "verifier": verifier?.secret.reveal(), "password": password,
      ])
  }

  init(purpose: Purpose, address: SupabaseAddress, isLink: Bool = false) {
    (self.purpose, self.address, self.isLink) = (purpose, address, isLink)
  }

  init(_ handle: ChallengeHandle) throws(AuthenticationError) {
    guard let purpose = Purpose(rawValue: try handle.required("purpose")) else { throw .challengeReplaced }
    self.init(
      purpose: purpose, address: try SupabaseAddress(typed: handle.required("address")), isLink: handle["link"] != nil)
  }
}

extension [String: JSONValue] {
  /// With the challenge of a verifier, whose method GoTrue writes in lower case (RFC 7636 §4.3).
  func proving(_ verifier: CodeVerifier?) -> Self {
    guard let verifier else { return self }
    return merging(["code_challenge": .string(verifier.challenge), "code_challenge_method": "s256"]) { $1 }
  }
}
