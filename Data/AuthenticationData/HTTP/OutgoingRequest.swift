import AuthenticationDomain

/// What every transport checks of a request before it sends anything.
struct OutgoingRequest {
  let request: HTTPRequest
  let origin: Origin

  /// Throws ``AuthenticationError/Code/insecureConnection`` for a URL that is neither https nor to this machine, and
  /// ``AuthenticationError/Code/invalidRequest`` for an invalid method, host or header field.
  init(_ request: HTTPRequest) throws(AuthenticationError) {
    guard let origin = Origin(request.url), origin.isSecure else { throw .insecure(request) }
    guard request.method.rawValue.isToken, origin.host.isPlainHost, request.headers.areSendable,
      request.framesItself == false
    else { throw .malformed(origin) }
    self.request = request
    self.origin = origin
  }
}

extension HTTPRequest {
  /// Whether the request itself sets where its body ends: only the transport may do so (RFC 9112 §6). A correct length
  /// is allowed.
  fileprivate var framesItself: Bool {
    headers.fields.contains { field in
      if field.name.equalsIgnoringCase("Content-Length") { return field.value != "\(body?.count ?? 0)" }
      return field.name.equalsIgnoringCase("Transfer-Encoding") || field.name.equalsIgnoringCase("Expect")
    }
  }
}

extension HTTPHeaders {
  /// Whether no field contains a line break, which would begin another field (RFC 9110 §5.5).
  fileprivate var areSendable: Bool {
    fields.allSatisfy { field in
      field.name.isToken && !field.value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    }
  }
}

extension String {
  /// Only letters, digits, `-._~`, and `[:]` of an address: every parser reads these as the same host.
  fileprivate var isPlainHost: Bool {
    utf8.allSatisfy { $0.isLetterOrDigit || "-._~[]:".utf8.contains($0) }
  }
}

extension StringProtocol {
  /// A token of RFC 9110 §5.6.2.
  var isToken: Bool {
    !isEmpty && utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
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
