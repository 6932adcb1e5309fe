import ArgumentParser
import AuthenticationKit
import Foundation

/// How a program that needs a token asks for it, and is told: `token --format`.
enum TokenFormat: String, CaseIterable, ExpressibleByArgument {
  case plain, header, kubectl, git, docker, aws

  /// Whether the program adds the action as a last word.
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

  /// Whether the operation asks for something. The others store or erase tokens that are kept here anyway: nothing is
  /// done.
  func asks(_ operation: String?) -> Bool {
    operation == nil || operation == "get" || self == .docker && operation == "list"
  }

  /// Reads the server that the program wants the token for.
  ///
  /// - Throws: `ValidationError` if it asks in a version that is not known here.
  func request(_ operation: String?) throws -> CredentialRequest {
    switch self {
    case .plain, .header, .aws: return .anyServer
    case .kubectl: return try Self.cluster()
    case .git: return Self.gitServer()
    case .docker where operation == "list": return .list
    case .docker:
      let text = Self.input().trimmingCharacters(in: .whitespacesAndNewlines)
      // Docker leaves out the scheme of a registry.
      return .server(text, URL(unambiguous: text.contains("://") ? text : "https://\(text)"))
    }
  }

  /// The version in which kubectl wants the response, and the cluster where it names one (Kubernetes,
  /// client.authentication.k8s.io: `provideClusterInfo`).
  private static func cluster() throws -> CredentialRequest {
    let group = "client.authentication.k8s.io"
    guard let info = ProcessInfo.processInfo.environment["KUBERNETES_EXEC_INFO"], !info.isEmpty else {
      return .cluster(apiVersion: "\(group)/v1", nil)
    }
    let asked = JSONMembers(json: Data(info.utf8))
    guard let version = asked?["apiVersion"], ["\(group)/v1", "\(group)/v1beta1"].contains(version) else {
      throw ValidationError("KUBERNETES_EXEC_INFO asks for another version than \(group)/v1 and v1beta1.")
    }
    let cluster = asked?.members("spec")?.members("cluster")
    return .cluster(apiVersion: version, cluster.map { .init($0["server"]) })
  }

  /// The URL in the lines `name=value` of git-credential(1), which end with an empty one. None is read from lines that
  /// another program could read in another way: one that comes twice, a host with a path.
  private static func gitServer() -> CredentialRequest {
    var values: [Substring: Substring] = [:]
    for line in input().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { break }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let isSecond = ["protocol", "host", "path"].contains(parts[0]) && values[parts[0]] != nil
      if isSecond || parts[0] == "url" { return .server("", nil) }
      values[parts[0]] = parts[1]
    }
    let server = "\(values["protocol"] ?? "")://\(values["host"] ?? "")"
    guard URL(unambiguous: server)?.path() == "" else { return .server(server, nil) }
    // git has decoded the path.
    let path = (values["path"] ?? "").addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    return .server(server, URL(string: "\(server)/\(path)"))
  }

  /// The input of the program: at most 64 KiB, as git has it.
  private static func input() -> String {
    String(decoding: (try? FileHandle.standardInput.read(upToCount: 1 << 16)) ?? Data(), as: UTF8.self)
  }
}

/// The request to a credential helper.
enum CredentialRequest {
  struct Cluster {
    let url: URL?

    init(_ server: String?) { url = server.flatMap { URL(unambiguous: $0) } }
  }

  case anyServer
  /// The cluster is nil if it was not named.
  case cluster(apiVersion: String, Cluster?)
  /// The server as the program wrote it, and its URL; nil for a text that is none, or could be read in another way.
  case server(String, URL?)
  /// Every server.
  case list

  /// Whether a token for these origins may be sent there.
  func isAllowed(_ origins: Set<Origin>, _ limit: PathLimit? = nil) -> Bool {
    switch self {
    case .server, .cluster(_, .some): url.map { url in isIn(origins, url) && limit?.allows(url) ?? true } ?? false
    case .anyServer, .cluster, .list: true
    }
  }

  private func isIn(_ origins: Set<Origin>, _ url: URL) -> Bool { Origin(url).map(origins.contains) ?? false }

  private var url: URL? {
    switch self {
    case .server(_, let url): url
    case .cluster(_, let cluster): cluster?.url
    case .anyServer, .list: nil
    }
  }

  /// Of the server; nil if none is named.
  var origin: Origin? { url.flatMap(Origin.init) }

  /// Tells the program that there is nothing for the server. A helper of git is silent; docker continues without
  /// credentials for its own sentence alone.
  func refuse(as format: TokenFormat, _ console: Console) throws {
    if case .cluster = self { throw AuthenticationError.clusterNotAllowed }
    guard format == .docker else { return }
    console.out("credentials not found in native keychain")
    throw ExitStatus.unexpected.exitCode
  }

  /// The servers that docker may ask a token for, with the user name.
  static func list(_ origins: some Sequence<Origin>) -> String {
    JSONObject(Dictionary(origins.map { ($0.description, userName) }) { $1 }).line ?? "{}"
  }

  /// The helper's whole output.
  func output(_ token: AccessToken, as format: TokenFormat) -> String {
    let secret = token.value.reveal()
    switch (self, format) {
    case (.cluster(let version, _), _):
      let status: JSONObject = ["token": secret, "expirationTimestamp": token.expiresAt]
      return (["apiVersion": version, "kind": "ExecCredential", "status": status] as JSONObject).line ?? ""
    case (.server(let name, _), .docker):
      return (["ServerURL": name, "Username": Self.userName, "Secret": secret] as JSONObject).line ?? ""
    case (.server, _):
      let expiry = token.expiresAt.map { "\npassword_expiry_utc=\(Int($0.timeIntervalSince1970))" } ?? ""
      return "username=\(Self.userName)\npassword=\(secret)\(expiry)"
    case (_, .header): return "Authorization: \(token.authorization.reveal())"
    case (.anyServer, _), (.list, _): return secret
    }
  }

  /// Servers that take a token in place of a password ignore the name, or want this one.
  private static let userName = "oauth2"
}

extension AuthenticationError {
  fileprivate static let clusterNotAllowed = Self(
    .originNotAllowed, "The cluster that kubectl names is not one of the origins that may have the token.")
}

extension URL {
  /// Nil for a text in which programs could read different servers: `https://good/@evil`, `https://good\\@evil`.
  fileprivate init?(unambiguous text: String) {
    guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), !text.contains(where: { "@\\?#".contains($0) }) else {
      return nil
    }
    self.init(string: text)
  }
}
