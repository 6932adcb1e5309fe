#if Tools
import Foundation

extension IdentityLedger {
  /// The grant for a passkey's signature.
  mutating func signIn(
    _ response: RelyingParty.Response, to request: String, at now: Date
  ) throws(IdentityRefusal) -> IdentityGrant {
    let username = try passkeys.verifyAssertion(response, to: request)
    guard let account = accounts[username] else { throw .invalidCredentials }
    return startFamily(of: account, at: now)
  }

  /// Adds a passkey to the account that was asked for it.
  mutating func register(
    _ response: RelyingParty.Response, for owner: Owner?, to request: String
  ) throws(IdentityRefusal) {
    guard let username = owner?.account.username else { throw .unknownChallenge }
    try passkeys.verifyRegistration(response, of: username, to: request)
  }
}
#endif
