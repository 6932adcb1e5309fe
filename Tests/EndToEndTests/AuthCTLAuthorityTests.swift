#if os(Linux)
import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

/// An authority that the system does not trust.
@Suite(.serialized) struct AuthCTLAuthorityTests {
  let authctl: AuthCTL
  let folder = TemporaryFolder()

  init() throws { authctl = try AuthCTL() }

  private var certificate: String { folder.url.appending(path: "certificate.pem").path }

  /// Runs the line while a server with that certificate listens, and answers everything with a page.
  private func outcome(_ line: String) async throws -> AuthCTL.Outcome {
    try await authctl.shell(
      """
      cd '\(folder.url.path)'
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out certificate.pem 2>openssl.log || exit 99
      mkfifo input output
      openssl s_server -accept 127.0.0.1:0 -cert certificate.pem -key key.pem -www <input >output 2>&1 &
      server=$!
      exec 3>input 4<output
      while read -r word address <&4; do [ "$word" != ACCEPT ] || break; done
      cat <&4 >/dev/null &
      issuer=https://127.0.0.1:${address##*:}
      \(line)
      status=$?
      kill $server
      exit $status
      """)
  }

  private static let login = #""$0" login --issuer $issuer --client-id app --flow device --json"#

  private func code(_ outcome: AuthCTL.Outcome) throws -> String? { try outcome.events().last?["code"] }

  @Test(arguments: [
    "", "SSL_CERT_FILE= ", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt ",
  ]) func `is refused unless the user names it`(variable: String) async throws {
    let outcome = try await outcome(variable + Self.login)
    #expect(outcome.status == 7, "\(outcome.err)")
    #expect(try code(outcome) == "insecure_connection")
  }

  @Test(arguments: [
    ("SSL_CERT_FILE=certificate.pem ", ""), ("SSL_CERT_DIR=. ", ""), ("SSL_CERT_DIR=/etc/ssl:. ", ""),
    ("", " --ca-file certificate.pem"), ("SSL_CERT_FILE=/none ", " --ca-file ./certificate.pem"),
  ]) func `is trusted where the user names it`(variable: String, option: String) async throws {
    let outcome = try await outcome(variable + Self.login + option)
    // Its page is no metadata.
    #expect(try code(outcome).map { $0 != "insecure_connection" && $0 != "usage" } == true, "\(outcome.err)")
  }

  @Test(arguments: ["SSL_CERT_FILE=/none", "SSL_CERT_FILE=key.pem", "SSL_CERT_DIR=/none"])
  func `that cannot be read is exit 64, named`(variable: String) async throws {
    let outcome = try await outcome(variable + " " + Self.login)
    #expect(outcome.status == 64, "\(outcome.err)")
    #expect(outcome.err.contains(String(variable.prefix { $0 != "=" })), "\(outcome.err)")
  }
}
#endif
