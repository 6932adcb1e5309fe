import AuthenticationAccount
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// The account services of a JSON backend, as values of its contract.
@Suite struct APIAccountTests {
  let session: AuthSession

  init() throws {
    let token = try AccessToken(Secret("access-1"), receivedAt: ManualClock().now)
    session = AuthSession(user: User(id: "ada"), tokens: SessionTokens(access: token))
  }

  func provider(
    _ client: ScriptedHTTPClient, _ change: (inout BackendDescription) -> Void = { _ in }
  ) throws -> any AccountProvider & SessionValidatingProvider {
    var backend = BackendDescription()
    change(&backend)
    return try backend.provider(at: "https://api.example.com/v1", over: client)
  }

  @Test func `a contract that says nothing offers sign-up and profile`() async throws {
    let provider = try provider(ScriptedHTTPClient { _ in .success(json(200, "{}")) })
    #expect(provider.accountAbilities == [.profile])
    #expect(provider.createsAccounts)
    #expect(await failure { try await provider.sessions(of: session) } == .unsupportedMethod)
  }

  @Test func `a backend that creates no accounts does not offer to sign up`() async throws {
    let client = ScriptedHTTPClient { _ in .success(json(200, "{}")) }
    let provider = try provider(client) { $0.contract.signUpPath = nil }
    #expect(provider.accountAbilities == [.profile])
    let failure = await failure { try await provider.signUp(with: .password(userName: "a", password: Secret("b"))) }
    #expect(failure == .unsupportedMethod)
    #expect(client.requests.isEmpty)
  }

  @Test func `a service is sent as the contract says, with the user's token`() async throws {
    let client = ScriptedHTTPClient { _ in .success(json(204, "")) }
    let provider = try provider(client) { backend in
      backend.account.abilities.insert(.sessions)
      backend.account.change = { change, _ in
        guard case .end(let session) = change else { return nil }
        return APIService(APIRequest(.delete, "sessions/\(session.id)", headers: ["X-Device": Secret("d-1")])) { _ in
          .done
        }
      }
      backend.account.sessions = { _ in APIService(APIRequest(.get, "sessions")) { _ in [] } }
    }
    #expect(provider.accountAbilities.contains(.sessions) == true)
    try await provider.end(RemoteSession(id: "7", isCurrent: false), of: session)
    let request = try #require(client.requests.first)
    #expect(request.method == .delete)
    #expect(request.url.absoluteString == "https://api.example.com/v1/sessions/7")
    #expect(request.headers["Authorization"] == "Bearer access-1")
    #expect(request.headers["X-Device"] == "d-1")
    #expect(request.body == nil)
    #expect(!request.isIdempotent)
    #expect(try await provider.sessions(of: session).isEmpty)
    #expect(await failure { try await provider.deleteAccount(of: session) } == .unsupportedMethod)
    #expect(client.requests.map(\.method) == [.delete, .get])
  }

  @Test func `a refusal is the contract's to say, and a step is an outcome`() async throws {
    let step = Challenge(kind: .emailCode, handle: Secret("reset-1"))
    for (status, code) in [
      (422, AuthenticationError.weakPassword), (401, .accessTokenRefused), (503, .serverFailed),
    ] {
      let provider = try provider(ScriptedHTTPClient { _ in .success(json(status, "{}")) }) { backend in
        backend.account.change = { change, _ in
          guard case .changePassword(let old, let new) = change else { return nil }
          return APIService(
            APIRequest(.post, "account/password", body: ["old": old.reveal(), "new": new.reveal()]),
            refusal: { $0.status == 422 ? .weakPassword.with(\.passwordRules, ["12 characters"]) : nil },
            exception: { $0.status == 409 ? .challenge(step) : nil }, map: { _ in .done })
        }
      }
      let error = await failure {
        try await provider.changePassword(from: Secret("old"), to: Secret("new"), of: session)
      }
      #expect(error == code)
      #expect(error?.passwordRules == (status == 422 ? ["12 characters"] : []))
    }
    let asking = try provider(ScriptedHTTPClient { _ in .success(json(409, "{}")) }) { backend in
      backend.account.change = { change, _ in
        guard case .resetPassword(let account) = change else { return nil }
        return APIService(
          APIRequest(.post, "reset", body: ["account": account]),
          exception: { $0.status == 409 ? .challenge(step) : nil }, map: { _ in .done })
      }
    }
    #expect(try await asking.resetPassword(of: "ada") == .challenge(step))
  }

  @Test func `a whole request may be the contract's, for a method of its own`() async throws {
    let client = ScriptedHTTPClient { _ in .success(json(500, "")) }
    let provider = try provider(client) { backend in
      backend.contract.methods = [.password, .emailCode]
      backend.contract.signInRequest = { request throws(AuthenticationError) in
        guard let email = request.credentials as? EmailCredentials else { return nil }
        let captcha = request.attributes["captcha"] ?? Secret("")
        return APIRequest(.put, "code", body: ["email": email.address], headers: ["X-Captcha": captcha])
      }
    }
    #expect(provider.methods == [.password, .emailCode])
    _ = await failure {
      try await provider.signIn(with: .emailCode("ada@example.com"), attributes: ["captcha": Secret("token-1")])
    }
    _ = await failure { try await provider.signIn(with: .password(userName: "ada", password: Secret("pass"))) }
    #expect(client.requests.map { "\($0.method.rawValue) \($0.url.path())" } == ["PUT /v1/code", "POST /v1/auth"])
    #expect(client.requests.first?.headers["X-Captcha"] == "token-1")
  }
}
