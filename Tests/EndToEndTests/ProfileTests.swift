import ArgumentParser
import AuthenticationKit
import Foundation
import Testing

@testable import AuthCTLCommands

@Suite struct ProfileTests {
  @Test func `settings that were written name the same session`() throws {
    let written = """
      {"provider":"api","settings":{"base-url":"https://api.example.com"},"allowedOrigins":[],"storage":"file"}
      """
    let profile = try JSONDecoder().decode(Profile.self, from: Data(written.utf8))
    #expect(profile.settings[.baseURL] == "https://api.example.com")
    #expect(profile.realm == "api https://api.example.com")
    let again = try JSONDecoder().decode(Profile.self, from: JSONEncoder().encode(profile))
    #expect(again == profile)
  }

  @Test func `a kind of provider that this program does not know is refused before anything is sent`() throws {
    let profile = Profile(
      provider: "strange", settings: ["base-url": "https://a.example"], storage: .file)
    #expect(throws: AuthenticationError.invalidConfiguration("")) {
      try profile.configuration(secret: nil) { _ in }
    }
  }

  @Test(arguments: [
    ["--provider", "api"], ["--provider", "strange"], ["--base-url"],
  ])
  func `a provider without its options, or an unknown one, is a wrong call`(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try ProviderOptions.parse(arguments) }
  }

  @Test func `api goes without saying`() throws {
    let options = try ProviderOptions.parse(["--base-url", "https://api.example.com"])
    #expect(options.kind.name == "api")
    #expect(options.isUsed)
    #expect(try !ProviderOptions.parse([]).isUsed)
  }
}
