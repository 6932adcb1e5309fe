#if Tools
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A code that was sent to a user and is waited for.
package struct SentCode: Sendable {
  package static let lifetime: TimeInterval = 300
  package static let resendDelay: TimeInterval = 30
  package static let attempts = 3

  package let id: String
  package let username: String
  package let code: String
  let sentAt: Date
  var attemptsLeft = attempts
}

extension IdentityLedger {
  /// Checks the password, and sends a code where the user has a second factor.
  package mutating func begin(
    username: String, password: String, at now: Date
  ) throws(IdentityRefusal) -> SentCode? {
    guard let account = accounts[username], account.password == password else { throw .invalidCredentials }
    return account.hasSecondFactor ? send(to: username, at: now) : nil
  }

  /// Sends another code in place of the one before, which is no longer accepted.
  package mutating func resend(_ id: String, at now: Date) throws(IdentityRefusal) -> SentCode {
    guard let sent = sentCodes.removeValue(forKey: id) else { throw .unknownChallenge }
    return send(to: sent.username, at: now)
  }

  /// The grant for the right code.
  package mutating func answer(
    _ id: String, code: String, at now: Date
  ) throws(IdentityRefusal) -> IdentityGrant {
    guard var sent = sentCodes[id], let account = accounts[sent.username] else { throw .unknownChallenge }
    guard now.timeIntervalSince(sent.sentAt) < SentCode.lifetime else { throw .codeExpired }
    guard sent.code == code else {
      sent.attemptsLeft -= 1
      sentCodes[id] = sent.attemptsLeft > 0 ? sent : nil
      if sent.attemptsLeft > 0 { throw .wrongCode(attemptsLeft: sent.attemptsLeft) }
      throw .tooManyAttempts
    }
    sentCodes[id] = nil
    return startFamily(of: account, at: now)
  }

  private mutating func send(to username: String, at now: Date) -> SentCode {
    lastCode += 1
    let digits = String((271_828 + lastCode * 104_729) % 1_000_000)
    let code = String(repeating: "0", count: 6 - digits.count) + digits
    let sent = SentCode(id: "challenge-\(lastCode)", username: username, code: code, sentAt: now)
    sentCodes[sent.id] = sent
    return sent
  }
}
#endif
