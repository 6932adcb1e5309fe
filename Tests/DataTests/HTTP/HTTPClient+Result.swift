import AuthenticationData
import AuthenticationDomain

extension HTTPClient {
  func result(of request: HTTPRequest) async -> Result<HTTPResponse, AuthenticationError> {
    do {
      return .success(try await send(request))
    } catch {
      return .failure(error)
    }
  }
}
