import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// `authctl` with several APIs, each with a separate token from one login.
@Suite(.serialized) struct AuthCTLResourceTests {
  private static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
  private static let orders = "https://orders.example.com"
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer
  /// An API on another origin than the issuer.
  let api: LoopbackOpenIDIssuer

  init() async throws {
    authctl = try AuthCTL()
    var options = LoopbackOpenIDIssuer.Options()
    options.resources = [Self.orders, "urn:bills"]
    issuer = LoopbackOpenIDIssuer(options)
    try await issuer.start()
    api = LoopbackOpenIDIssuer()
    try await api.start()
  }

  private func audience(_ token: String) throws -> String {
    let payload = String(token.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
    let padded = payload + String(repeating: "=", count: (4 - payload.count % 4) % 4)
    let claims = try JSONSerialization.jsonObject(with: Data(base64Encoded: padded) ?? Data()) as? [String: Any]
    return claims?["aud"] as? String ?? ""
  }

  @Test func `each API gets its own token from one login, and no other origin does`() async throws {
    let login = try await authctl.login(
      issuer, "--resource", "\(Self.orders)=\(api.entraEndpoint)", "--resource", "urn:bills=https://bills.example.com")
    #expect(login.status == 0, "\(login.err)")
    let page = try #require(issuer.requests(on: .authorization).last?.query)
    #expect(page.contains("resource=https%3A%2F%2Forders.example.com") && page.contains("resource=urn%3Abills"))

    #expect(try audience(try await authctl.run("token").out) == issuer.identifier)
    let token = try await authctl.run("token", "--resource", Self.orders)
    #expect(token.status == 0, "\(token.err)")
    #expect(try audience(token.out) == Self.orders)
    #expect(try await authctl.run("token", "--resource", Self.orders).out == token.out, "it is kept")
    #expect(try audience(try await authctl.run("token", "--resource", "urn:bills").out) == "urn:bills")
    #expect(issuer.tokenRequests(for: "refresh_token").count == 2 && issuer.counters.reusesDetected == 0)

    // This API knows no token: the one it refuses is replaced once.
    #expect(try await authctl.run("request", api.url(.resource).absoluteString).status == 8)
    let taken = api.requests(on: .resource).compactMap { $0.header("Authorization")?.dropFirst("Bearer ".count) }
    #expect(taken.count == 2 && taken.first.map { "\($0)\n" } == token.out)
    for sent in taken { #expect(try audience(String(sent)) == Self.orders) }
    let own = try await authctl.run("request", issuer.url(.resource).absoluteString)
    #expect(own.status == 0)
    let sent = try #require(issuer.requests(on: .resource).last?.header("Authorization"))
    #expect(try audience(String(sent.dropFirst("Bearer ".count))) == issuer.identifier)

    let status = try await authctl.run("status", "--json")
    #expect(status.out.contains(#""origin":"https://bills.example.com","resource":"urn:bills"}"#), "\(status.out)")
    #expect(status.out.contains(#""expires_at""#))
    #expect(try await authctl.run("status").out.contains("resource: urn:bills at https://bills.example.com"))
    let git = try await authctl.run(
      ["token", "--format", "git", "get"], input: "protocol=http\nhost=\(api.entraEndpoint.dropFirst(7))\n\n")
    #expect(git.out.contains("password=\(taken.last ?? "")\n"))
  }

  @Test func `an undeclared resource is a usage error, and the issuer's refusal of a resource keeps the session`()
    async throws
  {
    _ = try await authctl.login(issuer, "--resource", "\(Self.orders)=https://orders.example.com")
    #expect(try await authctl.run("token", "--resource", "https://other.example.com").status == 64)
    issuer.set(.error("invalid_target"), on: .token)
    let refused = try await authctl.run("token", "--resource", Self.orders, "--json")
    #expect(refused.status == 4)
    #expect(refused.failures == ["resource_refused"])
    #expect(try await authctl.run("status").status == 0)
  }

  @Test(arguments: [
    ["orders"], ["=https://a.example"], ["https://a.example="], ["https://a.example=http://a.example"],
    ["https://a.example=https://a.example/path"], ["a b=https://a.example"],
    ["urn:a=https://a.example", "urn:a=https://b.example"],
    ["urn:a=https://a.example", "urn:b=https://A.example:443/"],
  ])
  func `a resource that is written wrongly is a usage error`(resources: [String]) async throws {
    let words = ["login", "--issuer", issuer.identifier, "--client-id", "app", "--no-browser"]
    #expect(try await authctl.run(words + resources.flatMap { ["--resource", $0] }).status == 64)
  }

  @Test func `a provider with one token for all takes no resource`() async throws {
    let outcome = try await authctl.run(
      "login", "--provider", "api", "--base-url", "https://api.example.com", "--resource", "urn:a=https://a.example",
      "--username", "ada", "--password-stdin", input: "x\n")
    #expect(outcome.status == 64)
    #expect(outcome.err.contains("--resource"))
  }

  @Test func `a 403 names the scopes that the token lacks`() async throws {
    _ = try await authctl.login(issuer)
    let outcome = try await authctl.run("request", issuer.url(.scopedResource).absoluteString)
    #expect(outcome.status == 8)
    #expect(outcome.err.contains("The token lacks: notes:write."))
    _ = try await authctl.login(issuer, "--scope", "openid offline_access notes:write")
    #expect(try await authctl.run("request", issuer.url(.scopedResource).absoluteString).status == 0)
  }

  private func entra() async throws -> LoopbackOpenIDIssuer {
    var settings = LoopbackOpenIDIssuer.Options.entra(authority: Self.tenant)
    settings.resources = ["api://notes", "api://mail"]
    settings.resourceNaming = .scopes
    let entra = LoopbackOpenIDIssuer(settings)
    try await entra.start()
    entra.speakAsEntra(tenant: Self.tenant)
    return entra
  }

  private func login(_ entra: LoopbackOpenIDIssuer) async throws -> AuthCTL.Outcome {
    try await authctl.run([
      "login", "--provider", "entra", "--tenant", Self.tenant, "--client-id", "app", "--endpoint", entra.entraEndpoint,
      "--no-browser", "--json", "--resource", "api://mail=https://mail.example.com", "--scope",
      "openid offline_access api://notes/Read",
    ]) { line in
      guard let page = AuthCTL.value("url", in: line).flatMap(URL.init(string:)),
        let landing = try await entra.visit(page)
      else { return }
      _ = try await SystemHTTPClient().send(HTTPRequest(.get, landing))
    }
  }

  @Test func `at Entra a refresh that needs the user keeps the session, and a login of the same user goes on`()
    async throws
  {
    let entra = try await entra()
    let first = try await login(entra)
    #expect(first.status == 0, "\(first.err)")
    #expect(try audience(try await authctl.run("token", "--resource", "api://mail").out) == "api://mail")
    for body in [
      #"{"error":"interaction_required","error_description":"AADSTS50076"}"#, #"{"error":"consent_required"}"#,
      #"{"error":"invalid_grant","suberror":"basic_action"}"#,
    ] {
      entra.set(.body(body, status: 400), on: .token)
      let refused = try await authctl.run("token", "--min-ttl", "100000")
      #expect(refused.status == 3, "\(refused.err)")
      let status = try await authctl.run("status", "--json")
      #expect(status.status == 0)
      #expect(try status.events().first?["state"] == "stale")
      #expect(try status.events().first?["reason"] == "interaction_required")
    }
    entra.set(nil, on: .token)
    #expect(try await login(entra).status == 0)
    #expect(try await authctl.run("status", "--json").events().first?["state"] == "signed_in")
  }

  @Test func `at Entra a consent that is missing for one API is exit 3 for that alone`() async throws {
    let entra = try await entra()
    _ = try await login(entra)
    entra.set(.body(#"{"error":"invalid_grant","suberror":"consent_required"}"#, status: 400), on: .token)
    #expect(try await authctl.run("token", "--resource", "api://mail").status == 3)
    #expect(try await authctl.run("token").status == 0)
    #expect(try await authctl.run("status", "--json").events().first?["state"] == "signed_in")
  }

  @Test func `scopes are for an issuer and for Entra`() async throws {
    let outcome = try await authctl.run(
      "login", "--provider", "google", "--client-id", "app", "--scope", "openid", "--no-browser")
    #expect(outcome.status == 64)
  }
}
