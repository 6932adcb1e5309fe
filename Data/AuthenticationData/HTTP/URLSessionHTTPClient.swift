// Linux has URLSession in a library whose loading takes longer than all else of a command: there libcurl is used, and
// the tests alone compile this file.
#if canImport(Security) || TESTS
#if TESTS
@testable import AuthenticationData
#endif
import AuthenticationDomain
import Dispatch
import Foundation
import Synchronization
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
final class URLSessionHTTPClient: HTTPClient {
  private let session: URLSession
  private let exchanges: URLSessionExchanges
  private let deadline: Duration
  private let clock: any AuthenticationClock

  init(_ limits: HTTPLimits, trust: ServerTrust, clock: any AuthenticationClock) throws(AuthenticationError) {
    try trust.validated()
    exchanges = URLSessionExchanges(maximumBodySize: limits.maximumBodySize, trust: trust)
    session = URLSession(
      configuration: .withoutMemory(silence: limits.silence), delegate: exchanges, delegateQueue: nil)
    deadline = limits.deadline
    self.clock = clock
  }

  deinit { session.finishTasksAndInvalidate() }

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let origin = try request.checkedOrigin()
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
  /// - Parameter silence: how long URLSession may receive nothing; its own default is 60 seconds.
  static func withoutMemory(silence: Duration) -> URLSessionConfiguration {
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
    configuration.timeoutIntervalForRequest = max(60, silence / .seconds(1))
    return configuration
  }
}

extension HTTPRequest {
  fileprivate var urlRequest: URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method.rawValue
    request.httpShouldHandleCookies = false
    request.allHTTPHeaderFields = Dictionary(
      uniqueKeysWithValues: headers.joined.fields.map { ($0.name, $0.value.reveal()) })
    request.httpBody = body
    return request
  }
}

/// The running exchanges of one URLSession: collects each response and resumes its caller exactly once.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
  typealias Outcome = Result<HTTPResponse, AuthenticationError>

  private struct Exchange {
    let origin: Origin
    let caller: CheckedContinuation<Outcome, Never>
    var head: HTTPURLResponse?
    var body = Data()
    var isUntrusted = false
  }

  private let maximumBodySize: Int
  private let trust: ServerTrust
  private let exchanges = Mutex<[Int: Exchange]>([:])

  init(maximumBodySize: Int, trust: ServerTrust = .system) {
    self.maximumBodySize = maximumBodySize
    self.trust = trust
  }

  func start(_ task: URLSessionTask, to origin: Origin, _ caller: CheckedContinuation<Outcome, Never>) {
    exchanges.withLock { $0[task.taskIdentifier] = Exchange(origin: origin, caller: caller) }
    if Task.isCancelled { return abandon(task, .cancelled) }
    task.resume()
  }

  /// Ends an exchange before URLSession does.
  func abandon(_ task: URLSessionTask, _ error: AuthenticationError) {
    guard finish(task, .failure(error)) else { return }
    // Cancelling waits until URLSession pauses reading, which a flood of data delays for seconds (Linux); meanwhile the
    // delegate's queue must keep dropping the bytes that were read, or all of them stay in memory.
    DispatchQueue.global().async { task.cancel() }
  }

  /// Does not cancel the task: cancelling one that is about to end by itself traps in URLSession (Linux).
  @discardableResult
  private func finish(_ task: URLSessionTask, _ outcome: Outcome) -> Bool {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return false }
    exchange.caller.resume(returning: outcome)
    return true
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if response.expectedContentLength > Int64(maximumBodySize) {
      abandon(dataTask, .responseTooLarge(maximumBodySize))
    }
    exchanges.withLock { $0[dataTask.taskIdentifier]?.head = response as? HTTPURLResponse }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = exchanges.withLock { exchanges in
      guard exchanges[dataTask.taskIdentifier] != nil else { return false }
      exchanges[dataTask.taskIdentifier]?.body.append(data)
      return exchanges[dataTask.taskIdentifier]!.body.count > maximumBodySize
    }
    if isTooLarge { abandon(dataTask, .responseTooLarge(maximumBodySize)) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let exchange = exchanges.withLock { $0[task.taskIdentifier] }
    guard let exchange else { return }
    if exchange.isUntrusted { _ = finish(task, .failure(.untrusted(exchange.origin))) }
    // A refused challenge ends as "cancelled" although the whole 401 has arrived (Linux).
    let isWhole = error == nil || (exchange.head?.statusCode == 401 && (error as? URLError)?.code == .cancelled)
    if let head = exchange.head, isWhole, !head.promisesMore(than: exchange.body.count, in: task) {
      finish(task, .success(HTTPResponse(head, exchange.body)))
    } else {
      finish(task, .failure(.transport(error, to: exchange.origin)))
    }
  }

  // URLSession waits forever on `401` with `WWW-Authenticate: Basic` unless a session delegate refuses (Linux).
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // The literal value, since Linux does not have the constant.
    let isServerTrust = challenge.protectionSpace.authenticationMethod == "NSURLAuthenticationMethodServerTrust"
    #if canImport(Security)
    if isServerTrust, trust != .system {
      guard let server = challenge.protectionSpace.serverTrust, trust.allows(server) else {
        exchanges.withLock { $0[task.taskIdentifier]?.isUntrusted = true }
        return completionHandler(.cancelAuthenticationChallenge, nil)
      }
      return completionHandler(.useCredential, URLCredential(trust: server))
    }
    #endif
    completionHandler(isServerTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}

extension HTTPURLResponse {
  /// Whether the connection ended before the body did.
  fileprivate func promisesMore(than count: Int, in task: URLSessionTask) -> Bool {
    guard task.originalRequest?.httpMethod != "HEAD", statusCode != 204, statusCode != 304,
      value(forHTTPHeaderField: "Content-Encoding") == nil,
      let promised = value(forHTTPHeaderField: "Content-Length").flatMap({ Int($0) })
    else { return false }
    return count < promised
  }
}

extension HTTPResponse {
  init(_ head: HTTPURLResponse, _ body: Data) {
    var headers: HTTPHeaders = [:]
    for case (let name as String, let value as String) in head.allHeaderFields { headers.append(name, value) }
    self.init(status: head.statusCode, headers: headers, body: body)
  }
}

extension AuthenticationError {
  /// Classifies URLSession's error, whose own message contains the whole URL and is dropped.
  fileprivate static func transport(_ error: (any Error)?, to origin: Origin) -> Self {
    let code = (error as? URLError)?.code
    let cause = code.map { Cause(domain: "URLError", code: $0.rawValue) }
    switch code {
    case .cancelled: return .cancelled
    case .timedOut: return .timedOut(origin, cause)
    case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
      .internationalRoamingOff:
      return .unreachable(origin, cause)
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      return .untrusted(origin, cause)
    // On Linux, libcurl's certificate errors arrive as an unknown error.
    case .unknown where error?.localizedDescription.contains("certificate") == true: return .untrusted(origin, cause)
    default: return .connectionLost(origin, cause)
    }
  }
}
#endif
