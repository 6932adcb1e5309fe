import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData
@testable import AuthenticationNativeSignIn

@Suite struct NativeSignInTests {
  let storage = InMemoryStorage()

  func signIn(
    _ authenticator: ScriptedNativeAuthenticator, _ nonce: NativeNonce = .hashed
  ) -> NativeSignIn {
    NativeSignIn(.apple, by: authenticator, nonce: nonce, storage: storage) { count in
      (0..<count).map { UInt8($0) }
    }
  }

  @Test func `Apple gets the hash of the nonce, and the server gets it raw`() async throws {
    let apple = ScriptedNativeAuthenticator()
    let credentials = try await signIn(apple).credentials(over: nil)
    // base64url of the bytes 0 to 31, and its SHA-256 by sha256sum.
    let raw = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
    #expect(credentials.rawNonce == Secret(raw))
    #expect(
      apple.requests.first?.nonce == Secret("ea866a757e4c38babfa8127cbe9a409d3e1f93a00ff1488ff735fcf917afffd0"))
    #expect(credentials.authorizationCode == Secret("code of apple-ada"))
    #expect(credentials.vendorUserID == "apple-ada")
    #expect(credentials.method == .apple)
  }

  @Test func `Facebook gets the nonce as it is, and an SDK that takes none gets none`() async throws {
    let facebook = ScriptedNativeAuthenticator()
    let plain = try await signIn(facebook, .plain).credentials(over: nil)
    #expect(facebook.requests.first?.nonce == plain.rawNonce)
    #expect(plain.rawNonce != nil)

    let old = ScriptedNativeAuthenticator()
    #expect(try await signIn(old, .unsupported).credentials(over: nil).rawNonce == nil)
    #expect(old.requests.first?.nonce == nil)
  }

  @Test func `each attempt has a nonce and a state of its own`() async throws {
    let apple = ScriptedNativeAuthenticator()
    let signIn = NativeSignIn(.apple, by: apple)
    let nonces = [
      try await signIn.credentials(over: nil).rawNonce?.reveal(),
      try await signIn.credentials(over: nil).rawNonce?.reveal(),
    ]
    #expect(nonces[0] != nonces[1])
    #expect(nonces.map { $0?.count } == [43, 43])
    #expect(apple.requests[0].state != apple.requests[1].state)
  }

  @Test(
    arguments: [
      ("another nonce", FailureReason.nonce, ["nonce": "another"]),
      ("no nonce", .nonce, ["nonce": .null]),
      ("no nonce, although it is supported", .nonce, ["nonce": .null, "nonce_supported": true]),
      ("another nonce, although it is not supported", .nonce, ["nonce": "another", "nonce_supported": false]),
      ("a nonce that is no text", .nonce, ["nonce": 5]),
      ("another user", .subject, ["sub": "apple-mallory"]),
    ] as [(String, FailureReason, [String: JSONValue])])
  func `a token of another request is refused before it is sent`(
    what: String, check: FailureReason, claims: [String: JSONValue]
  ) async {
    let apple = ScriptedNativeAuthenticator { request throws(AuthenticationError) in
      .sample(request, name: UserName(given: "Ada", family: nil), claims: claims)
    }
    let error = await failure { try await signIn(apple).credentials(over: nil) }
    #expect(error?.reason == check, "\(what)")
    #expect(storage.isEmpty, "nothing of an answer that failed a check is kept")
  }

  @Test(arguments: [false, "false"] as [JSONValue])
  func `a nonce may be missing where Apple does not support it`(isSupported: JSONValue) async throws {
    let apple = ScriptedNativeAuthenticator { request throws(AuthenticationError) in
      .sample(request, claims: ["nonce": .null, "nonce_supported": isSupported])
    }
    #expect(try await signIn(apple).credentials(over: nil).identityToken != nil)
  }

  @Test func `an answer to another state is refused`() async {
    let apple = ScriptedNativeAuthenticator { request throws(AuthenticationError) in
      var response = NativeCredentials.sample(request)
      response.state = "another"
      return response
    }
    #expect(await failure { try await signIn(apple).credentials(over: nil) }?.reason == .state)
  }

  @Test(arguments: ["", "canary", "a.b", "a.canary.c", "e30.bnVsbA.e30"])
  func `a malformed identity token is refused, and not quoted`(token: String) async throws {
    let vendor = ScriptedNativeAuthenticator { _ throws(AuthenticationError) in
      NativeCredentials(method: .apple, identityToken: Secret(token))
    }
    let error = await failure { () throws in
      try await signIn(vendor).credentials(over: nil).validate()
    }
    #expect(error?.reason == .idToken)
    #expect(error.map { texts(of: $0) }?.allSatisfy { !$0.contains("canary") } == true)
  }

  @Test func `an access token alone carries no nonce`() async throws {
    let facebook = ScriptedNativeAuthenticator { _ throws(AuthenticationError) in
      NativeCredentials(method: .facebook, identityToken: nil, accessToken: Secret("classic"))
    }
    let credentials = try await signIn(facebook, .plain).credentials(over: nil)
    try credentials.validate()
    #expect(credentials.accessToken == Secret("classic"))
    #expect(credentials.rawNonce == nil)
  }

  @Test func `a user who leaves the sheet has cancelled`() async {
    let apple = ScriptedNativeAuthenticator { _ throws(AuthenticationError) in throw .cancelled }
    #expect(await failure { try await signIn(apple).credentials(over: nil) } == .cancelled)
  }
}

extension InMemoryStorage {
  var isEmpty: Bool { (try? read("native apple")) == nil }
}
