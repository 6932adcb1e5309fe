import AuthenticationAccountPresentation
import AuthenticationLanguages
import AuthenticationPresentation
import Foundation
import Testing

/// The languages that no native speaker has reviewed: checks without one.
@Suite struct LanguageTests {
  private static let added = Language.all.filter { !$0.isReviewed }

  /// By key; a plural has one entry, under the key without its form.
  private static let english = Language.everything("en")

  private static func stem(_ key: String) -> String {
    let parts = key.split(separator: ".")
    return PluralCategory(rawValue: String(parts.last ?? "")) == nil ? key : parts.dropLast().joined(separator: ".")
  }

  private func placeholders(_ sentence: String) -> [String] {
    sentence.matches(of: /%\d\$@/).map { String($0.0) }.sorted()
  }

  @Test func `eight languages wait for a review, and two have been read`() {
    #expect(Self.added.map(\.tag) == ["fr", "es", "it", "pt-BR", "nl", "pl", "ja", "zh-Hans"])
    #expect(Language.all.filter(\.isReviewed).map(\.tag) == ["en", "de"])
  }

  @Test(arguments: added.map(\.tag))
  func `a language has each sentence, in each form that its numbers need`(tag: String) throws {
    let language = try #require(Language.all.first { $0.tag == tag })
    let forms = Set((0...200).map(language.plural)).union([.other])
    for (key, sentence) in Self.english {
      let stem = Self.stem(key)
      let keys = stem == key ? [key] : forms.map { "\(stem).\($0.rawValue)" }
      for key in keys {
        let own = try #require(language.table[key], "\(key)")
        let isCountless = key.hasSuffix(".one") && placeholders(own).isEmpty
        #expect(placeholders(own) == placeholders(sentence) || isCountless, "\(key): \(own)")
        #expect(own == own.trimmingCharacters(in: .whitespaces) && !own.isEmpty, "\(key)")
        if let end = sentence.last, ".?!:".contains(end) { #expect(".?!:。？！：".contains(own.last!), "\(key): \(own)") }
      }
    }
    let stems = Set(Self.english.keys.map(Self.stem))
    #expect(language.table.keys.allSatisfy { stems.contains(Self.stem($0)) }, "a key that English does not have")
  }

  // Of a key that is there twice a decoder takes one, whichever a translator edits.
  @Test(arguments: added.map(\.tag)) func `a file has each of its keys once`(tag: String) throws {
    let language = try #require(Language.all.first { $0.tag == tag })
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Presentation/AuthenticationLanguages/Words/\(tag).json")
    let entries = try String(contentsOf: file, encoding: .utf8).matches(of: /\n    "/).count
    #expect(entries == language.table.count && entries > 200)
  }

  @Test(arguments: added.map(\.tag)) func `a language is no copy of English`(tag: String) throws {
    let language = try #require(Language.all.first { $0.tag == tag })
    let same = Self.english.filter { language.table[$0.key] == $0.value }
    #expect(same.count <= 15, "\(same.keys.sorted())")
  }

  @Test func `a String Catalog marks the translations that need a review`() {
    let catalog = Words().stringCatalog(of: .all)
    let units = { (tag: String, state: String) in
      catalog.matches(of: try! Regex("\"\(tag)\": \\{\"stringUnit\": \\{\"state\": \"\(state)\"")).count
    }
    for language in Self.added {
      #expect(units(language.tag, "needs_review") > 200 && units(language.tag, "translated") == 0)
    }
    #expect(units("de", "translated") > 200)
  }

  @Test func `Polish numbers have their forms`() {
    let words = Words(.polish)
    let said = [1, 2, 5, 12, 22].map { words.duration(.seconds($0 * 60)) }
    #expect(said == ["1 minuta", "2 minuty", "5 minut", "12 minut", "22 minuty"])
  }

  @Test(arguments: [
    (["fr-CA"], "fr"), (["pt-PT", "en"], "pt-BR"), (["zh-CN"], "zh-Hans"), (["zh_Hans_SG"], "zh-Hans"),
    (["zh-TW"], "en"), (["zh-Hant-HK", "ja"], "ja"), (["sv", "nl-BE"], "nl"), (["ar"], "en"),
  ])
  func `a user reads the first language that they ask for`(tags: [String], tag: String) {
    #expect(Language.best(of: tags, among: .all).tag == tag)
  }
}
