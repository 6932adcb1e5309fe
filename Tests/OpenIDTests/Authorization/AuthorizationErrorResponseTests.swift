import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct AuthorizationErrorResponseTests {
  private func failure(_ error: String, prompt: [String] = []) async -> AuthenticationError? {
    let canary = "canary-words"
    let bench = FlowBench(
      presenter: ScriptedPresenter(query: {
        "error=\(error)&error_description=\(canary)&error_uri=https%3A%2F%2F\(canary)&state=\($0)"
          + "&iss=https%3A%2F%2Fid.example.com"
      }))
    let failure = await bench.failure(
      BrowserSignIn(SignInHints(prompt: prompt, requirements: AuthenticationRequirements(acrValues: ["gold"]))))
    var dumped = ""
    dump(failure, to: &dumped)
    #expect(!dumped.contains(canary) && failure?.description.contains(canary) == false)
    return failure
  }

  @Test(arguments: [
    ("access_denied", AuthenticationError.declined),
    ("login_required", .declined), ("interaction_required", .declined), ("consent_required", .declined),
    ("account_selection_required", .declined),
    ("unmet_authentication_requirements", .insufficientUserAuthentication),
    ("server_error", .serverFailed), ("temporarily_unavailable", .serverFailed),
    ("invalid_request", .clientRejected), ("unauthorized_client", .clientRejected),
    ("invalid_scope", .clientRejected), ("unsupported_response_type", .clientRejected),
    ("invalid_target", .clientRejected), ("invalid_grant", .clientRejected), ("something_new", .unexpectedResponse),
  ])
  func `an issuer's error keeps its code and none of its words`(error: String, code: AuthenticationError) async {
    let failure = await failure(error)
    #expect(failure == code && failure?.providerCode == error)
  }

  @Test(arguments: ["login_required", "interaction_required", "consent_required", "account_selection_required"])
  func `without a page, by the prompt none, the user could not answer`(error: String) async {
    let failure = await failure(error, prompt: ["none"])
    #expect(failure == .insufficientUserAuthentication && failure?.providerCode == error)
  }

  @Test(arguments: ["", "a%22b", "a%5Cb", "line%0Abreak", "%C3%A9", String(repeating: "a", count: 65)])
  func `a code that is none is not passed on`(error: String) async {
    let failure = await failure(error)
    #expect(failure == .unexpectedResponse && failure?.providerCode == nil)
  }

  @Test func `requirements that were not met are told`() async {
    #expect(await failure("unmet_authentication_requirements")?.requirements?.acrValues == ["gold"])
  }
}
