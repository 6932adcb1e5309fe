import AuthenticationCognito
import AuthenticationData
import AuthenticationDomain
import AuthenticationFirebase
import AuthenticationSupabase
import AuthenticationTesting
import Foundation
import Testing

/// A vendor's server that repeats the password in place of a code.
@Suite struct VendorEchoTests {
  private static let firebase = AuthProviderConfiguration.firebase(
    FirebaseProject(apiKey: "AIzaSyA1234567890abcdefghijklmnopqrstuv"))
  private static let supabase = AuthProviderConfiguration.supabase(
    SupabaseProject(url: "https://abcdefgh.supabase.co", anonKey: "sb_publishable_x"))
  private static let cognito = AuthProviderConfiguration.cognito(
    CognitoUserPool(id: "us-east-1_AbCdEfGhI", clientID: "client1", methods: [.plainPassword]))

  static let shapes: [(AuthProviderConfiguration, @Sendable (String) -> String, any Credentials)] = [
    (firebase, { #"{"error":{"code":400,"message":"\#($0)"}}"# }, password),
    (supabase, { #"{"error_code":"\#($0)","msg":"x"}"# }, password),
    (supabase, { #"{"error":"\#($0)","error_description":"x"}"# }, password),
    (
      cognito, { #"{"__type":"\#($0)","message":"x"}"# },
      CognitoCredentials(userName: "ada@example.com", password: Secret("hunter2"), method: .plainPassword)
    ),
  ]

  private static let password = PasswordCredentials(userName: "ada@example.com", password: Secret("hunter2"))

  @Test(arguments: shapes.indices) func `no provider has a code that is the password`(index: Int) async throws {
    let (configuration, shape, credentials) = Self.shapes[index]
    for (text, code) in [("hunter2", nil), ("HUNTER2", nil), ("other_code", "other_code")] as [(String, String?)] {
      let client = ScriptedHTTPClient { _ in
        .success(
          HTTPResponse(status: 400, headers: ["Content-Type": "application/json"], body: Data(shape(text).utf8)))
      }
      let environment = AuthProviderConfiguration.Environment(httpClient: client, clock: ManualClock())
      let provider = try configuration.make(environment).provider
      let error = await failure { try await provider.signIn(with: credentials) }
      #expect(error != nil && error?.providerCode == code, "\(configuration.name) \(text)")
    }
  }
}
