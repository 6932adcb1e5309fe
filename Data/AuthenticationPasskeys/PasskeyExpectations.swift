import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a client knows about the response before it asks for one. The server verifies it (WebAuthn Level 3 §7); a client
/// that checks as well cannot be made to send a response that was meant for somebody else.
struct PasskeyExpectations: Sendable {
  static let shortestChallenge = 16

  let ceremony: CollectedClientData.Ceremony
  let relyingPartyID: String
  let challenge: Data
  let requiresVerification: Bool
  let allowedCredentials: [PasskeyDescriptor]
  let algorithms: [Int]

  /// - Throws: ``AuthenticationError/Code/security`` if the options are for another domain, or their challenge can be
  ///   guessed.
  init(_ options: PasskeyCreationOptions, of relyingPartyID: String) throws(AuthenticationError) {
    try self.init(
      .registration, options.relyingPartyID, relyingPartyID, options.challenge, options.userVerification,
      algorithms: options.algorithms)
  }

  /// - Throws: ``AuthenticationError/Code/security`` if the options are for another domain, or their challenge can be
  ///   guessed.
  init(_ options: PasskeyRequestOptions, of relyingPartyID: String) throws(AuthenticationError) {
    try self.init(
      .assertion, options.relyingPartyID, relyingPartyID, options.challenge, options.userVerification,
      allowed: options.allowedCredentials)
  }

  private init(
    _ ceremony: CollectedClientData.Ceremony, _ named: String?, _ configured: String, _ challenge: Data,
    _ verification: PasskeyRequirement, allowed: [PasskeyDescriptor] = [], algorithms: [Int] = []
  ) throws(AuthenticationError) {
    guard named == nil || named == "" || named == configured else {
      throw .refused(by: .relyingParty, "The passkey options are for another domain than the configured one.")
    }
    guard challenge.count >= Self.shortestChallenge else {
      throw .refused(by: .passkeyChallenge, "The challenge has less than \(Self.shortestChallenge) bytes.")
    }
    self.ceremony = ceremony
    self.challenge = challenge
    relyingPartyID = configured
    requiresVerification = verification == .required
    allowedCredentials = allowed
    self.algorithms = algorithms
  }

  func check(_ registration: PasskeyRegistration) throws(AuthenticationError) {
    try check(registration.clientData, registration.attestation.authenticatorData)
    guard algorithms.contains(registration.attestation.credential.publicKey.algorithm) else {
      throw .refused(by: .passkeyAlgorithm, "The new passkey has an algorithm that the server does not accept.")
    }
  }

  func check(_ assertion: PasskeyAssertion) throws(AuthenticationError) {
    try check(assertion.clientData, assertion.authenticatorData)
    guard allowedCredentials.isEmpty || allowedCredentials.contains(where: { $0.id == assertion.credentialID }) else {
      throw .refused(by: .allowedCredentials, "A passkey signed that the server did not allow.")
    }
  }

  private func check(_ client: CollectedClientData, _ data: AuthenticatorData) throws(AuthenticationError) {
    guard client.ceremony == ceremony else {
      throw .refused(by: .passkeyCeremony, "The response is of another kind than the one asked for.")
    }
    guard client.challenge == challenge.base64URL else {
      throw .refused(by: .passkeyChallenge, "The response is for another challenge.")
    }
    guard isOwn(client.origin), !client.isCrossOrigin else {
      throw .refused(by: .passkeyOrigin, "The response was made for a page of another origin, or within one.")
    }
    guard data.relyingPartyIDHash == PublicSHA256.hash(relyingPartyID.utf8) else {
      throw .refused(by: .relyingParty, "The response is for another domain than the configured one.")
    }
    guard data.flags.contains(.userPresent) else {
      throw .refused(by: .userPresence, "The authenticator did not check that a user is present.")
    }
    guard !requiresVerification || data.flags.contains(.userVerified) else {
      throw .refused(by: .userVerification, "The authenticator did not check who the person is.")
    }
  }

  /// Whether this is an origin of the relying party: https, or http to this machine, at its domain or below it, on any
  /// port (WebAuthn Level 3 §5.1.3, §13.4.9).
  private func isOwn(_ text: String) -> Bool {
    guard let origin = URL(string: text).flatMap(Origin.init), origin.description == text, origin.isSecure else {
      return false
    }
    return origin.host == relyingPartyID || origin.host.hasSuffix(".\(relyingPartyID)")
  }
}
