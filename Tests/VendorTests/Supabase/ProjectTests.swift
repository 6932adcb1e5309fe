import AuthenticationDomain
import AuthenticationKit
@testable import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

/// Settings that cannot work are refused when the app is composed.
@Suite struct ProjectTests {
  func refusal(_ change: (inout SupabaseProject) -> Void) -> AuthenticationError? {
    var project = SupabaseProject(url: "https://abcdefgh.supabase.co", anonKey: "sb_publishable_x")
    change(&project)
    do throws(AuthenticationError) { _ = try MainRoot(.supabase(project)) } catch { return error }
    return nil
  }

  @Test(
    arguments: [
      "", "abcdefgh.supabase.co", "http://abcdefgh.supabase.co", "https://user:word@abcdefgh.supabase.co",
      "https://abcdefgh.supabase.co?a=b", "https://abcdefgh.supabase.co/auth/v1", "https://abcdefgh.supabase.co#a",
    ])
  func `the address of a project is an origin`(url: String) {
    let error = refusal { $0.url = url }
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("'url'") == true)
    #expect(error?.message.contains("word") == false)
  }

  @Test(arguments: ["", "a b", "a\nb", "sb_secret_x", VendorToken.make(["role": "service_role"])])
  func `a key that no app may have is refused, and not repeated`(key: String) {
    let error = refusal { $0.anonKey = key }
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("'anonKey'") == true)
    #expect(key.isEmpty || error?.description.contains(key) == false)
  }

  @Test func `a key that names the public role is taken`() {
    #expect(refusal { $0.anonKey = VendorToken.make(["role": "anon"]) } == nil)
    #expect(refusal { $0.url = "https://abcdefgh.supabase.co/" } == nil)
  }

  @Test(arguments: ["sign-in", "https://user@app.example.com/", "https://app.example.com/#a"])
  func `links lead to an absolute address`(redirect: String) {
    #expect(refusal { $0.redirectURL = redirect }?.message.contains("'redirectURL'") == true)
  }

  @Test func `links without an address to lead to, and codes of a length that there is not, are refused`() {
    #expect(refusal { $0.confirmation = .link } == .invalidConfiguration)
    #expect(refusal { $0.codeLength = 5 } == .invalidConfiguration)
    #expect(refusal { $0.codeLength = 11 } == .invalidConfiguration)
  }

  @Test(arguments: ["sb_publishable_x", "sb_other_y"])
  func `a key that is no JWT is sent as the key alone, never as a token`(key: String) async throws {
    let bench = try await SupabaseBench({ $0.anonKey = key })
    try await bench.signedIn()
    let requests = Set(bench.loopback.traffic.operations.compactMap(\.self)).flatMap(bench.loopback.traffic.requests)
    #expect(requests.allSatisfy { $0.header("apikey") == key })
    #expect(!requests.isEmpty && requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `tokens go to the project alone`() throws {
    let root = try MainRoot(.supabase(SupabaseProject(url: "https://abcdefgh.supabase.co", anonKey: "key")))
    #expect(root.allowedOrigins.map(\.description) == ["https://abcdefgh.supabase.co"])
  }
}
