#if OpenID
import AuthenticationDomain
import Foundation

@testable import AuthenticationOpenID

/// The stored data of a sign-in whose response has not come.
enum StoredSignInTarget {
  static func check(_ input: [UInt8]) throws {
    guard let stored = AuthorizationTransaction(stored: Data(input)) else { return }
    let again = AuthorizationTransaction(stored: try stored.encoded())
    try Finding.unless(again.map(fields) == fields(stored), "what is written is read as it was")
    try Finding.unless("\(stored)\(String(reflecting: stored))".count < 60, "a sign-in is printed as its type's name")
  }

  private static func fields(_ transaction: AuthorizationTransaction) -> [String?] {
    [
      transaction.state, transaction.nonce, transaction.verifier.reveal(), transaction.issuer, transaction.clientID,
      transaction.redirectURI, "\(transaction.startedAt.timeIntervalSinceReferenceDate)", "\(transaction.scopes)",
      "\(transaction.requirements)", "\(transaction.prompt)", transaction.proofKey?.reveal(),
      "\(transaction.expectsIssuer)",
    ]
  }
}
#endif
