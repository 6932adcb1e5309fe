#if Tools
package import Foundation

/// A code that was sent to a user and is waited for.
package struct SentCode: Sendable {
  package static let attempts = 3

  package let id: String
  package let username: String
  package let code: String
  let purpose: Purpose
  /// Later ones have greater numbers.
  let number: Int
  let sentAt: Date
  var attemptsLeft = attempts

  /// The effect of the right code.
  package enum Purpose: Sendable, Hashable {
    case signIn
    case passwordReset
    case email(String)
    case phone(String)
    case secondFactor

    var kind: String {
      switch self {
      case .signIn, .secondFactor: "sms"
      case .passwordReset: "email"
      case .email, .phone: "confirmation"
      }
    }

    /// Masked; a reset of a password does not show where the code went, nor whether there is such an account.
    var destination: String? {
      switch self {
      case .signIn, .secondFactor: "•••• 42"
      case .passwordReset: nil
      case .email(let address): "\(address.prefix(1))•••@\(address.split(separator: "@").last ?? "")"
      case .phone(let number): "•••• \(number.suffix(2))"
      }
    }
  }
}

extension IdentityLedger {
  /// Checks the password, and sends a code where the user has a second factor.
  package mutating func begin(
    username: String, password: String, at now: Date
  ) throws(IdentityRefusal) -> SentCode? {
    let account = try account(username, password)
    let isAsked = account.hasSecondFactor || unconfirmed.contains(username)
    return isAsked ? send(.signIn, to: username, at: now) : nil
  }

  /// Sends another code in place of the one before, which is no longer accepted.
  package mutating func resend(_ id: String, at now: Date) throws(IdentityRefusal) -> SentCode {
    guard let sent = sentCodes.removeValue(forKey: id) else { throw .unknownChallenge }
    return send(sent.purpose, to: sent.username, at: now)
  }

  /// The grant for the right code.
  package mutating func answer(
    _ id: String, code: String, at now: Date
  ) throws(IdentityRefusal) -> IdentityGrant {
    guard sentCodes[id]?.purpose == .signIn else { throw .unknownChallenge }
    let sent = try take(id, code: code, at: now)
    guard let account = accounts[sent.username] else { throw .unknownChallenge }
    unconfirmed.remove(sent.username)
    return startFamily(of: account, at: now)
  }

  /// Forgets the code, if this is the right one.
  mutating func take(_ id: String, code: String, at now: Date) throws(IdentityRefusal) -> SentCode {
    guard var sent = sentCodes[id] else { throw .unknownChallenge }
    guard now.timeIntervalSince(sent.sentAt) < options.codeLifetime / .seconds(1) else { throw .codeExpired }
    guard sent.code == code else {
      sent.attemptsLeft -= 1
      sentCodes[id] = sent.attemptsLeft > 0 ? sent : nil
      if sent.attemptsLeft > 0 { throw .wrongCode(attemptsLeft: sent.attemptsLeft) }
      throw .tooManyAttempts
    }
    sentCodes[id] = nil
    return sent
  }

  mutating func send(_ purpose: SentCode.Purpose, to username: String, at now: Date) -> SentCode {
    lastCode += 1
    let digits = String((271_828 + lastCode * 104_729) % 1_000_000)
    let code = String(repeating: "0", count: 6 - digits.count) + digits
    let sent = SentCode(
      id: "challenge-\(lastCode)", username: username, code: code, purpose: purpose, number: lastCode, sentAt: now)
    sentCodes[sent.id] = sent
    return sent
  }
}
#endif
