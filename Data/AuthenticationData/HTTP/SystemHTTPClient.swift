public import AuthenticationDomain
import Foundation

/// Sends requests with the platform's HTTP library: URLSession on Apple platforms, libcurl on Linux.
///
/// ```swift
/// let client = try SystemHTTPClient(deadline: .seconds(60)).retrying()
/// let response = try await client.send(HTTPRequest(.get, url))
/// ```
///
/// Defaults of these libraries that it turns off: it follows no redirect, keeps no cookie, cache or credential, sends
/// no `Expect: 100-continue`, and reads no `.netrc`. It sends only https with TLS 1.2 or later, or http to this
/// machine. On Linux a request that is not ``HTTPRequest/isIdempotent`` is sent once, on a separate connection; a
/// request that carries a proof (`DPoP`, RFC 9449) is also sent once. Any other is repeated at most once, on a new
/// connection, where a kept one was closed (RFC 9110 §9.2.2; libcurl 7.80 or later).
///
/// On Linux libcurl 7.68 or later with TLS (Debian: `libcurl4`, Fedora: `libcurl`) is loaded for the first request; a
/// static executable cannot load it. If there is none, that request throws
/// ``AuthenticationError/invalidConfiguration``. The variables `https_proxy`, `all_proxy` and `no_proxy` are read once,
/// when the client is created; this machine is never reached through a proxy. `SSLKEYLOGFILE` is ignored: no key of a
/// connection is written to that file, which libcurl may create all the same. If libcurl does not use OpenSSL, the
/// variable is refused instead. If libcurl uses OpenSSL, a certificate that names its host only in its subject is
/// refused too. This client does not see the permissions of OpenSSL's configuration (`OPENSSL_CONF`).
public final class SystemHTTPClient: HTTPTransport {
  private let transport: any HTTPClient

  private static let made = Result { () throws(AuthenticationError) in
    try SystemHTTPClient(maximumBodySize: providerLimit)
  }

  /// The size of a provider's response, in bytes: no document or token response is as large.
  package static let providerLimit = 1 << 20

  /// The client for all providers of a process: the documents of one issuer are fetched once.
  ///
  /// - Throws: As ``init(deadline:connecting:silence:maximumBodySize:trust:clock:)``.
  package static var shared: SystemHTTPClient { get throws(AuthenticationError) { try made.get() } }

  /// Creates a client; no connection is opened yet.
  ///
  /// - Parameters:
  ///   - deadline: for the whole exchange, from the call to the last byte received.
  ///   - connecting: until a connection is established, TLS included. Only libcurl supports it.
  ///   - silence: how long no byte may arrive or leave; by default as long as the deadline.
  ///   - maximumBodySize: in bytes, after decoding, by default 64 MiB; a longer body is refused and not kept.
  ///   - trust: which servers to accept in TLS.
  ///   - clock: the time; replace it in a test.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a proxy variable that is malformed or contradicts
  ///   another, for roots that cannot be read, for an empty set of pins, and if the transport does not support the
  ///   trust.
  public convenience init(
    deadline: Duration = .seconds(30), connecting: Duration = .seconds(15), silence: Duration? = nil,
    maximumBodySize: Int = 64 << 20, trust: ServerTrust = ServerTrust(), clock: any AuthenticationClock = SystemClock()
  ) throws(AuthenticationError) {
    let limits = HTTPLimits(
      deadline: deadline, connecting: min(connecting, deadline), silence: silence ?? deadline,
      maximumBodySize: maximumBodySize)
    #if os(Linux)
    try self.init(limits, trust, clock, Libcurl.shared, variables: ProcessInfo.processInfo.environment)
    #else
    self.init(try URLSessionHTTPClient(limits, trust: trust, clock: clock))
    #endif
  }

  #if os(Linux)
  /// - Parameter library: nil if no usable libcurl is found.
  convenience init(
    _ limits: HTTPLimits, _ trust: ServerTrust, _ clock: any AuthenticationClock,
    _ library: @autoclosure @escaping @Sendable () -> Libcurl?, variables: [String: String]
  ) throws(AuthenticationError) {
    let logsKeys = variables["SSLKEYLOGFILE"]?.isEmpty == false
    let environment = try NetworkEnvironment(variables, keepsKeys: !logsKeys || library()?.canKeepKeys == true)
    self.init(try CurlHTTPClient(library, limits: limits, trust: trust, environment: environment, clock: clock))
  }
  #endif

  private init(_ transport: any HTTPClient) { self.transport = transport }

  /// Sends the request with the platform's library.
  ///
  /// - Throws: see ``HTTPClient``.
  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    try await transport.send(request)
  }
}

extension AuthenticationError {
  static let proxyDomain = "proxy"

  /// Whether a proxy has refused the connection: it would refuse the next one as well.
  var isProxyRefusal: Bool { self.cause?.domain == Self.proxyDomain }

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
}
