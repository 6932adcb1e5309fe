public import AuthenticationDomain

/// One way in which a backend refuses, and the error that it means: by status, by any member of the JSON body, or both.
///
/// ```swift
/// contract.refusals = [
///   APIRefusal(.accountExists, at: "data.email.code", is: "not_unique"),
///   APIRefusal(.weakPassword(), at: "errors.password"),
///   APIRefusal(.userDisabled, status: 423),
/// ]
/// ```
public struct APIRefusal: Sendable {
  private let error: AuthenticationError
  private let status: Int?
  private let path: String?
  private let value: JSONValue?

  fileprivate var readsBody: Bool { path != nil }

  /// Describes a refusal; all that is given must hold.
  ///
  /// - Parameters:
  ///   - error: what it means; ``AuthenticationError/invalidCredentials`` means a wrong code where a code was sent.
  ///   - status: the status of the response; by default any from 400 to 499.
  ///   - path: the path of a member of the body, as in ``HTTPResponse/value(at:)``; by default the body is not read.
  ///   - value: what that member, or one element of its array, is; by default it may be anything but `null`.
  public init(
    _ error: AuthenticationError, status: Int? = nil, at path: String? = nil, is value: JSONValue? = nil
  ) {
    self.error = error
    self.status = status
    self.path = path
    self.value = value
  }

  /// The error, with the backend's code if this names one; nil if the response is another one.
  func error(of response: HTTPResponse, _ body: JSONValue?) -> AuthenticationError? {
    guard status.map({ $0 == response.status }) ?? (400...499).contains(response.status) else { return nil }
    guard let path else { return error }
    guard let found = body?.value(at: path) else { return nil }
    guard let value else { return error }
    var elements = [found]
    if case .array(let several) = found { elements += several }
    guard elements.contains(value) else { return nil }
    var error = error
    error.providerCode = value.text.flatMap(VendorErrorMapper.sanitized)
    return error
  }
}

extension [APIRefusal] {
  /// The error of the first that matches.
  ///
  /// - Parameter readingBody: whether those count alone that read the body.
  func error(of response: HTTPResponse, readingBody: Bool = false) -> AuthenticationError? {
    if isEmpty { return nil }
    let body = response.json
    return lazy.filter { !readingBody || $0.readsBody }.compactMap { $0.error(of: response, body) }.first
  }
}
