#if os(macOS) || os(Linux)
import AuthenticationData
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@testable import AuthenticationResources

/// Documents that a server, or one in its place, may send.
@Suite(.timeLimit(.minutes(10))) struct ResourceMetadataTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    let document: String
    let member: String
    let value: JSONValue?
    var testDescription: String { "\(member) of the \(document)" }

    init(_ document: String, _ member: String, _ value: JSONValue?) {
      (self.document, self.member, self.value) = (document, member, value)
    }
  }

  static let resource = "protected resource metadata"
  static let server = "authorization server metadata"
  static let registration = "registration response"

  static let faults: [Fault] = [
    Fault(resource, "resource", nil), Fault(resource, "resource", 7),
    Fault(resource, "resource", "https://other.example.com/mcp"), Fault(resource, "authorization_servers", nil),
    Fault(resource, "authorization_servers", []), Fault(resource, "authorization_servers", "https://id.example.com"),
    Fault(resource, "authorization_servers", ["http://id.example.com"]), Fault(resource, "authorization_servers", [1]),
    Fault(resource, "bearer_methods_supported", ["query"]), Fault(resource, "resource_policy_uri", 1),
    Fault(resource, "scopes_supported", "notes.read"), Fault(resource, "dpop_bound_access_tokens_required", "yes"),
    Fault(server, "issuer", nil), Fault(server, "issuer", "https://other.example.com"), Fault(server, "issuer", true),
    Fault(server, "authorization_endpoint", nil), Fault(server, "authorization_endpoint", "https://10.0.0.1/"),
    Fault(server, "token_endpoint", "https://192.168.0.1/"), Fault(server, "jwks_uri", "https://[fd00::1]/keys"),
    Fault(server, "registration_endpoint", "https://id.localhost/"),
    Fault(server, "device_authorization_endpoint", "https://169.254.169.254/"),
    Fault(resource, "authorization_servers", ["https://10.0.0.1"]),
    Fault(server, "token_endpoint", nil), Fault(server, "token_endpoint", "http://other.example.com/token"),
    Fault(server, "token_endpoint", 1), Fault(server, "authorization_endpoint", "javascript:alert(1)"),
    Fault(server, "registration_endpoint", "ftp://example.com"), Fault(server, "registration_endpoint", []),
    Fault(server, "code_challenge_methods_supported", nil),
    Fault(server, "code_challenge_methods_supported", ["plain"]),
    Fault(server, "protected_resources", ["https://other.example.com"]), Fault(server, "scopes_supported", 3),
    Fault(server, "authorization_response_iss_parameter_supported", "true"),
    Fault(server, "client_id_metadata_document_supported", 1),
    Fault(server, "response_modes_supported", "query"), Fault(server, "userinfo_endpoint", "http://example.com"),
    Fault(registration, "client_id", .string(String(repeating: "x", count: 5_000))),
    Fault(registration, "scope", 1), Fault(registration, "client_id", nil), Fault(registration, "client_id", 5),
    Fault(registration, "client_id", ""),
    Fault(registration, "redirect_uris", ["https://other.example.com/callback"]),
    Fault(registration, "redirect_uris", "x"), Fault(registration, "grant_types", ["implicit"]),
    Fault(registration, "response_types", ["token"]),
    Fault(registration, "token_endpoint_auth_method", "tls_client_auth"),
    Fault(registration, "token_endpoint_auth_method", "client_secret_basic"),
    Fault(registration, "client_id", "café"), Fault(registration, "client_id", "a\u{1B}b"),
    Fault(registration, "registration_access_token", "a b"), Fault(registration, "client_secret_expires_at", "soon"),
    Fault(registration, "registration_client_uri", "file:///etc"),
  ]

  @Test(arguments: faults) func `a faulty member is named, and nothing is stored or sent on`(fault: Fault) async throws
  {
    let bench = try await ResourceBench {
      switch fault.document {
      case Self.resource: $0.resourceMetadata = [fault.member: fault.value]
      case Self.server: $0.serverMetadata = [fault.member: fault.value]
      default: $0.registration = [fault.member: fault.value]
      }
    }
    let root = try bench.root()
    let error = await #expect(throws: AuthenticationError.self) { try await root.signIn() }
    #expect(error == .security)
    #expect(error?.message.contains(fault.document) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("'\(fault.member)'") == true, "\(error?.message ?? "")")
    #expect(!bench.server.traffic.operations.contains("authorization"))
    #expect(fault.document == Self.registration || bench.server.clients.isEmpty)
    #expect(try bench.clients.all().isEmpty)
    #expect(root.currentUser == nil)
  }

  @Test(
    arguments: [
      ["grant_types": .null, "response_types": .null, "token_endpoint_auth_method": ""],
      ["client_secret": "", "token_endpoint_auth_method": "none"], ["client_secret_expires_at": ""],
      ["scope": "", "registration_client_uri": "", "registration_access_token": .null, "redirect_uris": .null],
    ] as [[String: JSONValue]])
  func `a member that says nothing is as if it were missing`(members: [String: JSONValue]) async throws {
    let bench = try await ResourceBench {
      $0.registration = members.mapValues { $0 }
      $0.resourceMetadata = ["resource_policy_uri": "", "scopes_supported": "", "jwks_uri": .null]
      $0.serverMetadata = ["jwks_uri": "", "device_authorization_endpoint": .null, "scopes_supported": ""]
    }
    let root = try bench.root()
    try await root.signIn()
    #expect(try await bench.call(root) == 200)
  }

  @Test func `a page in place of a document is refused, and a server that fails is one that fails`() async throws {
    for operation in ["resource metadata", "server metadata"] {
      let bench = try await ResourceBench()
      bench.server.traffic.set(.body("<html>", contentType: "text/html"), on: operation)
      await #expect(throws: AuthenticationError.security, "\(operation)") { try await bench.root().signIn() }
      bench.server.traffic.set(.body("{}", status: 503), on: operation)
      await #expect(throws: AuthenticationError.serverFailed, "\(operation)") { try await bench.root().signIn() }
    }
  }

  @Test(arguments: ["resource metadata", "server metadata", "register"])
  func `a document that is too long, too deep or elsewhere is named, and nothing is stored`(operation: String)
    async throws
  {
    let bench = try await ResourceBench()
    let other = try await ResourceBench()
    let deep = #"{"issuer":"# + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "}"
    let faults: [VendorFault] = [
      .body(#"{"issuer":""# + String(repeating: "x", count: 600 << 10) + "\"}"),
      .body(#"{"issuer":""# + String(repeating: "x", count: 3 << 20) + "\"}"), .body(deep), .body("[]"), .body("{"),
      .body("{}", status: 302, headers: ["Location": other.server.address.absoluteString]),
    ]
    let name = [
      "resource metadata": Self.resource, "server metadata": Self.server, "register": Self.registration,
    ][operation]
    for fault in faults {
      bench.server.traffic.set(fault, on: operation)
      let error = await #expect(throws: AuthenticationError.self) { try await bench.root().signIn() }
      #expect(error == .security && error?.message.contains(name ?? "-") == true, "\(error?.message ?? "")")
    }
    #expect(other.server.traffic.operations.isEmpty)
    #expect(try bench.clients.all().isEmpty)
  }

  @Test func `a registration that is kept is found again by its issuer`() async throws {
    let bench = try await ResourceBench()
    try await bench.root().signIn()
    #expect(try bench.clients.all().map(\.clientID) == bench.server.clients)
  }

  @Test func `of several authorization servers one that is in order is taken`() async throws {
    let bench = try await ResourceBench()
    let broken = try await ResourceBench { $0.serverMetadata = ["issuer": "https://other.example.com"] }
    bench.server.options.resourceMetadata = [
      "authorization_servers": [.string(broken.origin), .string(bench.origin)]
    ]
    let root = try bench.root()
    try await root.signIn()
    #expect(try await bench.call(root) == 200)
    #expect(broken.server.clients.isEmpty)
  }

  @Test func `metadata at another origin than the resource's is not fetched`() async throws {
    let other = try await ResourceBench()
    let bench = try await ResourceBench {
      $0.namesMetadata = false
      $0.challengedScopes = ["x\", resource_metadata=\"\(other.server.address)"]
    }
    await #expect(throws: AuthenticationError.security) { try await bench.root().signIn() }
    #expect(other.server.traffic.operations.isEmpty)
  }

  @Test func `a resource above the address is taken only where the app allows it`() async throws {
    let bench = try await ResourceBench()
    let origin = bench.server.address.deletingLastPathComponent().absoluteString
    bench.server.options.resourceMetadata = ["resource": .string(origin)]
    await #expect(throws: AuthenticationError.security) { try await bench.root().signIn() }
    try await bench.root { $0.acceptsParentResource = true }.signIn()
    #expect(bench.fields("authorization").last?["resource"] == origin)
  }

  @Test(arguments: [
    ("8.8.8.8", true), ("10.1.2.3", false), ("100.64.0.1", false), ("127.0.0.1", false), ("169.254.169.254", false),
    ("172.16.0.1", false), ("172.32.0.1", true), ("192.168.1.1", false), ("198.18.0.1", false), ("224.0.0.1", false),
    ("0.0.0.0", false), ("255.255.255.255", false), ("2606:4700::1111", true), ("::1", false), ("fe80::1", false),
    ("fd00::1", false), ("::ffff:10.0.0.1", false), ("::ffff:8.8.8.8", true), ("64:ff9b::a00:1", false),
    ("64:ff9b::808:808", true), ("2002:0a00:0001::1", false), ("2001:db8::1", false), ("::", false),
    ("192.0.0.9", false), ("192.0.2.1", false), ("192.31.196.1", false), ("192.52.193.1", false),
    ("192.88.99.1", false), ("192.175.48.1", false), ("198.51.100.1", false), ("203.0.113.1", false),
    ("240.0.0.1", false), ("2001:1::1", false), ("2001:2::1", false), ("2001:3::1", false), ("2001:10::1", false),
    ("2001:20::1", false), ("2001:30::1", false), ("2001:1ff::1", false), ("2001:200::1", true),
    ("2001:4860:4860::8888", true), ("2620:4f:8000::1", false), ("2620:4f:8001::1", true), ("3fff::1", false),
    ("5f00::1", false), ("64:ff9b:1::1", false), ("100::1", false), ("100:0:0:1::1", false), ("ff02::1", false),
    ("fec0::1", false), ("::8.8.8.8", false), ("2002:c058:6301::1", false), ("192.88.98.1", true),
  ])
  func `an address of special use is not public`(address: String, isPublic: Bool) throws {
    #expect(try #require(NetworkAddress(literal: address)).isPublic == isPublic)
  }

  @Test func `a name that resolves to a private address is not asked`() async throws {
    let names = ["inside.example.com": "10.0.0.1", "outside.example.com": "8.8.8.8"]
    let rule = PublicAddressRule(allowsLoopback: false) { host in
      names[host].flatMap { NetworkAddress(literal: $0) }.map { [$0] } ?? []
    }
    try await rule.check(try #require(URL(string: "https://outside.example.com/")))
    for url in [
      "https://inside.example.com/", "https://127.0.0.1/", "https://localhost/", "https://[::1]/",
      "https://localhost./",
      "https://id.localhost/", "https://ID.LOCALHOST./", "https://127.0.0.1./", "https://[fe80::1%25eth0]/",
      "https://[2606:4700::1111%25eth0]/", "https://127%2e0.0.1/",
    ] {
      await #expect(throws: AuthenticationError.security, "\(url)") {
        try await rule.check(try #require(URL(string: url)))
      }
    }
    await #expect(throws: AuthenticationError.insecureConnection) {
      try await rule.check(try #require(URL(string: "http://outside.example.com/")))
    }
  }
}
#endif
