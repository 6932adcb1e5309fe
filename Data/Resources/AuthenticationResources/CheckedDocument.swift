import AuthenticationData
import AuthenticationDomain
import Foundation

/// A JSON object of a server that is not trusted: a member of a wrong type is a fault, also where it is optional. One that
/// is null or an empty text counts as missing. Each fault names the document and the member, and quotes nothing.
struct CheckedDocument: Sendable {
  /// The largest, in bytes.
  static let maximumSize = 512 << 10

  let name: String
  let members: JSONMembers

  /// - Parameters:
  ///   - response: with one of these statuses.
  ///   - name: of the document, for an error.
  ///   - statuses: those of a response that has the document.
  /// - Throws: ``AuthenticationError/security`` with the reason `metadata` unless it is a JSON object of at most
  ///   ``maximumSize``; for 429 and 5xx ``AuthenticationError/rateLimited`` and ``AuthenticationError/serverFailed``.
  init(
    _ response: HTTPResponse, _ name: String, statuses: Set<Int> = [200], now: Date
  ) throws(AuthenticationError) {
    self.name = name
    if response.status == 429 || response.status >= 500 { throw HTTPErrorMapper.map(response, now: now) }
    guard statuses.contains(response.status), !response.isFromOtherOrigin else {
      throw .document(name, "could not be fetched (HTTP \(response.status))")
        .with(\.cause, AuthenticationError.Cause(domain: "HTTP", code: response.status))
    }
    guard response.body.count <= Self.maximumSize else {
      throw .document(name, "is longer than \(Self.maximumSize) bytes")
    }
    guard response.isJSON, let members = JSONMembers(json: response.body) else {
      throw .document(name, "is not a JSON object")
    }
    self.members = members
  }

  private func value(_ member: String) -> JSONValue? {
    guard let value = members.values[member], value != .null, value != "" else { return nil }
    return value
  }

  /// Nil if there is no such member.
  ///
  /// - Parameter longest: in bytes.
  func text(_ member: String, atMost longest: Int = 4_096) throws(AuthenticationError) -> String? {
    guard let value = value(member) else { return nil }
    guard let text = value.text else { throw fault(member, "is not a text") }
    guard text.utf8.count <= longest else { throw fault(member, "is longer than \(longest) bytes") }
    return text
  }

  func required(_ member: String) throws(AuthenticationError) -> String {
    guard let text = try text(member) else { throw fault(member, "is missing") }
    return text
  }

  /// The texts of an array; nil if there is no such member.
  func texts(_ member: String) throws(AuthenticationError) -> [String]? {
    guard let value = value(member) else { return nil }
    guard case .array(let elements) = value, elements.allSatisfy({ $0.text != nil }) else {
      throw fault(member, "is not a list of texts")
    }
    return elements.compactMap(\.text)
  }

  /// False if there is no such member.
  func flag(_ member: String) throws(AuthenticationError) -> Bool {
    switch value(member) {
    case nil: false
    case .boolean(let value): value
    default: throw fault(member, "is neither true nor false")
    }
  }

  /// Whole seconds since 1970, or a length of time; nil if there is no such member.
  func number(_ member: String) throws(AuthenticationError) -> Double? {
    guard let value = value(member) else { return nil }
    guard let number = value.number, number.isFinite, number >= 0 else { throw fault(member, "is not a number from 0") }
    return number
  }

  /// An https URL, or one of this machine if `allowsLoopback`; nil if there is no such member.
  func url(_ member: String, allowsLoopback: Bool) throws(AuthenticationError) -> URL? {
    guard let text = try text(member) else { return nil }
    guard let url = URL(string: text), let origin = Origin(url), url.fragment() == nil,
      origin.scheme == "https" || allowsLoopback && origin.isLoopback
    else { throw fault(member, "is not an https URL without user info and fragment") }
    return url
  }

  func fault(_ member: String, _ reason: String, check: FailureReason = .metadata) -> AuthenticationError {
    .document(name, "is refused: '\(member)' \(reason)", check: check)
  }

  /// Throws the fault of a member that points to where nothing may be sent.
  func check(_ url: URL, of member: String, by rule: PublicAddressRule) async throws(AuthenticationError) {
    do throws(AuthenticationError) { try await rule.check(url) } catch {
      guard [.security, .insecureConnection].contains(error) else { throw error }
      throw fault(member, "points to an address that is not public", check: .address)
    }
  }
}

extension HTTPClient {
  /// Sends a request for a document of this name. One that is too long for the transport is refused as the document is.
  func document(_ name: String, by request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    do throws(AuthenticationError) { return try await send(request) } catch {
      throw error == .responseTooLarge ? .document(name, "is longer than \(CheckedDocument.maximumSize) bytes") : error
    }
  }
}

extension AuthenticationError {
  fileprivate static func document(_ name: String, _ reason: String, check: FailureReason = .metadata) -> Self {
    refused(by: check, "The \(name) \(reason).")
  }
}
