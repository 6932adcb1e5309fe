#if os(Linux)
import AuthenticationTesting
import Foundation

@testable import AuthenticationData

/// A certificate that signs itself, made by the `openssl` command for one run.
struct TestCertificate: Sendable {
  static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
  /// For 127.0.0.1 and localhost.
  static let usual = Result { try Self(names: "DNS:localhost,IP:127.0.0.1") }
  /// Names its host in the subject only.
  static let nameless = Result { try Self(names: nil) }

  static let foreign = Result { try Self(names: "DNS:other.example.com,IP:127.0.0.9") }

  let certificate: URL
  let key: URL
  let pem: Data

  private init(names: String?) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "certificate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "certificate.pem")
    key = folder.appending(path: "key.pem")
    let names = names.map { "-addext subjectAltName=\($0)" } ?? ""
    try Self.run(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \(names) \
      -keyout '\(key.path)' -out '\(certificate.path)'
      """)
    pem = try Data(contentsOf: certificate)
  }

  /// The pin as RFC 7469's appendix computes it.
  func pin() throws -> String {
    let command = """
      openssl x509 -in '\(certificate.path)' -pubkey -noout | openssl pkey -pubin -outform der |
      openssl dgst -sha256 -binary | openssl base64 -A
      """
    return String(decoding: try Self.run(command), as: UTF8.self)
  }

  func publicKeyInfo() throws -> Data {
    try Self.run("openssl x509 -in '\(certificate.path)' -pubkey -noout | openssl pkey -pubin -outform der")
  }

  var trust: ServerTrust { ServerTrust(roots: pem) }

  @discardableResult
  private static func run(_ command: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.runAlone()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return data
  }
}
#endif
