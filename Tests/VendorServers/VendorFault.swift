#if Tools
package import AuthenticationTestingServers
import Foundation

/// A way for one of a vendor's operations to misbehave.
package enum VendorFault: Sendable, Hashable {
  /// The vendor's code, and the text that may follow it, in the shape and with the status in which this vendor sends
  /// it.
  case error(String)
  /// Those every loopback server knows: `.usual(.html)`, `.usual(.truncatedJSON)`, `.usual(.hang)`.
  case usual(LoopbackIdentityServer.Fault)
  /// Any body.
  case body(String, status: Int = 200, contentType: String = "application/json", headers: [String: String] = [:])

  var usual: LoopbackIdentityServer.Fault? {
    if case .usual(let fault) = self { fault } else { nil }
  }

  /// The response in place of the operation's; nil where the operation is processed.
  func standIn(_ error: (String) -> Answer) -> Answer? {
    switch self {
    case .error(let code): error(code)
    case .usual(let fault): fault.standIn
    case .body(let text, let status, let type, let headers):
      Answer(status: status, headers: headers.merging(["Content-Type": type]) { $1 }, body: .init(text.utf8))
    }
  }
}
#endif
