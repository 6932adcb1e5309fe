import AuthenticationKit
import AuthenticationNativeSignIn
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

/// From a vendor's sheet to a session, and out of it again, at an app's own backend.
@Suite(.timeLimit(.minutes(10))) struct NativeCredentialsTests {
  let secrets = InMemoryStorage()
  let storage = InMemoryStorage()
  let apple = ScriptedNativeAuthenticator { request throws(AuthenticationError) in
    .sample(request, name: UserName(given: "Ada", family: "Lovelace"), email: "ada@example.com")
  }

  /// A backend that responds as its test says, and shows its requests.
  func root(_ backend: ScriptedHTTPClient) throws -> MainRoot {
    var contract = APIContract.standard
    contract.methods = [.password, .apple, .google, .facebook]
    return try MainRoot(.api(baseURL: "https://api.example.com", contract: contract)) {
      $0.methods = [
        .password, .apple(apple, storage: secrets),
        .google { request throws(AuthenticationError) in .sample(request, of: "google-ada") },
        .facebook { request throws(AuthenticationError) in .sample(request, of: "facebook-ada") },
      ]
      $0.storage = .secure(storage)
      $0.providerTransport = backend
      $0.backoff = Backoff { 0 }
    }
  }

  static func answer(_ status: Int, _ body: String) -> Result<HTTPResponse, AuthenticationError> {
    .success(HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Data(body.utf8)))
  }

  static let tokens = answer(200, #"{"accessToken":"access-1","refreshToken":"refresh-1","expiresIn":3600}"#)
  static let user = answer(
    200,
    #"{"email":"a@example.com","username":"ada","name":{"firstName":"Ada","lastName":"L"},"lastAuthenticated":"x"}"#)

  func sent(_ request: HTTPRequest?) throws -> [String: JSONValue] {
    try JSONDecoder().decode([String: JSONValue].self, from: try #require(request?.body))
  }

  @discardableResult
  func signIn(_ method: SignInMethod, at root: MainRoot) async throws -> SignInAttempt.State {
    let attempt = try root.attempts.begin(method)
    attempt.submit()
    return await attempt.finished()
  }

  // origin D5
  @Test func `a native credential whose token the backend refuses leaves no user signed in`() async throws {
    let backend = ScriptedHTTPClient(Self.answer(401, #"{"error":"canary"}"#))
    let root = try root(backend)
    let state = try await signIn(.apple, at: root)
    #expect(state.failure == .notVerified)
    #expect(root.currentUser == nil)
    #expect(try await root.manager.isAuthenticated() == false)
    let key = "session.api https://api.example.com"
    #expect(try storage.read(key) == nil, "nothing is stored")
    #expect(backend.requests.map(\.url.path) == ["/auth/native"], "no user was fetched")
  }

  // origin D5
  @Test func `a native credential that the backend accepted signs in`() async throws {
    let backend = ScriptedHTTPClient(Self.tokens, Self.user)
    let root = try root(backend)
    let state = try await signIn(.apple, at: root)
    #expect(root.currentUser?.id == "ada")
    #expect(state.isEnded)
    let body = try sent(backend.requests.first)
    let nonce = try #require(body["nonce"]?.text)
    #expect(body["provider"] == "apple")
    #expect(body["identityToken"] == .string(Secret.unsignedJWT(claims(of: apple)).reveal()))
    #expect(body["authorizationCode"] == "code of apple-ada")
    #expect(body["name"] == ["firstName": "Ada", "lastName": "Lovelace"])
    #expect(body["email"] == "ada@example.com")
    #expect(nonce.count == 43 && apple.requests.first?.nonce != Secret(nonce), "the backend gets the nonce raw")
    let stored = try #require(try secrets.read("native apple"))
    #expect(!String(decoding: stored, as: UTF8.self).contains("Lovelace"), "the name was delivered")
  }

  private func claims(of vendor: ScriptedNativeAuthenticator) -> [String: JSONValue] {
    ["sub": "apple-ada", "nonce": .string(vendor.requests.first?.nonce?.reveal() ?? "")]
  }

  @Test func `a name that the backend never got is sent with the next attempt`() async throws {
    let first = try root(ScriptedHTTPClient(Self.answer(400, #"{"error":"invalid_request"}"#)))
    #expect(try await signIn(.apple, at: first).failure != nil)

    let silent = ScriptedNativeAuthenticator()
    let backend = ScriptedHTTPClient(Self.tokens, Self.user)
    var contract = APIContract.standard
    contract.methods = [.apple]
    let second = try MainRoot(.api(baseURL: "https://api.example.com", contract: contract)) {
      $0.methods = [.apple(silent, storage: secrets)]
      $0.storage = .secure(storage)
      $0.providerTransport = backend
    }
    try await signIn(.apple, at: second)
    #expect(try sent(backend.requests.first)["name"] == ["firstName": "Ada", "lastName": "Lovelace"])
  }

  @Test(arguments: [SignInMethod.google, .facebook])
  func `another vendor's token is sent in the same way`(method: SignInMethod) async throws {
    let backend = ScriptedHTTPClient(Self.tokens, Self.user)
    let root = try root(backend)
    try await signIn(method, at: root)
    #expect(root.currentUser?.id == "ada")
    let body = try sent(backend.requests.first)
    #expect(body["provider"] == .string(method.id))
    #expect(body["nonce"]?.text?.count == 43)
    #expect(body["name"] == nil && body["accessToken"] == nil)
  }

  @Test func `a wrong password is still a wrong password`() async throws {
    let root = try root(ScriptedHTTPClient(Self.answer(401, "{}")))
    let error = await #expect(throws: AuthenticationError.self) {
      try await root.useCase.login(username: "ada", password: "wrong")
    }
    #expect(error == .invalidCredentials)
  }

  // MARK: - The vendor's later states

  /// Signed in with Apple; the backend answers a refresh with this.
  func signedIn(_ refresh: Result<HTTPResponse, AuthenticationError>...) async throws -> MainRoot {
    let answers = Mutex([Self.tokens, Self.user] + refresh)
    let root = try root(
      ScriptedHTTPClient { request in
        if request.url.path == "/auth/sign-out" { return .success(HTTPResponse(status: 204)) }
        return answers.withLock { $0.isEmpty ? .failure(.unreachable) : $0.removeFirst() }
      })
    try await signIn(.apple, at: root)
    #expect(root.currentUser?.id == "ada")
    return root
  }

  func check(_ state: NativeCredentialState?) -> any CredentialCheck {
    VendorSource(state: state).check(storage: secrets)
  }

  @Test func `a user who took the consent back is signed out, for that reason`() async throws {
    let root = try await signedIn()
    #expect(await root.check(check(.revoked)) == .signedOut(.credentialRevoked))
    #expect(root.currentUser == nil)
    #expect(try secrets.read("native apple") == nil)
  }

  @Test(arguments: [NativeCredentialState.authorized, .transferred, .unknown, nil])
  func `any other answer, and none at all, keeps the session`(state: NativeCredentialState?) async throws {
    let root = try await signedIn()
    #expect(await root.check(check(state)).user?.id == "ada")
  }

  @Test func `a user whom the vendor does not know here stays, if the backend refreshes the session`() async throws {
    let root = try await signedIn(
      Self.answer(200, #"{"accessToken":"access-2","refreshToken":"refresh-2","expiresIn":3600}"#))
    let state = await root.check(check(.notFound))
    #expect(state.session?.accessToken.value == Secret("access-2"))
  }

  @Test func `a user whom the vendor does not know here stays while the backend is out`() async throws {
    let root = try await signedIn()
    #expect(await root.check(check(.notFound)).user?.id == "ada")
    #expect(try await root.manager.validSession().accessToken.value == Secret("access-1"), "its token is still good")
  }

  @Test func `a user whom neither the vendor nor the backend knows is signed out`() async throws {
    let root = try await signedIn(Self.answer(400, #"{"error":"invalid_grant"}"#))
    #expect(await root.check(check(.notFound)) == .signedOut(.rejected))
  }

  @Test func `a user who signed in otherwise is not asked about`() async throws {
    let root = try root(ScriptedHTTPClient(Self.tokens, Self.user))
    try await root.useCase.login(username: "ada", password: "correct horse")
    #expect(await root.check(check(.revoked)).user?.id == "ada")
  }

  // origin D2
  @Test func `a sign-out forgets whose account at the vendor it was`() async throws {
    let root = try await signedIn()
    #expect(try secrets.read("native apple") != nil)
    try await root.manager.signOut()
    #expect(try secrets.read("native apple") == nil)
  }

  @Test func `a sign-out ends the attempt that waits, and removes its pending step`() async throws {
    let root = try await signedIn(
      Self.answer(401, #"{"challenge":{"id":"c-1","kind":"sms","length":6,"expiresIn":300}}"#))
    let attempt = try root.attempts.begin(.password)
    attempt.submit(SignInInput([.userName: "ada", .password: "correct horse"]))
    #expect(await attempt.finished().challenge?.kind == .smsCode)
    try await root.manager.signOut()
    #expect(await attempt.finished() == .ended(.cancelled))
    #expect(await root.attempts.resume() == nil)
  }

  // MARK: - An account without a name

  @Test func `an account without a name is not lost with its pending step`() async throws {
    let provider = ScriptedAuthProvider()
    let root = try MainRoot(.custom(provider, realm: "test")) { $0.storage = .secure(storage) }
    let guest = User(id: "guest", isAnonymous: true)
    provider.answerSignIn(.success(.session(.sample(of: guest, receivedAt: .now))))
    try await root.useCase.login(username: "ada", password: "correct horse")
    let pending = PendingSignIn(
      attempt: "a", method: "password", challenge: Challenge(kind: .smsCode, handle: Secret("h")), receivedAt: .now)
    await SecurePendingSignIns(PrefixedStorage(storage, prefix: "session.test.pending "), realm: "test").save(pending)
    await #expect(throws: AuthenticationError.confirmationRequired(losing: .anonymousAccount)) {
      try await root.manager.signOut()
    }
    #expect(await root.attempts.resume() != nil)
    #expect(root.currentUser == guest)
    try await root.manager.signOut(losing: .anonymousAccount)
    #expect(root.manager.state == .signedOut(.requested))
  }
}

/// Says this of everybody; without a state it cannot be asked.
private struct VendorSource: NativeCredentialSource {
  let state: NativeCredentialState?

  func state(of vendorUserID: String) async throws(AuthenticationError) -> NativeCredentialState {
    guard let state else { throw .unreachable }
    return state
  }
}
