import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends the calls of Identity Toolkit and of the token service.
struct FirebaseService: Sendable {
  let project: FirebaseProject
  let client: any HTTPClient
  let clock: any AuthenticationClock
  private let toolkit: ServiceURL
  private let tokens: ServiceURL

  init(
    _ project: FirebaseProject, client: any HTTPClient, clock: any AuthenticationClock
  ) throws(AuthenticationError) {
    let isPlausible = { (byte: UInt8) in (0x21...0x7E).contains(byte) }
    guard !project.apiKey.isEmpty, project.apiKey.utf8.allSatisfy(isPlausible) else {
      throw .invalid("apiKey", "is empty or has characters that no key has")
    }
    if let tenant = project.tenantID, tenant.isEmpty { throw .invalid("tenantID", "is empty") }
    if let url = project.continueURL { _ = try ServiceURL(url, key: "continueURL", allowsPath: true) }
    if let endpoint = project.endpoint {
      let base = try ServiceURL(endpoint, key: "endpoint").origin
      toolkit = try ServiceURL("\(base)/identitytoolkit.googleapis.com", key: "endpoint", allowsPath: true)
      tokens = try ServiceURL("\(base)/securetoken.googleapis.com", key: "endpoint", allowsPath: true)
    } else {
      toolkit = try ServiceURL("https://identitytoolkit.googleapis.com", key: "endpoint")
      tokens = try ServiceURL("https://securetoken.googleapis.com", key: "endpoint")
    }
    self.project = project
    self.client = client
    self.clock = clock
  }

  /// Calls an operation such as `v1/accounts:signUp`.
  ///
  /// - Parameter errors: what the codes of a refusal mean here.
  func call(
    _ operation: String, _ body: [String: JSONValue?], errors: [String: AuthenticationError]
  ) async throws(AuthenticationError) -> (body: JSONMembers, response: HTTPResponse) {
    var body = body.compactMapValues(\.self)
    if let tenant = project.tenantID { body["tenantId"] = .string(tenant) }
    let request = try toolkit.post(operation, query: ["key": project.apiKey], headers: try await headers(), body)
    return try await send(request, errors)
  }

  /// Exchanges a refresh token (RFC 6749 §6).
  func refresh(_ token: RefreshToken) async throws(AuthenticationError) -> (body: JSONMembers, response: HTTPResponse) {
    let form = FormBody(["grant_type": "refresh_token", "refresh_token": token.value.reveal()])
    var headers = try await headers()
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    var request = try tokens.request(.post, "v1/token", query: ["key": project.apiKey], headers: headers)
    request.body = Data(form.encoded.utf8)
    return try await send(request, FirebaseErrors.refresh)
  }

  private func send(
    _ request: HTTPRequest, _ errors: [String: AuthenticationError]
  ) async throws(AuthenticationError) -> (body: JSONMembers, response: HTTPResponse) {
    let response = try await client.send(request)
    guard response.isSuccess else { throw FirebaseErrors.map(response, in: errors, now: clock.now) }
    let body = try JSONMembers(response)
    // `signInWithIdp` reports a refusal inside a success.
    if let message = body["errorMessage"] {
      throw VendorErrorMapper.map(FirebaseErrors.code(message), in: errors, response, now: clock.now)
    }
    return (body, response)
  }

  private func headers() async throws(AuthenticationError) -> HTTPHeaders {
    var headers: HTTPHeaders = [:]
    headers["X-Firebase-Locale"] = project.language
    headers["X-Ios-Bundle-Identifier"] = project.bundleID
    if let appCheckToken = project.appCheckToken {
      headers["X-Firebase-AppCheck"] = try await appCheckToken().reveal()
    }
    return headers
  }
}
