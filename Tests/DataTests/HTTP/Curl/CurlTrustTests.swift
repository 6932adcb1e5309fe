#if os(Linux)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationData

/// Whom a client speaks TLS with.
@Suite(.serialized, .enabled(if: TestCertificate.isAvailable), .timeLimit(.minutes(10))) struct CurlTrustTests {
  static let serve: @Sendable (WireConnection) -> Void = { wire in
    while wire.readRequest() != nil { wire.send(CurlKeptConnectionTests.answer) }
  }

  func code(_ certificate: TestCertificate, _ trust: ServerTrust, host: String = "127.0.0.1") async throws
    -> AuthenticationError?
  {
    let client = try Transport.libcurl.client(trust: trust)
    return try await WireServer.run(try TestTLS(certificate), Self.serve) { server in
      let url = try #require(URL(string: "https://\(host):\(server.port)/"))
      let result = await client.result(of: HTTPRequest(.get, url))
      #expect(server.requests.count == (result.failure == nil ? 1 : 0), "nothing is sent to who is not trusted")
      return result.failure
    }
  }

  @Test func `a root of the app's is trusted, and no other client trusts it`() async throws {
    let certificate = try TestCertificate.usual.get()
    #expect(try await code(certificate, certificate.trust) == nil)
    #expect(try await code(certificate, certificate.trust, host: "localhost") == nil)
    #expect(try await code(certificate, .system) == .insecureConnection)
    #expect(
      try await code(certificate, ServerTrust(roots: try TestCertificate.nameless.get().pem)) == .insecureConnection)
  }

  @Test func `a certificate that names its host only in its subject is refused`() async throws {
    let certificate = try TestCertificate.nameless.get()
    #expect(try await code(certificate, certificate.trust, host: "localhost") == .insecureConnection)
  }

  @Test func `a certificate for another name is refused`() async throws {
    let certificate = try TestCertificate.foreign.get()
    for host in ["127.0.0.1", "localhost"] {
      #expect(try await code(certificate, certificate.trust, host: host) == .insecureConnection)
    }
  }

  @Test func `a key is pinned besides being trusted`() async throws {
    let certificate = try TestCertificate.usual.get()
    let (pin, other) = (try certificate.pin(), Data(repeating: 7, count: 32).base64EncodedString())
    #expect(try await code(certificate, ServerTrust(roots: certificate.pem, pins: [pin])) == nil)
    #expect(try await code(certificate, ServerTrust(roots: certificate.pem, pins: [other, pin])) == nil)
    #expect(try await code(certificate, ServerTrust(roots: certificate.pem, pins: [other])) == .insecureConnection)
    #expect(try await code(certificate, ServerTrust(pins: [pin])) == .insecureConnection, "a pin is no root")
  }

  @Test func `the key of a certificate is found where OpenSSL finds it`() throws {
    let certificate = try TestCertificate.usual.get()
    let der = try #require(try ServerTrust(roots: certificate.pem).validated().first)
    #expect(Certificate.publicKeyInfo(of: der) == (try certificate.publicKeyInfo()))
    for count in 0..<der.count { #expect(Certificate.publicKeyInfo(of: der.prefix(count)) == nil) }
  }

  /// The defaults of OpenSSL would hide libcurl's settings.
  private static let permissive = """
    openssl_conf = init
    [init]
    ssl_conf = ssl
    [ssl]
    system_default = defaults
    [defaults]
    MinProtocol = TLSv1
    CipherString = DEFAULT@SECLEVEL=0
    """

  @Test func `TLS 1.2 is the oldest that is offered, whatever OpenSSL's configuration allows`() async {
    await #expect(processExitsWith: .success) {
      let configuration = FileManager.default.temporaryDirectory.appending(path: "openssl-\(getpid()).cnf")
      try Data(Self.permissive.utf8).write(to: configuration)
      defer { try? FileManager.default.removeItem(at: configuration) }
      unsafe setenv("OPENSSL_CONF", configuration.path, 1)
      let hello = Mutex<[UInt8]>([])
      try await WireServer.run({ wire in
        // A record's head: type, version, length (RFC 8446 §5.1).
        guard let head = wire.read(5) else { return }
        let record = wire.read(Int(head[3]) << 8 | Int(head[4])) ?? []
        hello.withLock { $0 = record }
      }) { server in
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let result = await (try Transport.libcurl.client()).result(of: HTTPRequest(.get, url))
        #expect(result.failure == .unreachable)
      }
      // supported_versions: TLS 1.3 and 1.2 (RFC 8446 §4.2.1).
      let versions: [UInt8] = [0, 43, 0, 5, 4, 3, 4, 3, 3]
      #expect(hello.withLock { $0.firstRange(of: versions) } != nil)
    }
  }

  @Test func `no key of a connection is written to the file that SSLKEYLOGFILE names`() async {
    await #expect(processExitsWith: .success) {
      let log = FileManager.default.temporaryDirectory.appending(path: "keys-\(getpid())")
      defer { try? FileManager.default.removeItem(at: log) }
      // libcurl reads it once, when it is initialised.
      unsafe setenv("SSLKEYLOGFILE", log.path, 1)
      let certificate = try TestCertificate.usual.get()
      let client = try Transport.libcurl.client(trust: certificate.trust)
      try await WireServer.run(try TestTLS(certificate), Self.serve) { server in
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        #expect(try await client.send(HTTPRequest(.get, url)).status == 200)
      }
      #expect((try? Data(contentsOf: log)) ?? Data() == Data())
    }
  }

  @Test func `connections by TLS are kept`() async throws {
    let certificate = try TestCertificate.usual.get()
    let client = try Transport.libcurl.client(trust: certificate.trust)
    try await WireServer.run(try TestTLS(certificate), Self.serve) { server in
      for _ in 1...5 { _ = try await client.send(HTTPRequest(.get, server.url())) }
      #expect(server.connections.count == 1)
    }
  }
}
#endif
