import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// A backend of another shape than the standard one. // origin A2
@Suite struct APIContractTests {
  private struct Device: Encodable {
    let name: String
    let isTrusted: Bool
  }

  private struct SignIn: Encodable {
    let login: String
    let devices: [Device]
    let build: Int
  }

  private struct Answer: Decodable {
    struct Owner: Decodable { let id: Int }
    let owner: Owner?
  }

  let password = PasswordCredentials(userName: "ada", password: Secret("pass"))

  func provider(
    _ client: ScriptedHTTPClient, _ change: (inout APIContract) -> Void
  ) throws -> any SessionValidatingProvider {
    var contract = APIContract.standard
    change(&contract)
    return try AuthProviderConfiguration.api(baseURL: "https://api.example.com", contract: contract).provider(client)
  }

  @Test func `a body is any JSON`() async throws {
    let client = ScriptedHTTPClient { _ in .success(json(200, Wire.tokens)) }
    let provider = try provider(client) { contract in
      contract.signInBody = { credentials throws(AuthenticationError) in
        SignIn(login: credentials.method.id, devices: [Device(name: "a/b", isTrusted: true)], build: 7)
      }
      contract.refreshBody = { ["tokens": ["refresh": $0.reveal()]] }
    }
    _ = await failure { try await provider.signIn(with: password) }
    _ = try await provider.refresh(.sample(1, receivedAt: Date(timeIntervalSince1970: 0)))
    #expect(
      client.requests.filter { $0.method == .post }.compactMap { $0.body.map { String(decoding: $0, as: UTF8.self) } }
        .filter { !$0.contains("canary") } == [
          #"{"build":7,"devices":[{"isTrusted":true,"name":"a/b"}],"login":"password"}"#,
          #"{"tokens":{"refresh":"refresh-1"}}"#,
        ])
  }

  @Test func `a body that is no JSON is an error of its own, and nothing is sent`() async throws {
    let client = ScriptedHTTPClient()
    let provider = try provider(client) { contract in
      contract.signInBody = { _ throws(AuthenticationError) in ["canary": Double.nan] }
    }
    let error = await failure { try await provider.signIn(with: password) }
    #expect(error == .invalidRequest)
    for text in error.map(texts) ?? [] { #expect(!text.contains("canary")) }
    #expect(client.requests == [])
  }

  @Test func `each kind of credentials may go to a path of its own`() async throws {
    let client = ScriptedHTTPClient { _ in .success(json(500, "")) }
    let provider = try provider(client) { contract in
      contract.signInPaths = [.phoneCode: "auth/phone", .challengeAnswer: "auth/code"]
      contract.signUpPaths = [.phoneCode: "accounts/phone"]
      contract.signInBody = { _ throws(AuthenticationError) in [String]() }
    }
    let challenge = Challenge(kind: .smsCode, handle: Secret("a7"))
    for credentials in [password, .phone("+4930123456"), .answer(to: challenge, code: Secret("1"))] as [any Credentials]
    {
      _ = await failure { try await provider.signIn(with: credentials) }
    }
    _ = await failure { try await provider.signUp(with: password) }
    _ = await failure { try await provider.signUp(with: .phone("+4930123456")) }
    #expect(
      client.requests.map { $0.url.path() } == [
        "/auth", "/auth/phone", "/auth/code", "/auth/sign-up", "/accounts/phone",
      ])
  }

  @Test(arguments: [200, 403, 418]) func `a backend refuses in a way of its own`(status: Int) async throws {
    let client = ScriptedHTTPClient { _ in .success(json(status, #"{"ok":false}"#)) }
    let provider = try provider(client) { contract in
      contract.mapSignInRefusal = { $0.body == Data(#"{"ok":false}"#.utf8) ? .invalidCredentials : nil }
      contract.mapSignUpRefusal = { $0.body == Data(#"{"ok":false}"#.utf8) ? .signUpRefused : nil }
    }
    #expect(await failure { try await provider.signIn(with: password) } == .invalidCredentials)
    #expect(await failure { try await provider.signUp(with: password) } == .signUpRefused)
  }

  @Test func `a response that the backend's contract does not map to a refusal is classified as usual`() async throws {
    let client = ScriptedHTTPClient { _ in .success(json(401, "")) }
    let provider = try provider(client) { $0.mapSignInRefusal = { _ in nil } }
    #expect(await failure { try await provider.signIn(with: password) } == .unexpectedResponse)
  }

  @Test func `a user who comes with the tokens is not fetched`() async throws {
    let client = ScriptedHTTPClient(
      .success(json(200, #"{"accessToken":"a","owner":{"id":7}}"#)))
    let provider = try provider(client) { contract in
      contract.mapIncludedUser = { response throws(AuthenticationError) in
        guard let answer = try? JSONDecoder().decode(Answer.self, from: response.body) else {
          throw .unexpectedResponse
        }
        return answer.owner.map { User(id: "\($0.id)") }
      }
    }
    guard case .session(let session) = try await provider.signIn(with: password) else {
      return #expect(Bool(false), "signed in")
    }
    #expect(session.user == User(id: "7"))
    #expect(client.requests.map { $0.url.path() } == ["/auth"])
  }

  @Test func `tokens whose user cannot be read are revoked`() async throws {
    let client = ScriptedHTTPClient(.success(json(200, Wire.tokens)), .success(json(204, "")))
    let provider = try provider(client) { contract in
      contract.mapIncludedUser = { _ throws(AuthenticationError) in throw .unexpectedResponse }
    }
    #expect(await failure { try await provider.signUp(with: password) } == .unexpectedResponse)
    #expect(client.requests.map { $0.url.path() } == ["/auth/sign-up", "/auth/sign-out"])
  }
}
