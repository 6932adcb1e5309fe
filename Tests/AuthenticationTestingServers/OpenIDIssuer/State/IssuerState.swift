#if Tools && OpenID
import Foundation

/// Everything the issuer knows. One `receive` sees, processes and counts a request at once.
package struct IssuerState: Sendable {
  package typealias Endpoint = LoopbackOpenIDIssuer.Endpoint
  package typealias Account = LoopbackOpenIDIssuer.Account

  package let options: LoopbackOpenIDIssuer.Options
  package var origin = "http://127.0.0.1"
  package var quirks = LoopbackOpenIDIssuer.Quirks()
  package var user = LoopbackOpenIDIssuer.UserAction.approves(.ada)
  var counters = LoopbackOpenIDIssuer.Counters()
  var keys: KeyRing

  var faults: [FaultPoint: PlannedFault] = [:]
  var held: Set<Endpoint> = []
  var recorded: [(endpoint: Endpoint?, request: LoopbackOpenIDIssuer.RecordedRequest)] = []

  var pushed: [String: PushedRequest] = [:]
  var codes: [String: IssuedCode] = [:]
  package var devices: [Device] = []
  package var signIns: [Int: SignIn] = [:]
  package var refreshTokens: [String: IssuedRefreshToken] = [:]
  package var accessTokens: [String: IssuedAccessToken] = [:]
  /// Since when each user is signed in at the issuer itself, by subject.
  var browserSessions: [String: Date] = [:]
  var lastSignIn = 0
  var slowDowns = 0
  var proofIDs: Set<String> = []
  var nonce = OpaqueToken.make()

  package init(options: LoopbackOpenIDIssuer.Options) {
    self.options = options
    keys = KeyRing(algorithm: options.algorithm)
  }

  package var identifier: String { origin + options.path }

  mutating func refreshNonce() { nonce = OpaqueToken.make() }
}

/// Where a fault is planned.
enum FaultPoint: Sendable, Hashable {
  case endpoint(LoopbackOpenIDIssuer.Endpoint)
  case grant(String)
}

struct PlannedFault: Sendable {
  let fault: LoopbackOpenIDIssuer.Fault
  var remaining: Int
}
#endif
