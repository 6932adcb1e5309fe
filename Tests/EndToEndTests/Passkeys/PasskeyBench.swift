import AuthenticationAccount
import AuthenticationKit
import AuthenticationPasskeys
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Synchronization

/// A backend with passkeys, and devices of its users.
struct PasskeyBench: Sendable {
  let server: LoopbackIdentityServer
  let baseURL: URL
  let contract: APIAccountContract

  /// - Parameters:
  ///   - accepts: whether the backend accepts a passkey for which no user was present.
  ///   - declares: whether it says so; by default it says the truth.
  init(accepts: Bool = true, declares: Bool? = nil) async throws {
    var options = LoopbackIdentityServer.Options(
      accessTokenLifetime: .seconds(3_600),
      users: [.ada, .grace, .init(username: "mary", password: "proof of stake", hasSecondFactor: true)])
    options.acceptsConditionalPasskeys = accepts
    server = LoopbackIdentityServer(options: options)
    baseURL = try await server.start()
    var contract = APIAccountContract.standard
    contract.acceptsConditionalPasskeys = declares ?? accepts
    self.contract = contract
  }

  /// - Parameter seed: makes the ids and keys of its passkeys; by default chance does.
  func device(seed: UInt64? = nil) throws -> PasskeyDevice {
    let random = seed.map(SharedRandom.init)
    let authenticator = SoftwareAuthenticator(
      origin: "http://localhost",
      randomBytes: random.map { random in { @Sendable count in random.bytes(count) } })
    var contract = APIContract.standard
    contract.methods = [.password, .passkey]
    let password = contract.signInRequest
    contract.signInRequest = { request throws(AuthenticationError) in
      request.credentials is PasskeyCredentials ? APIRequest(.post, "auth/passkey") : try password(request)
    }
    let root = try MainRoot(.api(baseURL: baseURL.absoluteString, contract: contract, account: self.contract)) {
      $0.storage = .inMemory
      $0.backoff = Backoff(base: .milliseconds(1))
      $0.methods = [.passkey(relyingPartyID: "localhost") { _ in authenticator }, .password]
    }
    return PasskeyDevice(
      authenticator: authenticator, root: root,
      passkeys: DevicePasskeys(of: root.manager, relyingPartyID: "localhost", authenticator: authenticator))
  }
}

struct PasskeyDevice: Sendable {
  static let passwords = ["ada": "correct horse", "grace": "battery staple", "mary": "proof of stake"]

  let authenticator: SoftwareAuthenticator
  let root: MainRoot
  let passkeys: DevicePasskeys

  @discardableResult
  func signIn(_ user: String) async throws -> SignInAttempt {
    let attempt = try root.attempts.begin(.password)
    attempt.submit(SignInInput([.userName: user, .password: Self.passwords[user] ?? ""]))
    await attempt.finished()
    return attempt
  }

  @discardableResult
  func signInWithPasskey() async throws -> SignInAttempt {
    let attempt = try root.attempts.begin(.passkey)
    attempt.submit()
    await attempt.finished()
    return attempt
  }

  /// The passkeys that it shows for a user.
  func shown(for user: String) -> Set<Data> {
    Set(zip(authenticator.credentialIDs, authenticator.accountNames).filter { $1.hasPrefix("\(user) (") }.map(\.0))
  }
}

/// The same bytes for the same seed.
struct SplitMix: RandomNumberGenerator, Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}

private final class SharedRandom: Sendable {
  private let generator: Mutex<SplitMix>

  init(seed: UInt64) { generator = Mutex(SplitMix(state: seed)) }

  func bytes(_ count: Int) -> [UInt8] {
    generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
  }
}
