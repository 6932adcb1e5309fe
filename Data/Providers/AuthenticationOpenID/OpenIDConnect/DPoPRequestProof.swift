package import AuthenticationData
package import AuthenticationDomain
import Foundation
import Synchronization

/// Proves to a resource that the sender holds the key to which a session's token is bound (RFC 9449 §7); requests of
/// sessions without a key are unchanged.
package struct DPoPRequestProof: RequestProof {
  let nonces: DPoPNonces
  let environment: AuthProviderConfiguration.Environment

  package init(nonces: DPoPNonces, environment: AuthProviderConfiguration.Environment) {
    (self.nonces, self.environment) = (nonces, environment)
  }

  package func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {
    try prove(&request, with: session.tokens)
  }

  func prove(_ request: inout HTTPRequest, with tokens: SessionTokens) throws(AuthenticationError) {
    guard let key = tokens.proofKey else { return }
    try request.prove(
      with: ProofOfPossessionKey(key), accessToken: tokens.access.value, nonces: nonces, in: environment)
  }

  /// Only if the response requires a nonce and brings one can the next proof succeed (RFC 9449 §9).
  package func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
    if let claims = response.accessRefusal?.requirements?.claims { nonces.want(claims) }
    let hasNonce = nonces.learn(from: response, to: request.url)
    guard hasNonce, response.status == 401, request.headers["DPoP"] != nil else { return false }
    return response.challenges.contains { $0.scheme == "dpop" && $0.parameters["error"] == "use_dpop_nonce" }
  }
}

extension HTTPRequest {
  /// Adds a new proof, with 128 random bits as its `jti`, in place of an earlier one (RFC 9449 §4.1, §4.2). The request
  /// may be sent only once: a server that stores proofs refuses it the second time (§11.1).
  mutating func prove(
    with key: ProofOfPossessionKey, accessToken: Secret? = nil, nonces: DPoPNonces,
    in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) {
    headers["DPoP"] = try key.proof(
      method: method.rawValue, url: url, accessToken: accessToken, nonce: nonces.nonce(for: url),
      id: Base64URL.encode(environment.randomBytes(16)), at: environment.clock.now)
    isIdempotent = false
  }
}

/// The nonces that servers want in later requests. Kept until the process ends.
///
/// The nonce that each server last required in proofs (RFC 9449 §8, §9), by origin, and the claims that a resource has
/// asked for (a claims challenge), which the next refresh sends once.
package final class DPoPNonces: Sendable {
  private let nonces = Mutex<[Origin: String]>([:])
  private let wantedClaims = Mutex<String?>(nil)

  package init() {}

  func want(_ claims: String) { wantedClaims.withLock { $0 = claims } }

  func takeWantedClaims() -> String? { wantedClaims.withLock { $0.take() } }

  func nonce(for url: URL) -> String? {
    guard let origin = Origin(url) else { return nil }
    return nonces.withLock { $0[origin] }
  }

  /// Stores the nonce of a response, successful or not (RFC 9449 §8.2). True if the response had a usable one.
  @discardableResult
  func learn(from response: HTTPResponse, to url: URL) -> Bool {
    guard !response.isFromOtherOrigin, let origin = Origin(url), let nonce = response.headers["DPoP-Nonce"],
      nonce.isNonce
    else { return false }
    nonces.withLock { $0[origin] = nonce }
    return true
  }
}

extension String {
  /// RFC 9449 §8.1; two header fields joined by a comma and a space are not a nonce.
  fileprivate var isNonce: Bool {
    (1...1_024).contains(utf8.count)
      && utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }
}

extension Date {
  /// How far this device's time is ahead of a server's, negative if it is behind; nil if the difference is tolerated.
  func offset(from serverDate: Date, beyond tolerance: Duration) -> Duration? {
    let offset = Duration.seconds(timeIntervalSince(serverDate))
    return max(offset, .zero - offset) > tolerance ? offset : nil
  }
}

extension AuthenticationError {
  /// - Parameters:
  ///   - offset: how far this device's clock is ahead of the issuer's.
  ///   - isOurs: whether this client's tolerance was exceeded, and not the issuer's.
  static func clockSkewed(by offset: Duration, toleranceIsOurs isOurs: Bool = true) -> Self {
    let seconds = offset.components.seconds
    return Self(
      .clockSkewed,
      "This device's clock is \(abs(seconds)) \(abs(seconds) == 1 ? "second" : "seconds") \(seconds < 0 ? "behind" : "ahead of") the issuer's.",
      suggestion: isOurs
        ? "Set the device's clock, or allow more in OpenIDClient.clockTolerance." : "Set the device's clock."
    ).with(\.clockOffset, offset)
  }
}
