public import AuthenticationDomain

/// The sentences for a user, in one language. An app replaces sentences one by one.
///
/// ```swift
/// let words = Words(.german) { key, language in
///   key == "form.submit.button" ? "Los geht's" : nil
/// }
/// ```
public struct Words: Sendable {
  /// Something that a sentence names.
  public enum Argument: Sendable {
    /// A text that came from a user or a provider: it cannot turn the sentence around.
    case text(String)
    /// A number, which also chooses the form of the sentence.
    case count(Int)
    /// A sentence of these words.
    case words(String)
  }

  /// The language, which may differ between two windows of an app.
  public let language: Language
  private let override: @Sendable (WordKey, Language) -> String?

  /// The library's sentences, but for those that the app replaces.
  ///
  /// - Parameters:
  ///   - language: may differ between two windows of an app.
  ///   - override: the app's own sentence for a key; nil leaves it to the library. It may look into a String Catalog.
  public init(
    _ language: Language = .english, override: @escaping @Sendable (WordKey, Language) -> String? = { _, _ in nil }
  ) {
    self.language = language
    self.override = override
  }

  /// The sentence of a key: the app's, then the library's in this language, then the library's in English. The key
  /// itself never shows.
  public func callAsFunction(_ key: WordKey, _ arguments: Argument...) -> String {
    filled(pattern(for: key, arguments) ?? "", arguments)
  }

  /// Whether there is a sentence for a key.
  package func has(_ key: WordKey) -> Bool { pattern(for: key, []) != nil }

  private func pattern(for key: WordKey, _ arguments: [Argument]) -> String? {
    let count = arguments.lazy.compactMap(\.count).first
    for language in [language, .english] {
      let forms = count.map { [language.plural(of: $0), .other] } ?? []
      for form in forms.map({ WordKey(key.id, plural: $0) }) + [key] {
        let key = form.description
        if let own = override(form, language) ?? language.table[key] { return own }
      }
    }
    return nil
  }

  /// The sentence of the first key that has one; empty if none has.
  private func first(of keys: WordKey..., with arguments: Argument...) -> String {
    keys.lazy.compactMap { pattern(for: $0, arguments) }.first.map { filled($0, arguments) } ?? ""
  }

  private func filled(_ pattern: String, _ arguments: [Argument]) -> String {
    pattern.replacing(/%(\d)\$@/) { match in
      let index = (Int(match.1) ?? 0) - 1
      return arguments.indices.contains(index) ? arguments[index].text : String(match.0)
    }
  }
}

extension Words.Argument {
  fileprivate var count: Int? {
    if case .count(let count) = self { count } else { nil }
  }

  fileprivate var text: String {
    switch self {
    case .text(let text): "\u{2068}\(text.withoutControls)\u{2069}"
    case .count(let count): "\(count)"
    case .words(let text): text
    }
  }
}

extension String {
  /// Without control characters and direction marks; joiners stay, which some scripts and emoji need.
  var withoutControls: String {
    let joiners: [Unicode.Scalar] = ["\u{200C}", "\u{200D}"]
    let controls: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
    return String(unicodeScalars.filter { joiners.contains($0) || !controls.contains($0.properties.generalCategory) })
  }
}

extension Words {
  /// The sentence for an error: chosen by its code, with the numbers that it has. It holds nothing of a
  /// response, a URL or a secret.
  public func sentence(for error: AuthenticationError) -> String {
    if let left = error.attemptsLeft, error == .wrongCode {
      return self("error.wrong_code.left", .count(left))
    }
    if let wait = error.retryAfter, [.tooManyAttempts, .rateLimited].contains(error) {
      return self("error.too_many_attempts.wait", .words(duration(wait)))
    }
    return first(of: WordKey("error.\(error.code)"), "error.unknown")
  }

  /// A duration in whole minutes, or in seconds if it is shorter.
  public func duration(_ duration: Duration) -> String {
    let seconds = duration.roundedUpSeconds
    return seconds < 60
      ? self("time.seconds", .count(seconds)) : self("time.minutes", .count(seconds / 60 + (seconds % 60).signum()))
  }

  /// The text of a method's button.
  public func name(of method: SignInMethod) -> String {
    let key = WordKey("method.\(method.pageVendor ?? method.id).button")
    return has(key) ? self(key) : method.displayName
  }

  /// The name of an input, which is also its accessible name.
  ///
  /// - Parameters:
  ///   - need: the kind of input.
  ///   - isNew: whether a password is chosen, and not known.
  public func label(of need: SignInMethod.Need, isNew: Bool = false) -> String {
    self(isNew && need == .password ? "field.new_password.label" : WordKey("field.\(need.id).label"))
  }

  /// The text of a checkbox for terms.
  public func label(of terms: Terms) -> String {
    self(terms.isRequired ? "sign_up.terms.required" : "sign_up.terms.agree", .text(terms.title))
  }

  /// The text of a factor's button, with its name, and where a code would go if that is known.
  public func name(of factor: Challenge.Factor) -> String {
    guard let destination = factor.destination else {
      let kind = name(of: factor.kind)
      return factor.label.map { "\(kind) (\u{2068}\($0.withoutControls)\u{2069})" } ?? kind
    }
    return first(
      of: WordKey("factors.kind.\(factor.kind.id)"), "factors.kind.unknown",
      with: .text(factor.label.map { "\(destination) (\($0))" } ?? destination))
  }

  /// The name of a kind of factor.
  public func name(of kind: Challenge.Kind) -> String {
    let key = "factors.kind.\(kind.id)"
    return first(of: WordKey("\(key).bare"), WordKey(key), "factors.kind.unknown")
  }

  /// The sentence for a rule of a password.
  public func sentence(for rule: PasswordRule) -> String {
    let key = WordKey("password.rule.\(rule.id)")
    return rule.count.map { self(key, .count($0)) } ?? self(key)
  }

  /// The question to a user before something is lost for ever.
  package func question(about loss: SignOutLoss) -> String {
    first(of: WordKey("session.loss.title.\(loss)"), "session.loss.title")
  }

  /// The loss, and its cause.
  package func explanation(of loss: SignOutLoss) -> String {
    first(of: WordKey("session.loss.explanation.\(loss)"), "session.loss.explanation")
  }
}
