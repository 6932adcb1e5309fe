import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationCognito

/// Settings that are refused when an app is composed, and the address of the service.
@Suite struct CognitoConfigurationTests {
  func url(_ pool: CognitoUserPool) throws(AuthenticationError) -> String { try pool.serviceURL().url.absoluteString }

  @Test func `the service is in the pool's region`() throws {
    #expect(
      try url(CognitoUserPool(id: "eu-central-1_Abc123", clientID: "c1"))
        == "https://cognito-idp.eu-central-1.amazonaws.com")
    #expect(
      try url(CognitoUserPool(id: "us-gov-west-1_Abc", clientID: "c1"))
        == "https://cognito-idp.us-gov-west-1.amazonaws.com")
    #expect(
      try url(CognitoUserPool(id: "cn-north-1_Abc", clientID: "c1"))
        == "https://cognito-idp.cn-north-1.amazonaws.com.cn")
    #expect(
      try url(CognitoUserPool(id: "us-east-1_a", clientID: "c1", endpoint: "http://127.0.0.1:5000"))
        == "http://127.0.0.1:5000")
  }

  @Test(arguments: [
    "", "eu-central-1", "eu-central-1_", "_Abc", "eu_Abc", "eu-central_Abc", "eu-1_Abc", "EU-central-1_Abc",
    "eu--1_Abc", "eu-central-+1_Abc", "eu-central-_Abc", "eu-central-x_Abc", "eu-central-1_Ab-c", "eu-central-1_Ab_c",
    "eu-central-1_Äbc",
    "evil.example/eu-central-1_Abc", "eu-central-1_" + String(repeating: "a", count: 60),
  ]) func `a malformed pool id is named`(id: String) {
    let error = #expect(throws: AuthenticationError.self) { try url(CognitoUserPool(id: id, clientID: "c1")) }
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("'id'") == true)
    #expect(id.count < 8 || error?.message.contains(id) == false)
  }

  @Test func `whatever else cannot work is named`() {
    let id = "eu-central-1_Abc123"
    for (key, pool) in [
      ("clientID", CognitoUserPool(id: id, clientID: "")), ("clientID", CognitoUserPool(id: id, clientID: "c 1")),
      ("clientSecret", CognitoUserPool(id: id, clientID: "c1", clientSecret: Secret(""))),
      ("endpoint", CognitoUserPool(id: id, clientID: "c1", endpoint: "http://example.org")),
      ("methods", CognitoUserPool(id: id, clientID: "c1", methods: [.password, .device])),
    ] {
      let error = #expect(throws: AuthenticationError.self) { try url(pool) }
      #expect(error == .invalidConfiguration)
      #expect(error?.message.contains("'\(key)'") == true)
    }
  }

  @Test func `sessions belong to the pool and the client`() throws {
    let configuration = AuthProviderConfiguration.cognito(CognitoUserPool(id: "eu-central-1_A", clientID: "c1"))
    #expect(configuration.realm == "cognito eu-central-1_A c1")
    #expect(configuration.name == "cognito")
  }

  @Test func `an app has a form for each method that the pool allows`() throws {
    let pool = CognitoUserPool(
      id: "eu-central-1_A", clientID: "c1", methods: [.password, .plainPassword, .emailCode, .customChallenge])
    let product = try AuthProviderConfiguration.cognito(pool)
      .make(.init(httpClient: ScriptedHTTPClient(), clock: ManualClock()))
    #expect(Set(product.processes.map(\.method)) == Set(pool.methods))
    #expect(product.allowedOrigins.map(\.description) == ["https://cognito-idp.eu-central-1.amazonaws.com"])
  }
}
