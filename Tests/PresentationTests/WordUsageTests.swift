import AuthenticationDomain
import AuthenticationLanguages
import AuthenticationPresentation
import Foundation
import Testing

/// Sentences and the code that says them.
@Suite struct WordUsageTests {
  /// Their keys end with an id of a value.
  private static let families: [(prefix: String, ids: [String])] = [
    ("method.", methods), ("account.method.", methods),
    ("field.", ["user_name", "password", "phone_number", "email_address"]),
    ("password.rule.", [PasswordRule.length(1), .uppercase, .lowercase, .digit, .symbol].map(\.id)),
    ("factors.kind.", ["sms", "email", "link", "otp", "recovery", "passkey", "approval"]),
    ("session.loss.title.", [SignOutLoss.anonymousAccount.description]),
    ("session.loss.explanation.", [SignOutLoss.anonymousAccount.description]),
  ]

  private static let methods: [String] = [
    SignInMethod.password, .phoneCode, .emailCode, .emailLink, .passkey, .apple, .google, .facebook, .browser, .device,
    .anonymous, .unlock,
  ].map(\.id)

  private static let keys = Set(
    Language.everything("en").keys.map { key in
      [".one", ".other"].first { key.hasSuffix($0) }.map { String(key.dropLast($0.count)) } ?? key
    })

  /// The table of errors, and the errors that only one provider has.
  private static func codes() throws -> [String] {
    let table = try SourceFile.all(below: "Domain").flatMap { file in
      file.text.matches(of: /static let \w+ = Self\(\s*"([a-z_]+)", \./).map { String($0.1) }
    }
    let own = try SourceFile.all(below: "Data").flatMap { file in
      file.text.matches(of: /AuthenticationError\(\s*code: "([a-z_]+)"/).map { String($0.1) }
    }
    return table + own
  }

  /// Those of which a user is told no more than that something went wrong.
  private static let unexplained: Set = [
    "challenge_required", "authenticator_failed", "client_rejected", "endpoint_missing", "unexpected_response",
    "invalid_request", "response_too_large", "resource_refused", "cancelled", "access_token_refused", "superseded",
    "origin_not_allowed",
    "redirect_port_busy", "invalid_configuration", "not_configured",
  ]

  @Test func `each code has a sentence in each language, or is one that a user can do nothing about`() throws {
    let codes = try Self.codes()
    #expect(codes.count > 50)
    for language in [Language.english, .german] {
      let mute = Set(codes.filter { language.table["error.\($0)"] == nil })
      #expect(mute == Self.unexplained, "\(language.tag): \(mute.symmetricDifference(Self.unexplained))")
    }
  }

  private func said() throws -> Set<String> {
    let accounts = try SourceFile.all(below: "Composition/AuthenticationMultiAccount")
    let files = try SourceFile.all(below: "Presentation").filter { !$0.name.hasSuffix("Sentences.swift") } + accounts
    return Set(files.flatMap { $0.text.matches(of: /"([a-z_]+(?:\.[a-z_]+)+)"/).map { String($0.1) } })
  }

  @Test func `each sentence that a model or a view says is there`() throws {
    let said = try said().subtracting(Self.symbols)
    #expect(said.count > 100)
    #expect(said.subtracting(Self.keys).isEmpty)
  }

  @Test func `the catalog of any words has each sentence that is said, in every language`() throws {
    struct Catalog: Decodable {
      struct Entry: Decodable { let localizations: [String: JSONValue] }
      let strings: [String: Entry]
    }
    for (words, languages) in [(Words(), [Language.english, .german]), (Words(.polish), Language.all)] {
      let text = languages.count == 2 ? words.stringCatalog() : words.stringCatalog(of: languages)
      let strings = try JSONDecoder().decode(Catalog.self, from: Data(text.utf8)).strings
      let missing = try said().subtracting(Self.symbols).filter { key in
        !languages.allSatisfy { language in
          ["", ".other"].contains { strings[key + $0]?.localizations[language.tag] != nil }
        }
      }
      #expect(missing.isEmpty, "\(missing.sorted())")
    }
  }

  private static let symbols: Set = [
    "exclamationmark.circle", "checkmark.circle", "chevron.up.chevron.down", "terms.use", "terms.newsletter",
  ]

  @Test func `each sentence that is there is said`() throws {
    let codes = try Self.codes()
    let said = try said()
    for key in Self.keys where !said.contains(key) {
      let isOfFamily = Self.families.contains { family in
        family.ids.contains { key == family.prefix + $0 || key.hasPrefix(family.prefix + $0 + ".") }
      }
      let isOfCode = codes.contains { key == "error.\($0)" }
      #expect(isOfFamily || isOfCode, "\(key)")
    }
  }

  @Test func `no error tells a user its text for developers, whatever its code is`() {
    for key in Language.english.table.keys where key.hasPrefix("error.") {
      var error = AuthenticationError(
        code: String(key.dropFirst("error.".count)), "canary-message", suggestion: "canary-suggestion")
      error.cause = .init(domain: "canary-cause")
      error.providerCode = "canary-code"
      error.passwordRules = ["canary-rule"]
      error.requiredScopes = ["canary-scope"]
      for language in [Language.english, .german] {
        #expect(!Words(language).sentence(for: error).contains("canary"), "\(key)")
      }
    }
  }
}

extension Language {
  /// The sentences of a language.
  static func everything(_ tag: String) -> [String: String] {
    (tag == "de" ? german : english).table
  }
}
