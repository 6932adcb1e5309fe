import AuthenticationData
import AuthenticationDomain
import Foundation

extension HTTPResponse {
  /// A discovery document with these members besides `issuer` and the two endpoints every issuer has.
  static func metadata(
    issuer: String = "https://id.example.com", _ more: [String: any Sendable] = [:], headers: HTTPHeaders = [:]
  ) -> Self {
    let usual: [String: any Sendable] = [
      "issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
    ]
    let body = (try? JSONSerialization.data(withJSONObject: usual.merging(more) { $1 })) ?? Data()
    var headers = headers
    headers["Content-Type"] = "application/json"
    return HTTPResponse(status: 200, headers: headers, body: body)
  }

  static func body(_ text: String, status: Int = 200, type: String = "application/json") -> Self {
    HTTPResponse(status: status, headers: ["Content-Type": type], body: Data(text.utf8))
  }
}
