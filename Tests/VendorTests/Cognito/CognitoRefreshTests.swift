import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationCognito

/// Refreshing, checking and ending a session.
@Suite struct CognitoRefreshTests {
  @Test func `a refresh sends the token and the client, and takes a rotated token`() async throws {
    let pool = ScriptedPool(
      (
        "GetTokensFromRefreshToken",
        amz(#"{"AuthenticationResult":{"AccessToken":"access-2","RefreshToken":"refresh-2","ExpiresIn":300}}"#)
      ))
    let tokens = try await pool.provider { $0.clientSecret = Secret("secret") }.refresh(.cognito())
    #expect(
      pool.calls[0].body == ["ClientId": "client1", "ClientSecret": "secret", "RefreshToken": "canary-refresh"])
    #expect(tokens.access.value == Secret("access-2"))
    #expect(tokens.access.lifetime == .seconds(300))
    #expect(tokens.refresh == Secret("refresh-2"))
  }

  @Test func `without rotation the old token stays`() async throws {
    let pool = ScriptedPool(
      ("GetTokensFromRefreshToken", amz(#"{"AuthenticationResult":{"AccessToken":"access-2"}}"#)))
    #expect(try await pool.provider().refresh(.cognito()).refresh == nil)
  }

  static let missing = [
    amzError("UnknownOperationException"), HTTPResponse(status: 500, headers: ["Content-Type": "text/html"]),
    HTTPResponse(status: 404),
  ]

  @Test(arguments: missing) func `a service that lacks the operation is asked by the older one`(
    answer: HTTPResponse
  ) async throws {
    let pool = ScriptedPool(("GetTokensFromRefreshToken", answer), ("InitiateAuth", signedIn()))
    let provider = try pool.provider { $0.clientSecret = Secret("secret") }
    _ = try await provider.refresh(.cognito())
    #expect(pool.calls[1].body["AuthFlow"] == "REFRESH_TOKEN_AUTH")
    #expect(pool.calls[1].parameter("REFRESH_TOKEN") == "canary-refresh")
    // As for a sign-in of "name-1", the name that the service uses.
    #expect(pool.calls[1].parameter("SECRET_HASH") == "+7iUSH+Gk0HRx4ccAMWR2yUvJNW63AdWlQL0h3ZuwwM=")
  }

  @Test func `a refusal is final, and a failure of the server is not asked again another way`() async throws {
    let pool = ScriptedPool(
      ("GetTokensFromRefreshToken", amzError("NotAuthorizedException", "Refresh Token has expired")),
      ("GetTokensFromRefreshToken", amz(500, #"{"__type":"InternalErrorException"}"#)),
      ("GetTokensFromRefreshToken", HTTPResponse(status: 502, headers: ["Content-Type": "text/html"])))
    let provider = try pool.provider()
    #expect(await failure { try await provider.refresh(.cognito()) } == .sessionRejected)
    #expect(await failure { try await provider.refresh(.cognito()) } == .serverFailed)
    #expect(await failure { try await provider.refresh(.cognito()) } == .serverFailed)
    #expect(pool.calls.count == 3)
  }

  @Test func `a failure of the server is no refusal of the client, whatever the older operation says`() async throws {
    let rotates = amzError("NotAuthorizedException", "Refresh token rotation is enabled for the client.")
    let pool = ScriptedPool(
      ("GetTokensFromRefreshToken", HTTPResponse(status: 500)), ("InitiateAuth", rotates),
      ("GetTokensFromRefreshToken", amzError("UnknownOperationException")),
      ("InitiateAuth", amzError("NotAuthorizedException", "Refresh Token has expired")),
      ("GetTokensFromRefreshToken", amzError("UnknownOperationException")), ("InitiateAuth", rotates))
    let provider = try pool.provider()
    #expect(await failure { try await provider.refresh(.cognito()) } == .serverFailed)
    #expect(await failure { try await provider.refresh(.cognito()) } == .sessionRejected)
    #expect(await failure { try await provider.refresh(.cognito()) } == .clientRejected)
  }

  @Test func `a sign-out revokes the refresh token`() async throws {
    let pool = ScriptedPool(("RevokeToken", amz("")))
    try await pool.provider().revoke(AuthSession.cognito().tokens)
    #expect(pool.calls[0].body == ["ClientId": "client1", "Token": "canary-refresh"])
  }

  @Test func `a token that is no longer known is revoked already`() async throws {
    let pool = ScriptedPool(
      ("RevokeToken", amzError("NotAuthorizedException", "Refresh Token has been revoked")),
      ("RevokeToken", amzError("TooManyRequestsException")))
    let provider = try pool.provider()
    try await provider.revoke(AuthSession.cognito().tokens)
    #expect(await failure { try await provider.revoke(AuthSession.cognito().tokens) } == .rateLimited)
    let access = try AccessToken(Secret("a"), receivedAt: .now)
    try await provider.revoke(SessionTokens(access: access))
    #expect(pool.calls.count == 2)
    let session = AuthSession(user: User(id: "sub-1"), tokens: SessionTokens(access: access))
    #expect(await failure { try await provider.refresh(session) } == .sessionExpired)
  }

  @Test func `only a refused access token makes a session invalid`() async throws {
    let pool = ScriptedPool(
      ("GetUser", amz(#"{"Username":"name-1","UserAttributes":[]}"#)),
      ("GetUser", amzError("NotAuthorizedException", "Access Token has been revoked")),
      ("GetUser", amzError("InternalErrorException")))
    let provider = try pool.provider()
    #expect(try await provider.isValid(.cognito()))
    #expect(try await !provider.isValid(.cognito()))
    #expect(await failure { try await provider.isValid(.cognito()) } == .serverFailed)
  }
}
