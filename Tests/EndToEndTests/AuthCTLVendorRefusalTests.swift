import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Rejections by vendors: the exit code names the cause, and the vendor's code is printed.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AuthCTLVendorRefusalTests {
  /// A vendor at which Ada can sign in with a password.
  struct Vendor: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Of `login`, besides the address.
    let options: [String]
    /// The loopback server's names for the sign-in and the refresh.
    let signIn: String
    let refresh: String
    let start: @Sendable () async throws -> (address: [String], server: any LoopbackVendor)
  }

  static let firebase = Vendor(
    testDescription: "firebase", options: ["firebase", "--api-key", "api-key"], signIn: "signInWithPassword",
    refresh: "token"
  ) {
    let server = LoopbackFirebase()
    server.addAccount(email: "ada@example.com", password: "correct horse")
    return (["--endpoint", try await server.start().absoluteString], server)
  }

  static let supabase = Vendor(
    testDescription: "supabase", options: ["supabase", "--anon-key", "anon-key"], signIn: "token password",
    refresh: "token refresh_token"
  ) {
    let server = LoopbackSupabase()
    server.addAccount(email: "ada@example.com", password: "correct horse")
    return (["--url", try await server.start().absoluteString], server)
  }

  static let cognito = Vendor(
    testDescription: "cognito",
    options: ["cognito", "--pool", "us-east-1_Loopback", "--client-id", "client1", "--method", "password-plain"],
    signIn: "InitiateAuth", refresh: "GetTokensFromRefreshToken"
  ) {
    let server = LoopbackCognito()
    server.addAccount("ada@example.com", password: "correct horse")
    return (["--endpoint", try await server.start().absoluteString], server)
  }

  static let auth0 = Vendor(
    testDescription: "auth0",
    options: ["auth0", "--domain", "tenant.eu.auth0.com", "--client-id", "app", "--method", "password"],
    signIn: "token password-realm", refresh: "token refresh_token"
  ) {
    let server = LoopbackAuth0()
    server.addAccount(
      .init(
        subject: "auth0|1", username: "ada@example.com", password: "correct horse", name: "Ada Lovelace",
        email: "ada@example.com"))
    return (["--endpoint", try await server.start().absoluteString], server)
  }

  static let keycloak = Vendor(
    testDescription: "keycloak",
    options: ["keycloak", "--realm", "demo", "--client-id", "app", "--method", "password"], signIn: "token password",
    refresh: "token refresh_token"
  ) {
    var options = LoopbackKeycloak.Options()
    options.accounts = [
      .init(
        subject: "1", username: "ada@example.com", password: "correct horse", name: "Ada Lovelace",
        email: "ada@example.com")
    ]
    let server = LoopbackKeycloak(options)
    return (["--url", try await server.start().absoluteString], server)
  }

  static let vendors = [firebase, supabase, cognito, auth0, keycloak]

  let authctl: AuthCTL

  init() throws { authctl = try AuthCTL() }

  func login(_ vendor: Vendor, _ address: [String]) async throws -> AuthCTL.Outcome {
    try await authctl.run(
      ["login", "--json", "--username", "ada@example.com", "--password-stdin", "--provider"] + vendor.options + address,
      input: "correct horse\n")
  }

  /// The result of `token` when the vendor rejects the refresh like this, and then whether the session is still there.
  func refused(
    _ vendor: Vendor, _ code: String
  ) async throws -> (token: AuthCTL.Outcome, isKept: Bool) {
    let (address, server) = try await vendor.start()
    let login = try await login(vendor, address)
    #expect(login.status == 0, "\(login.err)")
    server.traffic.set(.error(code), on: vendor.refresh)
    let token = try await authctl.run("token", "--min-ttl", "1000000", "--json")
    server.traffic.set(nil, on: vendor.refresh)
    return (token, try await authctl.run("token", "--min-ttl", "1000000").status == 0)
  }

  // MARK: At a login

  @Test(arguments: vendors) func `a code that is not known is told, and nothing else of the response`(
    vendor: Vendor
  ) async throws {
    let (address, server) = try await vendor.start()
    server.traffic.set(.error("never.heard_of-it"), on: vendor.signIn)
    let outcome = try await login(vendor, address)
    #expect(outcome.status == 1)
    #expect(outcome.err.contains(" (never.heard_of-it)"))
    #expect(outcome.out.contains(#""provider_code":"never.heard_of-it""#))
    #expect(!outcome.err.contains("canary") && !outcome.out.contains("canary"))
  }

  static let rejections: [(Vendor, String, AuthenticationError)] = [
    (firebase, "OPERATION_NOT_ALLOWED", .unsupportedMethod), (firebase, "PASSWORD_LOGIN_DISABLED", .unsupportedMethod),
    (firebase, "USER_DISABLED", .userDisabled), (firebase, "INVALID_EMAIL", .invalidEmailAddress),
    (supabase, "email_provider_disabled", .unsupportedMethod), (supabase, "provider_disabled", .unsupportedMethod),
    (supabase, "user_banned", .userDisabled), (supabase, "validation_failed", .invalidRequest),
    (cognito, "InvalidParameterException", .invalidRequest),
    (auth0, "unauthorized_client", .clientRejected), (keycloak, "unauthorized_client", .clientRejected),
  ]

  @Test(arguments: rejections)
  func `a sign-in that the project has turned off, or rejects as malformed, is no usage error`(
    vendor: Vendor, code: String, meaning: AuthenticationError
  ) async throws {
    let (address, server) = try await vendor.start()
    server.traffic.set(.error(code), on: vendor.signIn)
    let outcome = try await login(vendor, address)
    #expect(outcome.status == 4, "\(outcome.err)")
    #expect(outcome.failures == [meaning.code])
    #expect(outcome.err.contains("(\(code))"))
  }

  @Test func `a Keycloak account that is not fully set up is told to use the browser`() async throws {
    let server = LoopbackKeycloak()
    server.set(.requiredAction, of: "ada")
    let url = try await server.start()
    let outcome = try await authctl.run(
      [
        "login", "--json", "--username", "ada", "--password-stdin", "--url", url.absoluteString, "--provider",
      ] + Self.keycloak.options, input: "correct horse\n")
    #expect(outcome.status == 4)
    #expect(outcome.err.contains("the browser"))
  }

  // MARK: At a refresh

  static let endings: [(Vendor, String)] = [
    (firebase, "USER_DISABLED"), (firebase, "USER_NOT_FOUND"), (firebase, "TOKEN_EXPIRED"), (supabase, "user_banned"),
    (supabase, "session_not_found"), (cognito, "UserNotFoundException"), (auth0, "invalid_grant"),
    (keycloak, "invalid_grant"),
  ]

  @Test(arguments: endings) func `a session that ended is exit 3, whatever the reason`(
    vendor: Vendor, code: String
  ) async throws {
    let (token, isKept) = try await refused(vendor, code)
    #expect(token.status == 3, "\(token.err)")
    #expect(token.err.contains("(\(code))"))
    #expect(!isKept)
  }

  static let keepings: [(Vendor, String, Int32)] = [
    (firebase, "OPERATION_NOT_ALLOWED", 1), (firebase, "MISSING_REFRESH_TOKEN", 1), (firebase, "NEVER_HEARD_OF", 5),
    (supabase, "email_address_invalid", 1), (supabase, "feature_disabled", 1), (supabase, "never_heard_of", 5),
    (cognito, "InvalidParameterException", 1), (cognito, "NeverHeardOfException", 5),
    (auth0, "login_required", 5), (auth0, "invalid_request", 1), (auth0, "unauthorized_client", 1),
    (auth0, "invalid_client", 5), (keycloak, "invalid_request", 1), (keycloak, "never_heard_of", 5),
  ]

  @Test(arguments: keepings) func `a refresh that is rejected otherwise keeps the session`(
    vendor: Vendor, code: String, status: Int32
  ) async throws {
    let (token, isKept) = try await refused(vendor, code)
    #expect(token.status == status, "\(token.err)")
    #expect(token.out.contains(#""provider_code":"\#(code)""#))
    #expect(!token.err.contains("--prompt"))
    #expect(isKept)
  }

  /// The issuer has not used the refresh token: a later refusal is not taken for a lost response.
  @Test func `a session that asks for the user first ends by a rejection alone`() async throws {
    let (address, server) = try await Self.auth0.start()
    #expect(try await login(Self.auth0, address).status == 0)
    for (code, status, meaning) in [
      ("login_required", 5, "insufficient_user_authentication"), ("invalid_grant", 3, "session_rejected"),
    ] as [(String, Int32, String)] {
      server.traffic.set(.error(code), on: Self.auth0.refresh)
      let token = try await authctl.run("token", "--min-ttl", "1000000", "--json")
      #expect(token.status == status)
      #expect(token.failures == [meaning])
    }
  }

  /// Its code has a space: no part of the response is printed.
  @Test func `a malformed rejection of a refresh is no wrong call`() async throws {
    let (address, server) = try await Self.supabase.start()
    #expect(try await login(Self.supabase, address).status == 0)
    server.traffic.set(
      .body(#"{"error":"invalid request","error_description":"canary"}"#, status: 400), on: Self.supabase.refresh)
    let token = try await authctl.run("token", "--min-ttl", "1000000", "--json")
    #expect(token.status == 1)
    #expect(!token.out.contains("provider_code"))
    #expect(!token.err.contains("canary"))
  }
}
