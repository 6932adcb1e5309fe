import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationLanguages
import AuthenticationPresentation
import AuthenticationTesting
import Foundation
import Testing

@Suite struct WordsTests {
  let english = Words(.english)
  let german = Words(.german)

  @Test func `no sentence repeats the error's text for developers`() {
    let error = AuthenticationError(
      .serverFailed, "canary-message", suggestion: "canary-suggestion", cause: .init(domain: "canary-cause"))
    #expect(english.sentence(for: error) == "The service does not answer. Try again later.")
    #expect(german.sentence(for: error) == "Der Dienst antwortet nicht. Versuchen Sie es später noch einmal.")
  }

  @Test func `a code that is not known yet has a sentence too, and shows no key`() {
    let error = AuthenticationError(code: "canary_code", "canary")
    #expect(english.sentence(for: error) == "Something went wrong. Try again.")
    #expect(german.sentence(for: error) == "Etwas ist schiefgegangen. Versuchen Sie es noch einmal.")
    #expect(english("canary.key.title") == "")
  }

  @Test(arguments: [
    (AuthenticationError.blankUserName, "Enter your user name."),
    (.emptyPassword, "Enter your password."),
    (.sessionExpired, "Your session has ended. Sign in again."),
    (AuthenticationError(.clockSkewed, ""), "The clock of this device is wrong. Set it, and try again."),
    (AuthenticationError(.signInExpired, ""), "That took too long. Start again."),
    (.unreachable, "There is no connection. Try again when you are online."),
    (.wrongCode.with(\.attemptsLeft, 1), "That is not the code. You have 1 more try."),
    (.wrongCode.with(\.attemptsLeft, 2), "That is not the code. You have 2 more tries."),
    (.tooManyAttempts.with(\.retryAfter, .seconds(61)), "Too many tries. Try again in 2 minutes."),
    (.rateLimited.with(\.retryAfter, .seconds(1)), "Too many tries. Try again in 1 second."),
  ])
  func `each failure a user can mend says how`(error: AuthenticationError, sentence: String) {
    #expect(english.sentence(for: error) == sentence)
  }

  @Test func `missing input is asked for by the name of its field`() {
    for (need, code) in [
      (SignInMethod.Need.userName, AuthenticationError.blankUserName), (.password, .emptyPassword),
      (.phoneNumber, .invalidPhoneNumber), (.emailAddress, .invalidEmailAddress),
    ] {
      #expect(english.sentence(for: code).lowercased().contains(english.label(of: need).lowercased()), "\(need.id)")
      #expect(german.sentence(for: code).contains(german.label(of: need)), "\(need.id)")
    }
    #expect(
      english.sentence(for: AuthenticationError.emptyCode).lowercased().contains(
        english("field.code.label").lowercased()))
  }

  @Test func `a String Catalog has every sentence of both languages, as Xcode reads it`() throws {
    let languages = [Language.english, .german, Language("x", table: ["quoted": "A \"word\", a \\ and\ta tab"])]
    let catalog = try #require(
      try JSONSerialization.jsonObject(with: Data(english.stringCatalog(of: languages).utf8))
        as? [String: Any])
    #expect(catalog["sourceLanguage"] as? String == "en")
    #expect(catalog["version"] as? String == "1.0")
    let strings = try #require(catalog["strings"] as? [String: [String: Any]])
    func value(_ key: String, _ tag: String) -> String? {
      let languages = strings[key]?["localizations"] as? [String: [String: [String: String]]]
      return languages?[tag]?["stringUnit"]?["value"]
    }
    #expect(value("form.cancel.button", "en") == "Cancel")
    #expect(value("form.cancel.button", "de") == "Abbrechen")
    #expect(value("account.page.title", "de") == "Ihr Konto")
    #expect(value("time.seconds.other", "de") == "%1$@ Sekunden")
    #expect(value("quoted", "x") == "A \"word\", a \\ and\ta tab")
    #expect(strings.count > 150)
    #expect(strings.keys.allSatisfy { $0 == "quoted" || value($0, "en") != nil && value($0, "de") != nil })
  }

  @Test func `a vendor's page is called as its sheet is, and by its own name where it is not known`() {
    #expect(english.name(of: .browser(.google)) == english.name(of: .google))
    #expect(english.name(of: .google) == "Continue with Google")
    #expect(english.name(of: .browser(SignInMethod(id: "azure", displayName: "Microsoft"))) == "Microsoft")
  }

  @Test func `a factor is called by its kind, with the destination of its code`() {
    #expect(
      english.name(of: Challenge.Factor(id: "1", kind: .smsCode, destination: "•••• 42"))
        == "A code by text message to \u{2068}•••• 42\u{2069}")
    #expect(
      english.name(of: Challenge.Factor(id: "1", kind: .smsCode, destination: "•••• 42", label: "Work"))
        == "A code by text message to \u{2068}•••• 42 (Work)\u{2069}")
    #expect(
      english.name(of: Challenge.Factor(id: "1", kind: .oneTimePassword, label: "App\n"))
        == "A code of your authenticator app (\u{2068}App\u{2069})")
    #expect(english.name(of: Challenge.Factor(id: "1", kind: .smsCode)) == "A code by text message")
    #expect(english.name(of: Challenge.Factor(id: "1", kind: .recoveryCode)) == "A recovery code")
    #expect(english.name(of: Challenge.Factor(id: "1", kind: .init(id: "dance"))) == "Another way")
    #expect(english.name(of: Challenge.Factor(id: "1", kind: .init(id: "dance"), destination: "hall")) == "Another way")
  }

  @Test func `English and German have the same keys and the same arguments`() {
    let (english, german) = (Language.everything("en"), Language.everything("de"))
    #expect(Set(english.keys) == Set(german.keys))
    for (key, sentence) in english {
      #expect(german[key].map(arguments) == arguments(sentence), "\(key)")
    }
  }

  @Test func `no sentence begs, scolds or is empty`() {
    let words = [
      "please", "sorry", "oops", "invalid", "forbidden", "illegal", "bitte", "ungültig", "verboten", "leider", "hoppla",
      "entschuldig", "server", "token", "http", "null", "nil", "exception", "%s", "%d",
    ]
    for table in [Language.everything("en"), Language.everything("de")] {
      for (key, sentence) in table {
        #expect(!words.contains { sentence.lowercased().contains($0) }, "\(key)")
        if key.hasPrefix("error.") { #expect(sentence.hasSuffix("."), "\(key)") }
        #expect(!sentence.trimmingCharacters(in: .whitespaces).isEmpty, "\(key)")
      }
    }
  }

  @Test func `a plural has each form that its language needs`() {
    for (language, forms) in [(Language.english, ["one", "other"]), (.german, ["one", "other"])] {
      for key in language.table.keys where key.hasSuffix(".one") || key.hasSuffix(".other") {
        let stem = key.split(separator: ".").dropLast().joined(separator: ".")
        for form in forms { #expect(language.table["\(stem).\(form)"] != nil, "\(stem)") }
      }
    }
  }

  @Test func `an app replaces one sentence, of one language, and keeps the rest`() {
    let own: @Sendable (WordKey, Language) -> String? = { key, language in
      key == "form.submit.button" && language.tag == "de" ? "Los geht's" : nil
    }
    #expect(Words(.german, override: own)("form.submit.button") == "Los geht's")
    #expect(Words(.english, override: own)("form.submit.button") == "Sign in")
    #expect(Words(.german, override: own)("form.cancel.button") == "Abbrechen")
  }

  @Test func `an app replaces one form of a plural`() {
    let own = Words(override: { key, _ in key.description == "error.wrong_code.left.one" ? "One try!" : nil })
    #expect(own.sentence(for: .wrongCode.with(\.attemptsLeft, 1)) == "One try!")
    #expect(own.sentence(for: .wrongCode.with(\.attemptsLeft, 3)) == "That is not the code. You have 3 more tries.")
  }

  @Test func `text that a language lacks is shown in English`() {
    let polish = Language("pl", table: ["form.submit.button": "Zaloguj się"])
    #expect(Words(polish)("form.submit.button") == "Zaloguj się")
    #expect(Words(polish)("form.cancel.button") == "Cancel")
  }

  @Test func `a language with more forms uses them`() {
    let polish = Language(
      "pl", plural: { $0 == 1 ? .one : (2...4).contains($0 % 10) ? .few : .many },
      table: ["time.minutes.one": "%1$@ minuta", "time.minutes.few": "%1$@ minuty", "time.minutes.many": "%1$@ minut"])
    let words = Words(polish)
    #expect(words.duration(.seconds(60)) == "1 minuta")
    #expect(words.duration(.seconds(120)) == "2 minuty")
    #expect(words.duration(.seconds(300)) == "5 minut")
  }

  @Test func `a name cannot turn the sentence around`() {
    #expect(
      english("session.greeting.named", .text("\u{202E}Ada\u{0007}")) == "Welcome back, \u{2068}Ada\u{2069}!")
  }

  @Test func `a name with a placeholder in it is said as it is`() {
    #expect(english("session.greeting.named", .text("%1$@")) == "Welcome back, \u{2068}%1$@\u{2069}!")
  }

  @Test func `two windows speak two languages`() {
    #expect(english("form.submit.button") == "Sign in")
    #expect(german("form.submit.button") == "Anmelden")
  }

  @Test(arguments: [
    (["de-AT", "en"], "de"), (["fr", "en-GB"], "en"), (["DE_de.UTF-8"], "de"), (["ja"], "en"), ([], "en"),
  ])
  func `the first language that is known is spoken`(tags: [String], tag: String) {
    #expect(Language.best(of: tags).tag == tag)
  }

  @Test func `the pseudo language is written from right to left, and is longer`() {
    let pseudo = Words(.pseudo)
    #expect(Language.pseudo.isRightToLeft)
    #expect(pseudo("form.submit.button").hasPrefix("⟦"))
    #expect(pseudo("form.submit.button").count > "Sign in".count)
    #expect(pseudo("time.minutes", .count(2)).contains("2"))
  }

  private func arguments(_ sentence: String) -> [String] { sentence.matches(of: /%\d\$@/).map { String($0.0) } }
}
