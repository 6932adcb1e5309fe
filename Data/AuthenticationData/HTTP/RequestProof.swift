public import AuthenticationDomain

/// What a request carries besides the `Authorization` header if its token is bound to a key (RFC 9449).
public protocol RequestProof: Sendable {
  /// Adds the proof for this request to its headers.
  ///
  /// - Throws: if the session's key cannot be used.
  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError)

  /// Reads the nonce of the response, if there is one.
  ///
  /// - Returns: whether the request, which was not processed, must be sent once more with a new proof.
  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool
}
