public import AuthenticationData
import Foundation

extension ProviderScript {
  /// A request, as it must be sent, and its response.
  public struct Exchange: Sendable {
    let request: String
    /// The service's response.
    public let response: HTTPResponse

    /// - Parameters:
    ///   - request: method and absolute URL on the first line, then the header fields in any order, one on each line;
    ///     where there is a body, an empty line and the body.
    ///   - response: the service's response.
    public init(_ request: String, _ response: HTTPResponse) {
      self.request = WrittenRequest.normalized(request)
      self.response = response
    }

    var plan: ConformanceTransport.Plan { .answer(response) }
  }
}

extension HTTPResponse {
  /// A response as a service writes it, usually in JSON.
  public static func scripted(_ status: Int = 200, _ body: String = "", type: String? = "application/json") -> Self {
    var headers: HTTPHeaders = [:]
    headers["Content-Type"] = type
    return Self(status: status, headers: headers, body: Data(body.utf8))
  }

  /// The same with half of its body.
  var cut: HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: Data(body.prefix(body.count / 2)))
  }

  /// For a sentence: the status, and how the body begins. It is of a script.
  var quoted: String { "HTTP \(status) '\(String(decoding: body.prefix(60), as: UTF8.self))'" }

  /// The same body with another status.
  func with(status: Int) -> HTTPResponse { HTTPResponse(status: status, headers: headers, body: body) }
}
