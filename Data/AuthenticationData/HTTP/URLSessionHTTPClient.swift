package import AuthenticationDomain
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Security)
import Security
#endif

/// Sends requests with URLSession, with its defaults turned off: no redirects, no cookies, no caches, no stored
/// credentials, no unlimited bodies, and with the deadline that it lacks on Linux.
///
/// A redirect is returned as the 3xx response it is. Only https, or http to this machine, is sent.
/// (The ancestor's term: `URLSessionClient`.)
package final class URLSessionHTTPClient: HTTPClient {
  private let session: URLSession
  private let exchanges: URLSessionExchanges
  private let deadline: Duration
  private let clock: any AuthenticationClock

  /// A client with a URLSession of its own.
  ///
  /// - Parameters:
  ///   - deadline: for the whole exchange, from the call to the last byte received, including the wait for a
  ///     connection.
  ///   - maximumBodySize: in bytes; a longer body is refused and not kept.
  package init(
    deadline: Duration = .seconds(30), maximumBodySize: Int = 1 << 20, clock: any AuthenticationClock = SystemClock()
  ) {
    exchanges = URLSessionExchanges(maximumBodySize: maximumBodySize)
    session = URLSession(configuration: .withoutMemory(patience: deadline), delegate: exchanges, delegateQueue: nil)
    self.deadline = deadline
    self.clock = clock
  }

  init(_ limits: HTTPLimits, trust: ServerTrust, clock: any AuthenticationClock) throws(AuthenticationError) {
    try trust.validated()
    #if !canImport(Security)
    if trust != .system { throw .trustUnsupported }
    #endif
    exchanges = URLSessionExchanges(maximumBodySize: limits.maximumBodySize, trust: trust)
    session = URLSession(
      configuration: .withoutMemory(patience: limits.silence), delegate: exchanges, delegateQueue: nil)
    deadline = limits.deadline
    self.clock = clock
  }

  deinit { session.finishTasksAndInvalidate() }

  package func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let origin = try OutgoingRequest(request).origin
    let task = session.dataTask(with: request.urlRequest)
    let exchanges = exchanges
    let timer = Task.detached { [clock, deadline] in
      guard (try? await clock.sleep(for: deadline)) != nil else { return }
      exchanges.abandon(task, .timedOut(origin))
    }
    defer { timer.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { exchanges.start(task, to: origin, $0) }
    } onCancel: {
      exchanges.abandon(task, .cancelled)
    }
    return try result.get()
  }
}

extension URLSessionConfiguration {
  /// An ephemeral configuration still stores and sends cookies on Linux.
  /// - Parameter patience: how long URLSession may receive nothing; its own default is 60 seconds.
  static func withoutMemory(patience: Duration) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    #if canImport(Security)
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
    #endif
    configuration.timeoutIntervalForRequest = max(60, patience / .seconds(1))
    return configuration
  }
}

extension HTTPRequest {
  fileprivate var urlRequest: URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method.rawValue
    request.httpShouldHandleCookies = false
    request.allHTTPHeaderFields = Dictionary(uniqueKeysWithValues: headers.joined.fields.map { ($0.name, $0.value) })
    request.httpBody = body
    return request
  }
}

#if !canImport(Security)
extension AuthenticationError {
  fileprivate static let trustUnsupported = Self(
    .invalidConfiguration, "URLSession on Linux takes no roots or pins besides the system's.",
    suggestion: "Install libcurl 7.84 or later, or add the roots to the system's.")
}
#endif
