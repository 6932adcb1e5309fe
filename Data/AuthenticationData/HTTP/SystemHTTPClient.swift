public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends requests by what the platform brings: URLSession on Apple platforms, libcurl on Linux.
///
/// ```swift
/// let client = try SystemHTTPClient(deadline: .seconds(60)).retrying()
/// let response = try await client.send(HTTPRequest(.get, url))
/// ```
///
/// It is kept from what these do by themselves: it follows no redirect, keeps no cookie, cache or credential, sends no
/// `Expect: 100-continue`, and reads no `.netrc`. Only https by TLS 1.2 or later, or http to this machine, is sent at all.
/// A request that is not ``HTTPRequest/isReplayable`` is sent once on Linux, on a connection of its own; what carries a
/// proof (`DPoP`, RFC 9449) is sent once too.
///
/// On Linux libcurl is looked up when the client is made. Where it is missing, older than 7.68 or has no TLS, and in a
/// static executable, URLSession is used, in which a server can end the process (Swift 6.3.1); ``description`` says which.
/// The variables `https_proxy`, `all_proxy` and `no_proxy` are read once, when the client is made; this machine is never
/// reached through a proxy. `SSLKEYLOGFILE` is refused, and so is a certificate that names its host only in its subject,
/// where libcurl uses OpenSSL. What OpenSSL's own configuration allows (`OPENSSL_CONF`) cannot be seen from here.
public final class SystemHTTPClient: HTTPClient, CustomStringConvertible {
  /// What carries its requests: `libcurl`, or `URLSession`.
  public let description: String
  private let transport: any HTTPClient

  private static let made = Result { () throws(AuthenticationError) in try SystemHTTPClient() }

  /// With the defaults, for all of a process's providers: what they fetch of one issuer is fetched once.
  ///
  /// - Throws: What ``init(deadline:connecting:silence:maximumBodySize:trust:clock:)`` throws.
  public static var shared: SystemHTTPClient {
    get throws(AuthenticationError) { try made.get() }
  }

  /// Connects to nothing yet.
  ///
  /// - Parameters:
  ///   - deadline: for the whole exchange, from the call to the last byte received.
  ///   - connecting: until a connection stands, TLS included. Only libcurl knows it.
  ///   - silence: how long nothing may arrive or leave; by default as long as the deadline.
  ///   - maximumBodySize: in bytes, after decoding; a longer body is refused and not kept.
  ///   - trust: which servers to speak TLS with.
  /// - Throws: ``AuthenticationError/Code/invalidConfiguration`` for a proxy variable that is malformed or contradicts
  ///   another, for roots that cannot be read, for an empty set of pins, and where the transport cannot give that trust.
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

  /// Throws what the transport throws: see ``HTTPClient``.
  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    try await transport.send(request)
  }
}

#if os(Linux)
extension SystemHTTPClient {
  /// - Parameter library: nil where there is none that can be used.
  convenience init(
    _ limits: HTTPLimits, _ trust: ServerTrust, _ clock: any AuthenticationClock, _ library: Libcurl?,
    variables: [String: String]
  ) throws(AuthenticationError) {
    let environment = try NetworkEnvironment(variables)
    if let library {
      self.init(
        try CurlHTTPClient(library, limits: limits, trust: trust, environment: environment, clock: clock), "libcurl")
    } else {
      self.init(try URLSessionHTTPClient(limits, trust: trust, clock: clock), "URLSession")
    }
  }
}
#endif
