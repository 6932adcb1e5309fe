import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Testing

/// A backend as a test describes it: its contract, and its account services.
struct BackendDescription {
  var contract = APIContract.standard
  var account = APIAccountContract()

  func provider(
    at baseURL: String = "https://api.example.com", over client: ScriptedHTTPClient, clock: ManualClock = ManualClock()
  ) throws -> any AccountProvider & SessionValidatingProvider {
    let product = try AuthProviderConfiguration.api(baseURL: baseURL, contract: contract, account: account)
      .make(.init(httpClient: client, clock: clock))
    return try #require(product.provider as? any AccountProvider & SessionValidatingProvider)
  }
}
