package import AuthenticationData
package import AuthenticationDomain
package import Foundation

/// The redirect with which the browser returned; only its form is checked (RFC 6749 §4.1.2).
///
/// A fragment is ignored: no response is requested in one (RFC 9700 §2.1.2), and issuers add an empty one so that a
/// browser does not keep an older one (RFC 9700 §4.1.3).
package struct AuthorizationResponse: Sendable, Redacted {
  /// The URL without its query.
  package let address: String
  package let parameters: [String: String]

  /// The longest query, in bytes.
  static let longest = 64 << 10

  /// Throws ``AuthenticationError/security`` with the reason `redirect` if the query is too long, is not
  /// form-encoded, or contains a parameter twice (RFC 6749 §3.1).
  package init(_ callback: URL) throws(AuthenticationError) {
    let whole = callback.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") }
    let address = whole.prefix { $0 != UInt8(ascii: "?") }
    let query = whole.dropFirst(address.count + 1)
    guard query.count <= Self.longest else { throw .refused(by: .redirect, "The redirect's query is too long.") }
    guard let fields = FormBody(decoding: query)?.fields else {
      throw .refused(by: .redirect, "The redirect's query is not form-encoded.")
    }
    var parameters: [String: String] = [:]
    for (name, value) in fields {
      guard parameters.updateValue(value, forKey: name) == nil else {
        throw .refused(by: .redirect, "The redirect names a parameter twice.")
      }
    }
    self.address = String(decoding: address, as: UTF8.self)
    self.parameters = parameters
  }

  /// Nil if it is missing or empty.
  package var state: String? { parameters["state"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Why a response without a state cannot be used: anyone could have sent it. An error without one is the issuer's
  /// fault, which was sent a state and must return it (RFC 6749 §4.1.2.1).
  package var faultWithoutState: AuthenticationError {
    parameters["error"].map(AuthenticationError.errorWithoutState(naming:)) ?? .unknownState
  }
}

extension AuthenticationError {
  package static let otherRedirect = refused(
    by: .redirect, "The redirect came to another address than the one asked for.")

  /// - Parameter code: of the response.
  static func errorWithoutState(naming code: String) -> Self {
    refused(
      by: .errorWithoutState,
      "The issuer answered with an error but without the 'state' it was sent, so that it is unknown which sign-in it is for.",
      suggestion: "This is a fault of the provider (RFC 6749 §4.1.2.1): tell it, and begin the sign-in again."
    ).with(\.providerCode, HTTPErrorMapper.plainToken(code))
  }
}

extension URL {
  /// Returns the endpoint with these parameters appended to its own (RFC 6749 §3.1).
  package func appending(_ parameters: FormBody) throws(AuthenticationError) -> URL {
    let text = absoluteString
    let separator = !text.contains("?") ? "?" : text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&"
    guard let url = URL(string: text + separator + parameters.encoded) else {
      throw AuthenticationError(.unexpectedResponse, "The authorization endpoint is not a URL.")
    }
    return url
  }
}

extension FormBody {
  /// Nil unless the query is `application/x-www-form-urlencoded` (RFC 6749 appendix B): each `%` begins two hexadecimal
  /// digits, and the bytes are UTF-8. Empty parts are skipped.
  package init?(decoding query: some Collection<UInt8>) {
    self.init()
    for piece in query.split(separator: UInt8(ascii: "&")) {
      let name = piece.prefix { $0 != UInt8(ascii: "=") }
      guard let decodedName = Self.decode(name), let value = Self.decode(piece.dropFirst(name.count + 1))
      else { return nil }
      add(decodedName, value)
    }
  }

  private static func decode(_ bytes: some Collection<UInt8>) -> String? {
    let bytes = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(validating: bytes, as: UTF8.self)?.removingPercentEncoding
  }
}
