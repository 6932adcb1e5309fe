public import AuthenticationDomain

/// What a request carries besides the `Authorization` header, where a token is bound to a key (RFC 9449).
public protocol RequestProof: Sendable {
  /// Adds the proof for this request to its headers. Throws where the session's key cannot be used.
  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError)

  /// Learns from the answer, and says whether the request, which was not processed, is to be proved and sent once more.
  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool
}
