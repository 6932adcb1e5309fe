import AuthenticationData
public import AuthenticationDomain
public import Foundation

/// A token that the platform of a workload gives to it, such as Kubernetes or GitHub Actions: it is read anew for each
/// use, since the platform replaces it.
///
/// ```swift
/// let token = WorkloadToken.file("/var/run/secrets/tokens/issuer")
/// ```
public struct WorkloadToken: Sendable {
  /// Says where it comes from.
  let name: String
  let read: @Sendable (any HTTPClient) async throws(AuthenticationError) -> Secret

  private static let longest = 64 << 10

  /// A token of a custom source.
  ///
  /// - Parameters:
  ///   - name: tells it from other sources, where services share a storage; no secret.
  ///   - read: returns the token; called for each use.
  public init(name: String, read: @escaping @Sendable () async throws(AuthenticationError) -> Secret) {
    self.init(name) { _ throws(AuthenticationError) in try await read() }
  }

  private init(
    _ name: String, _ read: @escaping @Sendable (any HTTPClient) async throws(AuthenticationError) -> Secret
  ) {
    self.name = name
    self.read = read
  }

  /// A file that the platform replaces, as Kubernetes does with a projected service account token.
  ///
  /// - Parameter path: the file, which holds the token and nothing else but white space around it.
  ///
  /// See [Service account token volume projection](https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/).
  public static func file(_ path: String) -> Self {
    Self("file \(path)") { _ throws(AuthenticationError) in
      guard let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: longest + 1) else {
        throw .noWorkloadToken("The file '\(path)' cannot be read.")
      }
      let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      guard let token = token(text) else { throw .noWorkloadToken("The file '\(path)' holds no token.") }
      return token
    }
  }

  /// An address of the platform that returns `{"value": "…"}`.
  ///
  /// - Parameters:
  ///   - url: an https address, or an http one of this machine.
  ///   - bearer: authorizes the request.
  public static func url(_ url: URL, bearer: Secret) -> Self {
    // A query may hold a secret.
    Self("url \(Base64URL.sha256(of: url.absoluteString))") { client throws(AuthenticationError) in
      let response = try await client.send(
        HTTPRequest(
          .get, url, headers: ["Authorization": "Bearer \(bearer.reveal())", "Accept": "application/json"]))
      guard response.status == 200, !response.isFromOtherOrigin else {
        if response.status == 429 || response.status >= 500 { throw HTTPErrorMapper.map(response, now: Date()) }
        throw .noWorkloadToken("The platform responded with HTTP \(response.status).")
      }
      guard let token = JSONMembers(json: response.body)?["value"].flatMap(token) else {
        throw .noWorkloadToken("The platform's response is no JSON object with a token as its 'value'.")
      }
      return token
    }
  }

  /// The ID token of a GitHub Actions job with the permission `id-token: write`.
  ///
  /// - Parameters:
  ///   - audience: whom the token is for (`aud`); nil for GitHub's default.
  ///   - environment: holds `ACTIONS_ID_TOKEN_REQUEST_URL` and `ACTIONS_ID_TOKEN_REQUEST_TOKEN`; by default this
  ///     process's.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` if one of them is missing.
  ///
  /// See [OpenID Connect reference](https://docs.github.com/en/actions/reference/security/oidc).
  public static func gitHubActions(
    audience: String?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(AuthenticationError) -> Self {
    guard let address = environment["ACTIONS_ID_TOKEN_REQUEST_URL"], var url = URL(string: address),
      let bearer = environment["ACTIONS_ID_TOKEN_REQUEST_TOKEN"], !bearer.isEmpty
    else {
      throw .invalidConfiguration(
        "ACTIONS_ID_TOKEN_REQUEST_URL or ACTIONS_ID_TOKEN_REQUEST_TOKEN is missing.",
        suggestion: "Give the job the permission 'id-token: write'.")
    }
    if let audience { url.append(queryItems: [URLQueryItem(name: "audience", value: audience)]) }
    let token = Self.url(url, bearer: Secret(bearer))
    return Self("github-actions \(audience ?? "")", token.read)
  }

  /// Nil unless the text is one visible word of at most 64 KiB.
  private static func token(_ text: String) -> Secret? {
    let isWord = !text.isEmpty && text.utf8.count <= longest && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isWord ? Secret(text) : nil
  }
}

extension AuthenticationError {
  fileprivate static func noWorkloadToken(_ message: String) -> Self {
    .invalidConfiguration(
      "The workload has no token. \(message)", suggestion: "Check what the platform is told to give the workload.")
  }
}
