import ArgumentParser
import AuthenticationKit
import Foundation

/// The certificate authorities that a user names, besides those of the system: in a container or without root a user
/// cannot add them there.
enum Authorities {
  /// - Parameter file: the file of `--ca-file`; nil for those of the variables that other programs read as well.
  static func trust(_ file: String?) throws -> ServerTrust {
    if let file { return try trust(Set(certificates(of: file, named: "--ca-file"))) }
    let variables = ProcessInfo.processInfo.environment
    var found: Set<String> = []
    if let file = variables["SSL_CERT_FILE"], !file.isEmpty {
      found.formUnion(try certificates(of: file, named: "SSL_CERT_FILE"))
    }
    for folder in (variables["SSL_CERT_DIR"] ?? "").split(separator: ":").map(String.init) {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
        throw ValidationError("SSL_CERT_DIR names no folder that can be read: '\(folder)'.")
      }
      for file in names.map({ "\(folder)/\($0)" }) where isFile(file) {
        // Files of other kinds may stand next to them.
        found.formUnion((try? certificates(of: file, named: "")) ?? [])
      }
    }
    return try trust(found)
  }

  /// An absolute path, which a later command in another folder finds as well.
  static func path(_ file: String) -> String { URL(filePath: file).standardizedFileURL.path(percentEncoded: false) }

  /// Reading a pipe would wait for its other end.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func trust(_ certificates: Set<String>) throws -> ServerTrust {
    certificates.isEmpty ? ServerTrust() : ServerTrust(roots: Data(certificates.sorted().joined(separator: "\n").utf8))
  }

  private static func certificates(of file: String, named option: String) throws -> [String] {
    let text = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
    let certificates = text.components(separatedBy: begin).dropFirst().compactMap { part in
      part.firstRange(of: end).map { begin + part[..<$0.upperBound] }
    }
    guard !certificates.isEmpty, (try? trust(Set(certificates)).validated()) != nil else {
      throw ValidationError("\(option) names no file of certificates (PEM) that can be read: '\(file)'.")
    }
    return certificates
  }
}

extension ProfileOptions {
  /// Sends a command's requests.
  ///
  /// - Parameter authorities: the content of the file of `--ca-file` at `login`.
  func transport(
    trusting authorities: String?, _ console: Console, maximumBodySize: Int = SystemHTTPClient.providerLimit
  ) throws -> LoggingHTTPClient<SystemHTTPClient> {
    LoggingHTTPClient(
      upstream: try SystemHTTPClient(maximumBodySize: maximumBodySize, trust: Authorities.trust(authorities)),
      console: verbose ? console : nil)
  }
}
