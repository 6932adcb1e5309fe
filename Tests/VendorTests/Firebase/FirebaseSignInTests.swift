import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationFirebase

@Suite struct FirebaseSignInTests {
  @Test func `a password signs in, and everything Firebase tells of the user is known`() async throws {
    let bench = try FirebaseBench(json(200, ada))
    let session = try #require(try await bench.provider.signIn(with: password).session)
    #expect(
      bench.sent == [
        #"/v1/accounts:signInWithPassword {"email":"ada@example.org","password":"pw","returnSecureToken":true}"#
      ])
    #expect(bench.client.requests[0].url.absoluteString.hasPrefix("https://identitytoolkit.googleapis.com/v1/"))
    #expect(bench.client.requests[0].url.query() == "key=key")
    #expect(
      session.user
        == User(
          id: "uid-1", name: "Ada", email: "ada@example.org", isEmailVerified: true,
          claims: ["sign_in_provider": "password"]))
    #expect(session.tokens.access.value.reveal() == adaToken)
    #expect(session.tokens.access.lifetime == .seconds(3_600))
    #expect(session.tokens.refresh == Secret("r-1"))
  }

  @Test func `an account is created with the same body`() async throws {
    let bench = try FirebaseBench(json(200, ada))
    _ = try await bench.provider.signUp(with: password)
    #expect(bench.sent[0].hasPrefix(#"/v1/accounts:signUp {"email":"#))
  }

  @Test func `an account without a name is known as one`() async throws {
    let anonymous = token(#"{"sub":"uid-2","firebase":{"sign_in_provider":"anonymous"}}"#)
    let bench = try FirebaseBench(
      json(200, #"{"localId":"uid-2","idToken":"\#(anonymous)","refreshToken":"r","expiresIn":"3600"}"#))
    let session = try await bench.provider.signIn(with: .anonymous).session
    #expect(bench.sent == [#"/v1/accounts:signUp {"returnSecureToken":true}"#])
    #expect(session?.user.isAnonymous == true)
  }

  @Test func `Apple's token is handed over with the raw nonce and the name`() async throws {
    let bench = try FirebaseBench(json(200, ada))
    let apple = NativeCredentials(
      method: .apple, identityToken: Secret("e.y.J"), rawNonce: Secret("n&1"),
      name: .init(given: "Ada", family: "King Lovelace"))
    _ = try await bench.provider.signIn(with: apple)
    let body = try #require(bench.sent.first)
    #expect(body.hasPrefix("/v1/accounts:signInWithIdp "))
    #expect(
      body.contains(
        "providerId=apple.com&id_token=e.y.J&nonce=n%261&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Ada%22"))
    #expect(body.contains("%22lastName%22%3A%22King+Lovelace%22"))
    #expect(body.contains(#""requestUri":"http://localhost","returnIdpCredential":true,"returnSecureToken":true"#))
  }

  @Test func `a refusal inside a success is one`() async throws {
    let bench = try FirebaseBench(json(200, #"{"errorMessage":"FEDERATED_USER_ID_ALREADY_LINKED : canary"}"#))
    let google = NativeCredentials(method: .google, identityToken: Secret("e.y.J"))
    let error = await failure { try await bench.provider.signIn(with: google) }
    #expect(error == .alreadyLinked)
    #expect(error?.providerCode == "FEDERATED_USER_ID_ALREADY_LINKED")
  }

  @Test func `a vendor's account that needs to be confirmed is another user's`() async throws {
    let bench = try FirebaseBench(json(200, #"{"needConfirmation":true,"verifiedProvider":["google.com"]}"#))
    let facebook = NativeCredentials(method: .facebook, identityToken: Secret("e.y.J"), rawNonce: Secret("n"))
    #expect(await failure { try await bench.provider.signIn(with: facebook) } == .accountExists)
  }

  @Test func `a custom token of the app's backend signs in, although the answer names no user`() async throws {
    let bench = try FirebaseBench(
      json(200, #"{"idToken":"\#(adaToken)","refreshToken":"r","expiresIn":"3600","isNewUser":true}"#))
    let session = try await bench.provider.signIn(with: CustomTokenCredentials(token: Secret("c.t"))).session
    #expect(bench.sent == [#"/v1/accounts:signInWithCustomToken {"returnSecureToken":true,"token":"c.t"}"#])
    #expect(session?.user.id == "uid-1")
    #expect(session?.user.isNew == true)
  }

  @Test func `tenant, language, bundle and app check go with every call`() async throws {
    let bench = try FirebaseBench(json(200, ada)) {
      $0.tenantID = "t-1"
      $0.language = "de"
      $0.bundleID = "org.example.app"
      $0.appCheckToken = { Secret("check") }
    }
    _ = try await bench.provider.signIn(with: password)
    let request = bench.client.requests[0]
    #expect(request.headers["X-Firebase-Locale"] == "de")
    #expect(request.headers["X-Ios-Bundle-Identifier"] == "org.example.app")
    #expect(request.headers["X-Firebase-AppCheck"] == "check")
    #expect(bench.sent[0].contains(#""tenantId":"t-1""#))
  }

  @Test func `a captcha's token that the app supplied goes with the password`() async throws {
    let bench = try FirebaseBench(json(200, ada))
    _ = try await bench.provider.signIn(with: password, attributes: ["captchaResponse": Secret("c")])
    #expect(bench.sent[0].contains(#""captchaResponse":"c""#))
  }

  @Test(arguments: [
    "", "<html>", "{}", #"{"idToken":7,"localId":"x"}"#, #"{"idToken":"a b","localId":"x"}"#,
    #"{"idToken":"t","refreshToken":"r"}"#, #"{"idToken":"e.y.J","localId":"#,
  ])
  func `a response of another shape signs no user in, and nothing of it is quoted`(body: String) async throws {
    let bench = try FirebaseBench(json(200, body))
    let error = await failure { try await bench.provider.signIn(with: password) }
    #expect(error == .unexpectedResponse)
  }
}
