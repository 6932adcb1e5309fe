#if Tools
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite struct AuthCTLDoctorTests {
  private func examined(
    _ change: (LoopbackOpenIDIssuer) -> Void = { _ in }
  ) async throws -> (outcome: AuthCTL.Outcome, levels: [String: String]) {
    let loopback = LoopbackOpenIDIssuer()
    let identifier = try await loopback.start()
    change(loopback)
    let outcome = try await AuthCTL().run("doctor", "--issuer", identifier, "--json")
    let findings = try outcome.events().filter { $0["event"] == "finding" }
    return (outcome, Dictionary(findings.map { ($0["check"] ?? "", $0["level"] ?? "") }) { max($0, $1) })
  }

  @Test func `doctor finds nothing wrong with a faultless issuer`() async throws {
    let (outcome, levels) = try await examined()
    #expect(outcome.status == 0 && outcome.err.isEmpty)
    let checks = [
      "tls", "discovery", "issuer", "clock", "endpoint", "responses", "grants", "pkce", "par", "iss", "scopes",
      "clients", "dpop", "sign-out", "algorithms", "keys",
    ]
    #expect(levels == Dictionary(uniqueKeysWithValues: checks.map { ($0, "ok") }))
    let last = try #require(try outcome.events().last)
    #expect(last["event"] == "summary" && last["problems"] == "0" && last["ok"] == "17")
  }

  @Test(arguments: ["organizations", "72f988bf-86f1-41af-91ab-2d7cd011db47", "contoso.com"])
  func `doctor knows that Entra's metadata stands for many issuers`(tenant: String) async throws {
    let id = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    let entra = try await LoopbackOpenIDIssuer.entra(authority: tenant, tenant: id)
    let options = [
      "doctor", "--json", "--provider", "entra", "--tenant", tenant, "--client-id", "app", "--allow-tenant", id,
      "--endpoint", entra.entraEndpoint,
    ]
    let authctl = try AuthCTL()
    let outcome = try await authctl.run(options)
    #expect(outcome.status == 0, "\(outcome.out)")
    entra.quirks.metadata["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0"
    #expect(try await authctl.run(options).status == 7)
  }

  @Test func `doctor tells users a line per finding`() async throws {
    let loopback = LoopbackOpenIDIssuer()
    let identifier = try await loopback.start()
    loopback.quirks.metadata = ["code_challenge_methods_supported": .absent]
    let outcome = try await AuthCTL().run("doctor", "--issuer", identifier)
    #expect(outcome.status == 0)
    let lines = outcome.out.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("ok       discovery   The metadata") })
    #expect(lines.contains { $0.hasPrefix("warning  pkce        The issuer does not say") })
  }

  @Test func `doctor warns where the issuer leaves things unsaid`() async throws {
    let (outcome, levels) = try await examined { issuer in
      issuer.quirks.sendsDate = false
      issuer.quirks.metadata = [
        "code_challenge_methods_supported": .absent, "authorization_response_iss_parameter_supported": .absent,
        "id_token_signing_alg_values_supported": .absent, "revocation_endpoint": .absent,
        "scopes_supported": ["openid"], "token_endpoint_auth_methods_supported": ["client_secret_basic"],
      ]
    }
    #expect(outcome.status == 0)
    for check in ["pkce", "iss", "algorithms", "scopes", "clients", "clock", "sign-out"] {
      #expect(levels[check] == "warning")
    }
  }

  // RFC 8414 §2
  @Test func `doctor explains a missing list of client authentication methods, at both endpoints`() async throws {
    let (outcome, levels) = try await examined { issuer in
      issuer.quirks.metadata = [
        "token_endpoint_auth_methods_supported": .absent, "revocation_endpoint_auth_methods_supported": .absent,
      ]
    }
    #expect(outcome.status == 0)
    #expect(levels["clients"] == "warning" && levels["sign-out"] == "warning")
    let lines = outcome.out.split(separator: "\n").filter { $0.contains("client_secret_basic (RFC 8414 §2)") }
    #expect(lines.count == 2, "\(outcome.out)")
    let (listed, listedLevels) = try await examined { issuer in
      issuer.quirks.metadata = ["revocation_endpoint_auth_methods_supported": ["client_secret_post"]]
    }
    #expect(listedLevels["sign-out"] == "warning" && listedLevels["clients"] == "ok")
    #expect(listed.out.contains("does not say that it does so for public clients"))
  }

  @Test(arguments: [
    ("issuer", "issuer", "https://evil.example"), ("endpoint", "token_endpoint", "http://id.example.com/token"),
  ])
  func `doctor refuses an unsafe issuer or endpoint, rules 13 and 14`(
    _ check: String, _ member: String, _ value: String
  ) async throws {
    let (outcome, levels) = try await examined { $0.quirks.metadata = [member: .string(value)] }
    #expect(outcome.status == 7)
    #expect(levels[check] == "problem")
    #expect(!outcome.out.contains(value), "an answer is not quoted")
  }

  @Test func `doctor names keys, algorithms and a PKCE that nothing can be done with`() async throws {
    let (outcome, levels) = try await examined { issuer in
      issuer.quirks.keySet = .keySetOf512Bits
      issuer.quirks.metadata = [
        "code_challenge_methods_supported": ["plain"], "id_token_signing_alg_values_supported": ["none", "HS256"],
      ]
    }
    #expect(outcome.status == 7)
    for check in ["keys", "algorithms", "pkce"] { #expect(levels[check] == "problem") }
  }

  @Test func `doctor measures the clock`() async throws {
    let (outcome, levels) = try await examined { $0.quirks.clockOffset = .seconds(3_600) }
    #expect(levels["clock"] == "problem" && outcome.status == 7)
    let offset = try Int(outcome.events().last?["clock_offset"] ?? "") ?? 0
    #expect((-3_660 ... -3_540).contains(offset))
  }

  @Test func `doctor tells no response from one that is not the issuer's`() async throws {
    let loopback = LoopbackOpenIDIssuer()
    let identifier = try await loopback.start()
    loopback.set(.usual(.html), on: .discovery)
    let command = try AuthCTL()
    let page = try await command.run("doctor", "--issuer", identifier, "--json")
    #expect(page.status == 1)
    await loopback.stop()
    let stopped = try await command.run("doctor", "--issuer", identifier, "--json")
    #expect(stopped.status == 5)
    #expect(stopped.err.split(separator: "\n").count == 1)
    #expect(try await command.run("doctor", "--issuer", "http://id.example.com").status == 64)
  }

  @Test func `doctor fails without keys, but for a plain OAuth issuer`() async throws {
    let (outcome, levels) = try await examined { $0.quirks.metadata = ["jwks_uri": .absent] }
    #expect(levels["keys"] == "problem" && outcome.status == 7)
    let (plain, plainLevels) = try await examined { issuer in
      issuer.quirks.metadata = [
        "jwks_uri": .absent, "scopes_supported": ["email"], "id_token_signing_alg_values_supported": .absent,
      ]
    }
    #expect(plainLevels["keys"] == "warning" && plainLevels["scopes"] == "warning" && plain.status == 0)
  }

  @Test func `doctor counts a single thing as one`() async throws {
    let (outcome, _) = try await examined()
    #expect(outcome.out.contains("Of 1 key, 1 can"))
  }

  @Test func `doctor says where the keys cannot be fetched`() async throws {
    let (outcome, levels) = try await examined { $0.set(.usual(.status(503)), on: .keys) }
    #expect(levels["keys"] == "problem" && outcome.status == 5)
  }
}
#endif
