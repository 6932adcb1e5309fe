public import AuthenticationData
public import AuthenticationDomain
import Synchronization

/// An HTTP client with responses by a closure or a list, which records the requests. A request that is not scripted
/// fails.
///
/// ```swift
/// let client = ScriptedHTTPClient(.success(.scripted(200, "[]")))
/// let root = try MainRoot(.mock(.success(.ada))) { $0.apiTransport = client }
/// ```
public final class ScriptedHTTPClient: HTTPTransport {
  private struct Contents {
    var requests: [HTTPRequest] = []
    var answers: [Result<HTTPResponse, AuthenticationError>]
  }

  private let contents: Mutex<Contents>
  private let answer: (@Sendable (HTTPRequest) async -> Result<HTTPResponse, AuthenticationError>)?

  /// Responds in this order; then every further request is unexpected.
  public init(_ answers: Result<HTTPResponse, AuthenticationError>...) {
    contents = Mutex(Contents(answers: answers))
    answer = nil
  }

  /// Responds to each request by this closure.
  public init(answer: @escaping @Sendable (HTTPRequest) async -> Result<HTTPResponse, AuthenticationError>) {
    contents = Mutex(Contents(answers: []))
    self.answer = answer
  }

  /// Every request sent so far, in order.
  public var requests: [HTTPRequest] { contents.withLock { $0.requests } }

  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let scripted = contents.withLock { contents in
      contents.requests.append(request)
      return contents.answers.isEmpty ? nil : contents.answers.removeFirst()
    }
    if let scripted { return try scripted.get() }
    guard let answer else { throw .unexpectedRequest(request) }
    return try await answer(request).get()
  }
}

extension AuthenticationError {
  static func unexpectedRequest(_ request: HTTPRequest) -> Self {
    Self(.unsupportedMethod, "No answer was scripted for this request: \(request.description).")
  }
}
