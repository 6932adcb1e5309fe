import AuthenticationDomain
import AuthenticationTesting
import Foundation

@testable import AuthenticationData

typealias Answer = Result<HTTPResponse, AuthenticationError>

/// An answer with a JSON content type, unless another one is given.
func json(_ status: Int, _ body: String, type: String? = "application/json") -> HTTPResponse {
  HTTPResponse(status: status, headers: type.map { ["Content-Type": $0] } ?? [:], body: Data(body.utf8))
}

/// A canary stands in every value a server may send: no text of any error may hold it.
enum Wire {
  static let tokens = #"{"accessToken":"canary-access","refreshToken":"canary-refresh","expiresIn":3600}"#
  static let user =
    #"{"email":"canary@example.com","username":"canary","name":{"firstName":"Ada","lastName":"L"},"lastAuthenticated":null}"#
  static let invalidGrant = #"{"error":"invalid_grant","error_description":"canary"}"#
}

extension AuthProviderConfiguration {
  func provider(_ client: any HTTPClient) throws -> any SessionValidatingProvider {
    let product = try make(Environment(httpClient: client, clock: ManualClock()))
    guard let provider = product.provider as? APIAuthProvider else { throw AuthenticationError.notSignedIn }
    return provider
  }
}

/// Every text that an error can become.
func texts(of error: any Error) -> [String] {
  var dumped = ""
  dump(error, to: &dumped)
  return ["\(error)", String(reflecting: error), error.localizedDescription, dumped]
}

/// The error of a call, or nil.
func failure<Value>(of call: () async throws -> Value) async -> AuthenticationError? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? AuthenticationError
  }
}
