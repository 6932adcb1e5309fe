import AuthenticationData
import AuthenticationDomain

/// A provider's proof for a token that is not bound to a key: it adds nothing.
struct UnboundProof: RequestProof {
  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {}
  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool { false }
}
