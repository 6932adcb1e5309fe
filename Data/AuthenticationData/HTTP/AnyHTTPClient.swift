public import AuthenticationDomain

/// A client chosen at run time, which can be decorated: the decorators are generic over what they decorate.
///
/// ```swift
/// let patient = root.apiClient.retrying()
/// ```
public struct AnyHTTPClient: HTTPClient {
  private let client: any HTTPClient

  /// Sends by this client.
  public init(_ client: any HTTPClient) { self.client = client }

  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    try await client.send(request)
  }
}
