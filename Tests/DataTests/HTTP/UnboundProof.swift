import AuthenticationData
import AuthenticationDomain

/// What a provider's proof does where a session's token is not bound to a key: nothing.
struct UnboundProof: RequestProof {
  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {}
  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool { false }
}
