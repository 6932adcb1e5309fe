package import AuthenticationDomain
public import Foundation

/// An HTTP request as a value (RFC 9110). Its descriptions show neither the query, nor header values, nor the body.
///
/// ```swift
/// var request = HTTPRequest(.post, url, headers: ["Content-Type": "application/json"], body: Data("{}".utf8))
/// request.isIdempotent = true  // it carries an idempotency key
/// let response = try await root.apiClient.send(request)
/// ```
public struct HTTPRequest: Sendable, Hashable {
  /// The request method (RFC 9110 §9).
  public var method: HTTPMethod
  /// Absolute: https, or http to this machine.
  public var url: URL
  /// Sent unchanged; a line break in one is refused before anything is sent.
  public var headers: HTTPHeaders
  /// The bytes to send; nil sends none.
  public var body: Data?
  /// Whether it may be sent again although the server may have processed it: after a lost response, a timeout or a 5xx.
  /// True for the idempotent methods (RFC 9110 §9.2.2); set it if the server recognizes repeated requests (an
  /// idempotency key), and clear it if they do something twice all the same.
  ///
  /// It says nothing about a request that was certainly not processed (a 401 with a challenge,
  /// ``AuthenticationError/unreachable``): any such request may be sent once more.
  public var isIdempotent: Bool
  /// The session whose token is attached, for the client that proves each sending (RFC 9449 §7); nil for another
  /// origin. It is not sent, appears in no description, and does not count when two requests are compared.
  package var session: AuthSession? {
    get { attachment.session }
    set { attachment.session = newValue }
  }
  private var attachment = Attachment()

  /// Creates a request; nothing is sent.
  ///
  /// - Parameters:
  ///   - method: such as `.get`.
  ///   - url: an absolute address.
  ///   - headers: sent as they are.
  ///   - body: the bytes to send; nil for none.
  ///   - isIdempotent: see ``isIdempotent``; by default, whether the method is.
  public init(
    _ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: Data? = nil, isIdempotent: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.isIdempotent = isIdempotent ?? method.isIdempotent
  }
}

/// Any two are equal.
private struct Attachment: Sendable, Hashable {
  var session: AuthSession?

  static func == (lhs: Self, rhs: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// A request method; an open set.
public enum HTTPMethod: Sendable, Hashable {
  /// The usual ones (RFC 9110 §9.3, RFC 5789).
  case get, head, options, post, put, patch, delete
  /// Any other method, as it is sent. Use the case where there is one: `.other("PUT")` is not equal
  /// to ``put``, and does not count as idempotent.
  case other(String)

  package init(rawValue: String) {
    let known: [Self] = [.get, .head, .options, .post, .put, .patch, .delete]
    self = known.first { $0.rawValue == rawValue } ?? .other(rawValue)
  }

  /// In the case in which it is sent: methods are compared with case (RFC 9110 §9.1).
  public var rawValue: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .options: "OPTIONS"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .other(let name): name
    }
  }

  /// Whether it only reads (RFC 9110 §9.2.1).
  var isSafe: Bool { self == .get || self == .head || self == .options }

  /// Whether sending it twice is meant to do the same as sending it once (RFC 9110 §9.2.2).
  var isIdempotent: Bool { isSafe || self == .put || self == .delete || rawValue == "TRACE" }
}

/// Prints as its first line and the names of its headers.
protocol HTTPMessage: CustomStringConvertible, CustomReflectable {
  var summary: String { get }
  var headers: HTTPHeaders { get }
}

extension HTTPMessage {
  public var description: String { summary }
  public var customMirror: Mirror { Mirror(self, children: ["message": summary, "headers": headers]) }
}

extension HTTPRequest: HTTPMessage {
  var summary: String { "\(method.rawValue) \(url.withoutSecrets)" }
}

extension URL {
  /// Scheme, host and path: a query or a fragment may carry a code, and user info a password.
  var withoutSecrets: String {
    let port = port.map { ":\($0)" } ?? ""
    return "\(scheme ?? "")://\(host() ?? "")\(port)\(path())"
  }
}

extension HTTPRequest {
  /// The check of every transport before it sends anything; returns where the request goes.
  ///
  /// Throws ``AuthenticationError/insecureConnection`` for a URL that is neither https nor to this machine, and
  /// ``AuthenticationError/invalidRequest`` for an invalid method, host or header field.
  func checkedOrigin() throws(AuthenticationError) -> Origin {
    guard let origin = Origin(url), origin.isSecure else { throw .insecure(self) }
    guard method.rawValue.isToken, origin.host.isPlainHost, headers.areSendable, !framesItself else {
      throw .malformed(origin)
    }
    return origin
  }

  /// Whether the request itself sets where its body ends: only the transport may do so (RFC 9112 §6). A correct length
  /// is allowed.
  private var framesItself: Bool {
    headers.fields.contains { field in
      if field.name.equalsIgnoringCase("Content-Length") { return field.value.reveal() != "\(body?.count ?? 0)" }
      return field.name.equalsIgnoringCase("Transfer-Encoding") || field.name.equalsIgnoringCase("Expect")
    }
  }
}

extension HTTPHeaders {
  /// Whether no field contains a line break, which would begin another field (RFC 9110 §5.5).
  fileprivate var areSendable: Bool {
    fields.allSatisfy { field in
      field.name.isToken && !field.value.reveal().utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    }
  }
}

extension String {
  /// Only letters, digits, `-._~`, and `[:]` of an address: every parser reads these as the same host.
  fileprivate var isPlainHost: Bool { utf8.allSatisfy { $0.isLetterOrDigit || "-._~[]:".utf8.contains($0) } }
}

extension StringProtocol {
  /// A token of RFC 9110 §5.6.2.
  package var isToken: Bool {
    !isEmpty && utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }
}

extension UInt8 {
  /// A space or a tab (RFC 9110 §5.6.3).
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  var isDigit: Bool { (0x30...0x39).contains(self) }

  fileprivate var isLetterOrDigit: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) }
}

extension AuthenticationError {
  fileprivate static func malformed(_ origin: Origin) -> Self {
    Self(
      .invalidRequest,
      """
      Not sent to \(origin): a method, host or header's name that is none, a line break in a value, or a field that \
      says how the message is sent.
      """,
      suggestion: "Check where its value comes from; leave Content-Length, Transfer-Encoding and Expect away.")
  }

  fileprivate static func insecure(_ request: HTTPRequest) -> Self {
    Self(
      .insecureConnection, "Not sent: \(request.url.withoutSecrets) is neither https nor on this machine.",
      suggestion: "Use an https URL.")
  }
}

/// Parameters in the form `application/x-www-form-urlencoded` (RFC 6749 appendix B), in their order.
package struct FormBody: Sendable {
  package private(set) var fields: [(name: String, value: String)] = []

  package init(_ fields: KeyValuePairs<String, String?> = [:]) {
    for (name, value) in fields { add(name, value) }
  }

  /// Adds a parameter; nil adds nothing.
  package mutating func add(_ name: String, _ value: String?) { if let value { fields.append((name, value)) } }

  package var encoded: String {
    fields.map { Self.encode($0.name) + "=" + Self.encode($0.value) }.joined(separator: "&")
  }

  /// Keeps letters, digits, `*`, `-`, `.` and `_`; a space becomes `+`; all other bytes are percent-encoded.
  package static func encode(_ text: String) -> String {
    (text.addingPercentEncoding(withAllowedCharacters: plain) ?? "").replacing("%20", with: "+")
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")
}

extension FormBody: Redacted {}

extension HTTPRequest {
  /// Creates the request that posts a form; responses are expected as JSON.
  package init(posting form: FormBody, to url: URL) {
    self.init(
      .post, url, headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
      body: Data(form.encoded.utf8))
  }
}
