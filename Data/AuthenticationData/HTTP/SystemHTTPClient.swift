public import AuthenticationDomain
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests with the platform's HTTP library: URLSession on Apple platforms, libcurl on Linux.
///
/// ```swift
/// let client = try SystemHTTPClient(deadline: .seconds(60)).retrying()
/// let response = try await client.send(HTTPRequest(.get, url))
/// ```
///
/// Defaults of these libraries that it turns off: it follows no redirect, keeps no cookie, cache or credential, sends
/// no `Expect: 100-continue`, and reads no `.netrc`. It sends only https with TLS 1.2 or later, or http to this
/// machine. On Linux a request that is not ``HTTPRequest/isIdempotent`` is sent once, on a connection of its own; a
/// request that carries a proof (`DPoP`, RFC 9449) is also sent once.
///
/// On Linux libcurl is looked up when the client is created. If it is missing, older than 7.68 or has no TLS, and in a
/// static executable, URLSession is used, in which a server can crash the process (Swift 6.3.1); ``description`` says
/// which library is used. The variables `https_proxy`, `all_proxy` and `no_proxy` are read once, when the client is
/// created; this machine is never reached through a proxy. `SSLKEYLOGFILE` is ignored: no key of a connection is written
/// to that file, which libcurl may create all the same. If libcurl does not use OpenSSL, and with URLSession on Linux,
/// the variable is refused instead. If libcurl uses OpenSSL, a certificate that names its host only in its subject is
/// refused too. This client cannot see what OpenSSL's own configuration (`OPENSSL_CONF`) allows.
public final class SystemHTTPClient: HTTPClient, CustomStringConvertible {
  /// The library that sends the requests: `libcurl` or `URLSession`.
  public let description: String
  private let transport: any HTTPClient

  private static let made = Result { () throws(AuthenticationError) in try SystemHTTPClient() }

  /// The client with the defaults, for all providers of a process: what they fetch of one issuer is fetched once.
  ///
  /// - Throws: What ``init(deadline:connecting:silence:maximumBodySize:trust:clock:)`` throws.
  public static var shared: SystemHTTPClient {
    get throws(AuthenticationError) { try made.get() }
  }

  /// Creates a client; no connection is opened yet.
  ///
  /// - Parameters:
  ///   - deadline: for the whole exchange, from the call to the last byte received.
  ///   - connecting: until a connection is established, TLS included. Only libcurl supports it.
  ///   - silence: how long no byte may arrive or leave; by default as long as the deadline.
  ///   - maximumBodySize: in bytes, after decoding; a longer body is refused and not kept.
  ///   - trust: which servers to accept in TLS.
  ///   - clock: the time; replace it in a test.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a proxy variable that is malformed or contradicts
  ///   another, for roots that cannot be read, for an empty set of pins, and if the transport does not support the
  ///   trust.
  public convenience init(
    deadline: Duration = .seconds(30), connecting: Duration = .seconds(15), silence: Duration? = nil,
    maximumBodySize: Int = 1 << 20, trust: ServerTrust = .system, clock: any AuthenticationClock = SystemClock()
  ) throws(AuthenticationError) {
    let limits = HTTPLimits(
      deadline: deadline, connecting: min(connecting, deadline), silence: silence ?? deadline,
      maximumBodySize: maximumBodySize)
    #if os(Linux)
    try self.init(limits, trust, clock, Libcurl.shared, variables: ProcessInfo.processInfo.environment)
    #else
    try self.init(URLSessionHTTPClient(limits, trust: trust, clock: clock), "URLSession")
    #endif
  }

  private init(_ transport: any HTTPClient, _ description: String) {
    self.transport = transport
    self.description = description
  }

  /// Sends the request with the platform's library.
  ///
  /// - Throws: see ``HTTPClient``.
  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    try await transport.send(request)
  }
}

#if os(Linux)
extension SystemHTTPClient {
  /// - Parameter library: nil if no usable libcurl was found.
  convenience init(
    _ limits: HTTPLimits, _ trust: ServerTrust, _ clock: any AuthenticationClock, _ library: Libcurl?,
    variables: [String: String]
  ) throws(AuthenticationError) {
    let environment = try NetworkEnvironment(variables, keepsKeys: library?.canKeepKeys ?? false)
    if let library {
      self.init(
        try CurlHTTPClient(library, limits: limits, trust: trust, environment: environment, clock: clock), "libcurl")
    } else {
      self.init(try URLSessionHTTPClient(limits, trust: trust, clock: clock), "URLSession")
    }
  }
}
#endif

extension AuthenticationError {
  /// The system could not give a client memory or a descriptor.
  static func outOfResources() -> Self {
    Self(
      .unreachable, "This process has no memory or descriptors left for a connection; nothing was sent.",
      suggestion: "Try again later, and use fewer connections at once.")
  }

  static func responseTooLarge(_ limit: Int) -> Self {
    Self(
      .responseTooLarge, "The response is longer than \(limit) bytes; it was not read to its end.",
      suggestion: "Check what the server sends, or allow a larger body.")
  }

  static func timedOut(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .timedOut, "\(origin) did not respond in time.", suggestion: "Try again; a session that exists is kept.",
      cause: cause)
  }

  static func headTooLarge(_ origin: Origin) -> Self {
    Self(
      .responseTooLarge, "The head of the response from \(origin) is longer than 64 KiB or 200 fields.",
      suggestion: "Check what the server sends.")
  }

  static func unreachable(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .unreachable, "\(origin) cannot be reached; it has not seen the request.",
      suggestion: "Try again when there is a connection.", cause: cause)
  }

  static func connectionLost(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .connectionLost, "The connection to \(origin) broke before the response was complete.",
      suggestion: "The server may have processed the request.", cause: cause)
  }

  static func untrusted(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .insecureConnection, "No trusted TLS connection to \(origin) could be made.",
      suggestion: "Check the server's certificate and this device's clock.", cause: cause)
  }

  static func unreadable(_ origin: Origin, _ cause: Cause? = nil) -> Self {
    Self(
      .invalidRequest, "Not sent to \(origin): the URL cannot be read.", suggestion: "Check where it comes from.",
      cause: cause)
  }

  /// Classifies URLSession's error, whose own message contains the whole URL and is dropped.
  static func transport(_ error: (any Error)?, to origin: Origin) -> Self {
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
    case .unknown where error?.localizedDescription.contains("certificate") == true:
      return .untrusted(origin, cause)
    default:
      return .connectionLost(origin, cause)
    }
  }
}
