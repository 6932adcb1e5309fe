import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthorizationTransaction {
  /// The stored format, version 1: JSON that contains secrets, for secure storage only. `maxAge` is in seconds,
  /// `startedAt` in seconds since 2001 (UTC).
  private struct Stored: Codable {
    var version = 1
    let state: String
    let nonce: String
    let verifier: String
    let issuer: String
    let clientID: String
    let redirectURI: String
    let startedAt: Double
    let scopes: [String]
    let acrValues: [String]
    let maxAge: Int64?
    let prompt: [String]?
    let proofKey: String?
    let expectsIssuer: Bool
  }

  /// Throws ``AuthenticationError/Code/storageUnavailable`` if it cannot be written as JSON.
  func encoded() throws(AuthenticationError) -> Data {
    let stored = Stored(
      state: state, nonce: nonce, verifier: verifier.reveal(), issuer: issuer, clientID: clientID,
      redirectURI: redirectURI, startedAt: startedAt.timeIntervalSinceReferenceDate, scopes: scopes,
      acrValues: requirements.acrValues, maxAge: requirements.maxAge?.components.seconds, prompt: prompt,
      proofKey: proofKey?.value.reveal(), expectsIssuer: expectsIssuer)
    do {
      return try JSONEncoder().encode(stored)
    } catch {
      throw AuthenticationError(.storageUnavailable, "The sign-in could not be written down for later.")
    }
  }

  /// Nil if the data is not a transaction of this version.
  init?(stored data: Data) {
    guard let stored = try? BoundedJSON.decode(Stored.self, from: data), stored.version == 1 else { return nil }
    self.init(
      state: stored.state, nonce: stored.nonce, verifier: Secret(stored.verifier), issuer: stored.issuer,
      clientID: stored.clientID, redirectURI: stored.redirectURI,
      startedAt: Date(timeIntervalSinceReferenceDate: stored.startedAt), scopes: stored.scopes,
      requirements: AuthenticationRequirements(
        acrValues: stored.acrValues, maxAge: stored.maxAge.map { .seconds($0) }),
      prompt: stored.prompt ?? [], proofKey: stored.proofKey.map { ProofKey(Secret($0)) },
      expectsIssuer: stored.expectsIssuer)
  }
}
