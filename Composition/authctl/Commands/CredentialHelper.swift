import ArgumentParser
import AuthenticationKit
import Foundation

/// How a program that needs a token asks for it, and is told: `token --format`.
enum TokenFormat: String, CaseIterable, ExpressibleByArgument {
  case plain, header, kubectl, git, docker, aws

  /// Whether the program adds what it wants done as a last word.
  private var hasOperations: Bool { self == .git || self == .docker }

  /// - Parameter operation: the last word of the command line.
  func check(_ operation: String?) throws {
    if self == .aws {
      throw ValidationError(
        "--format aws: AWS takes an access key and a secret, and a provider's token is neither: give it to 'aws sts "
          + "assume-role-with-web-identity'.")
    }
    guard hasOperations == (operation != nil) else {
      throw ValidationError(
        hasOperations
          ? "--format \(rawValue) takes the helper's operation as a last word, such as 'get'."
          : "'\(operation ?? "")' is not expected: only --format git and docker take an operation.")
    }
  }

  /// Whether the operation asks for a token. The others store or erase what is kept here anyway: nothing is done.
  func asks(_ operation: String?) -> Bool { operation == nil || operation == "get" }

  /// Reads what the program wants the token for.
  ///
  /// - Returns: the server; nil if the format names none.
  /// - Throws: `ValidationError` if it asks in a version that is not known here.
  func request() throws -> CredentialRequest {
    switch self {
    case .plain, .header, .aws: .anyServer
    case .kubectl: .cluster(apiVersion: try Self.execVersion())
    case .git: .server(Self.gitServer())
    case .docker: .server(Self.input().trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  /// The version in which kubectl wants its answer (Kubernetes, client.authentication.k8s.io).
  private static func execVersion() throws -> String {
    let group = "client.authentication.k8s.io"
    guard let info = ProcessInfo.processInfo.environment["KUBERNETES_EXEC_INFO"], !info.isEmpty else {
      return "\(group)/v1"
    }
    let asked = try? BoundedJSON.decode([String: JSONValue].self, from: Data(info.utf8))
    guard let version = asked?["apiVersion"]?.text, ["\(group)/v1", "\(group)/v1beta1"].contains(version) else {
      throw ValidationError("KUBERNETES_EXEC_INFO asks for another version than \(group)/v1 and v1beta1.")
    }
    return version
  }

  /// The URL in the lines `name=value` of git-credential(1), which end with an empty one.
  private static func gitServer() -> String {
    var values: [Substring: Substring] = [:]
    for line in input().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { break }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    return "\(values["protocol"] ?? "")://\(values["host"] ?? "")"
  }

  /// What the program writes: at most 64 KiB, as git has it.
  private static func input() -> String {
    String(decoding: (try? FileHandle.standardInput.read(upToCount: 1 << 16)) ?? Data(), as: UTF8.self)
  }
}

/// What a credential helper is asked for.
enum CredentialRequest {
  case anyServer
  case cluster(apiVersion: String)
  /// The server's URL as the program wrote it.
  case server(String)

  /// Whether a token for these origins may be sent there.
  func isAllowed(_ origins: Set<Origin>) -> Bool {
    guard case .server = self else { return true }
    return origin.map(origins.contains) ?? false
  }

  /// Of the server; nil if none is named.
  var origin: Origin? {
    guard case .server(let text) = self else { return nil }
    // Docker leaves out the scheme of a registry.
    return URL(string: text.contains("://") ? text : "https://\(text)").flatMap(Origin.init)
  }

  /// The helper's whole output.
  func output(_ token: AccessToken, as format: TokenFormat) -> String {
    let secret = token.value.reveal()
    switch (self, format) {
    case (.cluster(let version), _):
      let status: JSONObject = ["token": secret, "expirationTimestamp": token.expiresAt]
      return (["apiVersion": version, "kind": "ExecCredential", "status": status] as JSONObject).line ?? ""
    case (.server(let url), .docker):
      return (["ServerURL": url, "Username": Self.userName, "Secret": secret] as JSONObject).line ?? ""
    case (.server, _):
      let expiry = token.expiresAt.map { "\npassword_expiry_utc=\(Int($0.timeIntervalSince1970))" } ?? ""
      return "username=\(Self.userName)\npassword=\(secret)\(expiry)"
    case (.anyServer, .header): return "Authorization: \(token.authorization.reveal())"
    case (.anyServer, _): return secret
    }
  }

  /// Servers that take a token in place of a password ignore the name, or want this one.
  private static let userName = "oauth2"
}
