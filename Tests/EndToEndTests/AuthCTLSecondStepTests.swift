import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Second steps at vendors, within the same command.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AuthCTLSecondStepTests {
  private static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

  let authctl: AuthCTL

  init() throws { authctl = try AuthCTL() }

  private func firebase(_ server: LoopbackFirebase) async throws -> [String] {
    [
      "login", "--provider", "firebase", "--api-key", "api-key", "--endpoint",
      try await server.start().absoluteString, "--username", "ada@example.com", "--password-stdin", "--json",
    ]
  }

  @Test func `Firebase is asked for a text message to a fictional number, without a proof of the app`() async throws {
    var options = LoopbackFirebase.Options()
    options.fictionalNumbers = ["+15550002222"]
    let server = LoopbackFirebase(options)
    server.addAccount(
      email: "ada@example.com", password: "correct horse", factorPhone: "+15550002222", factorName: "Work")
    let outcome = try await authctl.run(try await firebase(server), typing: "correct horse\n") { line in
      AuthCTL.value("kind", in: line) == "sms" ? server.messages.last?.code : nil
    }
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(try outcome.events().first?["destination"] == "+*******2222")
  }

  @Test func `where Firebase wants a proof of the app it says so`() async throws {
    let server = LoopbackFirebase()
    server.addAccount(email: "ada@example.com", password: "correct horse", factorPhone: "+15550002222")
    let outcome = try await authctl.run(try await firebase(server), input: "correct horse\n")
    #expect(outcome.status == 4)
    #expect(outcome.failures == ["captcha_required"])
    #expect(server.traffic.requests(on: "mfaSignIn:start").count == 1)
  }

  @Test func `a choice has the name of the factor and the masked number`() async throws {
    let server = LoopbackFirebase()
    server.addAccount(
      email: "ada@example.com", password: "correct horse", factorSecret: Self.secret, factorPhone: "+15550002222",
      factorName: "Work")
    let login = try await firebase(server)
    let script = try await authctl.run(login, input: "correct horse\n")
    #expect(script.status == 4)
    #expect(script.out.contains(#""kind":"sms","label":"Work""#))
    #expect(script.out.contains(#""destination":"+*******2222""#))
    let printed = try await authctl.run(login.filter { $0 != "--json" }, input: "correct horse\n")
    #expect(printed.err.contains("sms to +*******2222 (Work)"))
  }

  @Test func `Supabase's numbers are masked here`() async throws {
    let server = LoopbackSupabase()
    server.addAccount(
      email: "ada@example.com", password: "correct horse", factorSecret: Self.secret, factorPhone: "+15550002222")
    let outcome = try await authctl.run(
      "login", "--provider", "supabase", "--url", try await server.start().absoluteString, "--anon-key", "anon-key",
      "--username", "ada@example.com", "--password-stdin", "--json", input: "correct horse\n")
    #expect(outcome.out.contains(#""destination":"•••• 22""#) && outcome.out.contains(#""label":"phone""#))
    #expect(!outcome.out.contains("5550002222"))
  }

  /// Its issuer ends with a slash, which the option here lacks. The second line asks at once, as the clock would later.
  @Test func `Auth0 by a push, which is approved while the command runs`() async throws {
    let server = LoopbackAuth0()
    server.addAccount(
      .init(
        subject: "auth0|1", username: "ada", password: "correct horse", name: "Ada Lovelace",
        email: "ada@example.com"),
      hasPhoneFactor: true)
    let url = try await server.start().absoluteString
    server.traffic.set(
      .body(#"[{"id":"push|1","authenticator_type":"oob","oob_channel":"auth0","active":true,"name":"Ada's phone"}]"#),
      on: "mfa/authenticators")
    server.traffic.set(.body(#"{"challenge_type":"oob","oob_code":"oob-1"}"#), on: "mfa/challenge")
    server.traffic.set(.error("authorization_pending"), on: "token mfa-oob")
    let outcome = try await authctl.run(
      [
        "login", "--provider", "auth0", "--domain", "tenant.eu.auth0.com", "--client-id", "app", "--endpoint",
        url.hasSuffix("/") ? String(url.dropLast()) : url, "--method", "password", "--username", "ada@example.com",
        "--password-stdin", "--json",
      ], typing: "correct horse\n\n"
    ) { line in
      guard AuthCTL.value("kind", in: line) == "approval" else { return nil }
      await server.traffic.waitForRequest(on: "token mfa-oob")
      server.traffic.set(
        .body(#"{"access_token":"token","refresh_token":"refresh","token_type":"Bearer","expires_in":3600}"#),
        on: "token mfa-oob")
      return ""
    }
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(try outcome.events().map { $0["event"] } == ["challenge", "signed_in"], "it is asked for once")
    #expect(try outcome.events().first?["destination"] == "Ada's phone")
  }
}
