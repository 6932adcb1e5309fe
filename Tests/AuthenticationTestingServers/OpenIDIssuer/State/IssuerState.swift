#if Tools && OpenID
import Foundation

/// Everything the issuer knows. One `receive` sees, processes and counts a request at once.
struct IssuerState: Sendable {
  typealias Endpoint = LoopbackOpenIDIssuer.Endpoint
  typealias Account = LoopbackOpenIDIssuer.Account

  let options: LoopbackOpenIDIssuer.Options
  var origin = "http://127.0.0.1"
  var quirks = LoopbackOpenIDIssuer.Quirks()
  var user = LoopbackOpenIDIssuer.UserAction.approves(.ada)
  var counters = LoopbackOpenIDIssuer.Counters()
  var keys: KeyRing

  var faults: [FaultPoint: PlannedFault] = [:]
  var held: Set<Endpoint> = []
  var recorded: [(endpoint: Endpoint?, request: LoopbackOpenIDIssuer.RecordedRequest)] = []

  var pushed: [String: PushedRequest] = [:]
  var codes: [String: IssuedCode] = [:]
  var devices: [Device] = []
  var signIns: [Int: SignIn] = [:]
  var refreshTokens: [String: RefreshToken] = [:]
  var accessTokens: [String: AccessToken] = [:]
  /// Since when each user is signed in at the issuer itself, by subject.
  var browserSessions: [String: Date] = [:]
  var lastSignIn = 0
  var slowDowns = 0
  var proofIDs: Set<String> = []
  var nonce = OpaqueToken.make()

  init(options: LoopbackOpenIDIssuer.Options) {
    self.options = options
    keys = KeyRing(algorithm: options.algorithm)
  }

  var identifier: String { origin + options.path }

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
