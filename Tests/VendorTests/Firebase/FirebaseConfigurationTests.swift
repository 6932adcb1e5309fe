import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationFirebase

@Suite struct FirebaseConfigurationTests {
  func error(_ change: (inout FirebaseProject) -> Void) -> AuthenticationError? {
    var project = FirebaseProject(apiKey: "key")
    change(&project)
    do throws(AuthenticationError) {
      _ = try AuthProviderConfiguration.firebase(project).make(
        .init(httpClient: ScriptedHTTPClient(), clock: ManualClock()))
      return nil
    } catch {
      return error
    }
  }

  @Test func `an emulator on this machine is spoken to by http`() async throws {
    let bench = try FirebaseBench(json(200, ada)) { $0.endpoint = "http://127.0.0.1:9099" }
    _ = try await bench.provider.signIn(with: password)
    #expect(
      bench.client.requests[0].url.absoluteString
        == "http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=key")
  }

  @Test(arguments: [
    "http://example.org", "https://u:p@example.org", "https://example.org/path", "https://example.org?x=1", "nonsense",
  ])
  func `an endpoint that cannot be right is refused by its name`(endpoint: String) {
    let refused = error { $0.endpoint = endpoint }
    #expect(refused == .invalidConfiguration)
    #expect(refused?.message.contains("'endpoint'") == true)
  }

  @Test func `a missing key, an empty tenant and a link to nowhere are refused by their names`() {
    #expect(error { $0.apiKey = "" }?.message.contains("'apiKey'") == true)
    #expect(error { $0.apiKey = "a b" }?.message.contains("'apiKey'") == true)
    #expect(error { $0.tenantID = "" }?.message.contains("'tenantID'") == true)
    #expect(error { $0.continueURL = "http://example.org" }?.message.contains("'continueURL'") == true)
    #expect(error { _ in } == nil)
  }

  @Test func `sign-in by link is offered only where links lead somewhere`() throws {
    #expect(try FirebaseBench().provider.methods.contains(.emailLink))
    #expect(try !FirebaseBench { $0.continueURL = nil }.provider.methods.contains(.emailLink))
  }
}
