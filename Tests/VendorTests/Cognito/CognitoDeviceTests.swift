import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Crypto
import Foundation
import Testing

@testable import AuthenticationCognito

/// A device that the pool remembers.
@Suite struct CognitoDeviceTests {
  let storage = InMemoryStorage()
  static let newDevice = #","NewDeviceMetadata":{"DeviceKey":"us-east-1_key","DeviceGroupKey":"-group"}"#

  func remember() async throws {
    let pool = ScriptedPool(("InitiateAuth", signedIn(extra: Self.newDevice)), ("ConfirmDevice", amz("{}")))
    let provider = try pool.provider(storage: storage)
    _ = try await provider.signIn(with: .password(userName: "ada", password: Secret("pass")))
    #expect(pool.calls[1].body["DeviceKey"] == "us-east-1_key")
    #expect(pool.calls[1].parameter("Salt", in: "DeviceSecretVerifierConfig") == "WlpaWlpaWlpaWlpaWlpaWg==")
    #expect(pool.calls[1].parameter("PasswordVerifier", in: "DeviceSecretVerifierConfig") != nil)
  }

  @Test func `a new device is confirmed, and proves itself at the next sign-in`() async throws {
    try await remember()
    let vector = SRPVectors.published.exchanges[0]
    let pool = ScriptedPool(
      ("InitiateAuth", asking("DEVICE_SRP_AUTH", #"{"USERNAME":"name-1"}"#)),
      (
        "RespondToAuthChallenge",
        asking(
          "DEVICE_PASSWORD_VERIFIER",
          #"{"SALT":"\#(vector.salt)","SRP_B":"\#(vector.server)","SECRET_BLOCK":"\#(vector.secretBlock)","DEVICE_KEY":"us-east-1_key"}"#,
          session: "session-2")
      ), ("RespondToAuthChallenge", signedIn()))
    let clock = ManualClock(now: Date(timeIntervalSince1970: 1_772_510_706))
    let provider = try pool.provider(clock: clock, storage: storage, random: bytes(vector.secret))
    _ = try await provider.signIn(with: .password(userName: "name-1", password: Secret("pass")))
    #expect(pool.calls[0].parameter("DEVICE_KEY") == "us-east-1_key")
    #expect(pool.calls[1].answer("DEVICE_KEY") == "us-east-1_key")
    #expect(pool.calls[1].answer("SRP_A") == vector.client)
    #expect(pool.calls[2].body["ChallengeName"] == "DEVICE_PASSWORD_VERIFIER")
    #expect(pool.calls[2].body["Session"] == "session-2")
    let identity = SRPExchange.Identity(realm: "-group", name: "us-east-1_key")
    // The password is the base64 of forty bytes 5A.
    let password = Data(repeating: 0x5A, count: 40).base64EncodedString()
    let key = try #require(
      SRPExchange(random: bytes(vector.secret)).sessionKey(
        of: identity, password: password, salt: bytes(vector.salt), server: bytes(vector.server)))
    let block = try #require(Data(base64Encoded: vector.secretBlock))
    #expect(
      pool.calls[2].answer("PASSWORD_CLAIM_SIGNATURE")
        == SRPExchange.signature(of: identity, secretBlock: Array(block), timestamp: vector.timestamp, key: key))
  }

  @Test(arguments: [false, true]) func `a device is found under the typed name and under the service's name`(
    takesSteps: Bool
  ) async throws {
    let (typed, password) = ("ada@example.org", Secret("pass"))
    let pool =
      takesSteps
      ? ScriptedPool(
        ("InitiateAuth", asking("SMS_MFA", #"{"USERNAME":"name-1","CODE_DELIVERY_DESTINATION":"+***42"}"#)),
        ("RespondToAuthChallenge", signedIn(extra: Self.newDevice)), ("ConfirmDevice", amz("{}")))
      : ScriptedPool(("InitiateAuth", signedIn(extra: Self.newDevice)), ("ConfirmDevice", amz("{}")))
    let provider = try pool.provider(storage: storage)
    let outcome = try await provider.signIn(SignInRequest(.password(userName: typed, password: password)))
    if case .challenge(let challenge) = outcome {
      // In another process.
      _ = try await pool.provider(storage: storage).signIn(with: .answer(to: challenge, code: Secret("123456")))
    }
    #expect(pool.calls[0].parameter("DEVICE_KEY") == nil)
    for name in [typed, "name-1"] {
      let next = ScriptedPool(("InitiateAuth", signedIn()))
      _ = try await next.provider(storage: storage).signIn(with: .password(userName: name, password: password))
      #expect(next.calls[0].parameter("DEVICE_KEY") == "us-east-1_key", "\(name)")
    }
  }

  @Test func `another name of the user finds the device from the second time on, and all forget it at once`()
    async throws
  {
    try await remember()
    let credentials = { (name: String) in PasswordCredentials(userName: name, password: Secret("pass")) }
    let pool = ScriptedPool(
      ("InitiateAuth", signedIn()), ("InitiateAuth", asking("DEVICE_SRP_AUTH", #"{"USERNAME":"name-1"}"#)),
      ("RespondToAuthChallenge", amzError("ResourceNotFoundException", "Device does not exist.")),
      ("InitiateAuth", signedIn()), ("InitiateAuth", signedIn()), ("InitiateAuth", signedIn()))
    let provider = try pool.provider(storage: storage)
    _ = try await provider.signIn(with: credentials("+491701234567"))
    #expect(await failure { try await provider.signIn(with: credentials("+491701234567")) } == .signInExpired)
    #expect(pool.calls[1].parameter("DEVICE_KEY") == "us-east-1_key")
    for (index, name) in ["+491701234567", "ada", "name-1"].enumerated() {
      _ = try await provider.signIn(with: credentials(name))
      #expect(pool.calls[3 + index].parameter("DEVICE_KEY") == nil, "\(name)")
    }
  }

  @Test func `a refresh names the device`() async throws {
    try await remember()
    let pool = ScriptedPool(
      ("GetTokensFromRefreshToken", amz(#"{"AuthenticationResult":{"AccessToken":"access-2"}}"#)))
    _ = try await pool.provider(storage: storage).refresh(.cognito())
    #expect(pool.calls[0].body["DeviceKey"] == "us-east-1_key")
  }

  @Test func `a device that the pool has forgotten is forgotten here`() async throws {
    try await remember()
    let pool = ScriptedPool(
      ("InitiateAuth", asking("DEVICE_SRP_AUTH", #"{"USERNAME":"name-1"}"#)),
      ("RespondToAuthChallenge", amzError("ResourceNotFoundException", "Device does not exist.")),
      ("InitiateAuth", signedIn()))
    let provider = try pool.provider(storage: storage)
    let credentials = PasswordCredentials(userName: "name-1", password: Secret("pass"))
    #expect(await failure { try await provider.signIn(with: credentials) } == .signInExpired)
    _ = try await provider.signIn(with: credentials)
    #expect(pool.calls[2].parameter("DEVICE_KEY") == nil)
  }

  @Test func `a device that cannot be confirmed is not kept, and the sign-in is as good`() async throws {
    let pool = ScriptedPool(
      ("InitiateAuth", signedIn(extra: Self.newDevice)), ("ConfirmDevice", amzError("InvalidParameterException")),
      ("InitiateAuth", signedIn()))
    let provider = try pool.provider(storage: storage)
    let credentials = PasswordCredentials(userName: "name-1", password: Secret("pass"))
    #expect(try await provider.signIn(with: credentials).session != nil)
    _ = try await provider.signIn(with: credentials)
    #expect(pool.calls[2].parameter("DEVICE_KEY") == nil)
  }
}
