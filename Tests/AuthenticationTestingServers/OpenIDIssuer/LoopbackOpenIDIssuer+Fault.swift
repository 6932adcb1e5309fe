#if Tools && OpenID
import Foundation

extension LoopbackOpenIDIssuer {
  /// A way for an endpoint to misbehave.
  public enum Fault: Sendable, Hashable {
    /// Those every loopback server knows: `.usual(.html)`, `.usual(.redirect(to: url))`, `.usual(.hang)`.
    case usual(LoopbackIdentityServer.Fault)
    /// A JSON error (RFC 6749 §5.2), such as `.error("invalid_code", status: 403)`.
    case error(String, status: Int = 400)
    /// Any body; empty, with 400, is how some issuers refuse a refresh.
    case body(String, status: Int = 200, contentType: String = "application/json", headers: [String: String] = [:])

    var usual: LoopbackIdentityServer.Fault? {
      if case .usual(let fault) = self { fault } else { nil }
    }

    /// The response in place of the endpoint's; nil where the endpoint processes the request.
    var standIn: Answer? {
      switch self {
      case .usual(let fault): fault.standIn
      case .error(let code, let status): .error(code, status: status)
      case .body(let text, let status, let type, let headers):
        Answer(status: status, headers: headers.merging(["Content-Type": type]) { $1 }, body: Data(text.utf8))
      }
    }
  }
}
#endif
