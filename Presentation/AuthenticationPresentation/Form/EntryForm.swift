public import AuthenticationDomain
public import Foundation

/// The inputs of a form: none has a problem until a submit fails, then each field is checked as the user types.
///
/// A submit is always possible; it shows the missing parts.
public struct EntryForm: Sendable, Hashable {
  /// In the order of the screen.
  public private(set) var fields: [EntryField]
  /// Whether a submit has found something wrong, so that typing is checked at once.
  private var isChecked = false
  /// Counts the submits that found something wrong.
  private var turn = 0

  /// A form that asks for these; of several with one name, for the first.
  ///
  /// - Parameters:
  ///   - needs: in the order of the screen.
  ///   - filled: the inputs that are known already.
  ///   - locked: which of them the user cannot change.
  ///   - terms: the terms that the user agrees to, below all of them.
  package init(
    _ needs: [SignInMethod.Need], filled: [SignInMethod.Need: String] = [:], locked: Set<SignInMethod.Need> = [],
    terms: [Terms] = []
  ) {
    fields = needs.map { EntryField(id: $0, text: filled[$0] ?? "", isLocked: locked.contains($0)) }
    fields += terms.map { EntryField(id: .init(id: $0.attribute), text: "", isLocked: false, terms: $0) }
    var names: Set<SignInMethod.Need> = []
    fields = fields.filter { names.insert($0.id).inserted }
  }

  /// The typed text; empty if there is none.
  package subscript(need: SignInMethod.Need) -> String { fields.first { $0.id == need }?.text ?? "" }

  private var firstProblem: EntryField? { fields.first { $0.problem != nil } }

  /// The problems, in the order of the screen.
  package var problems: [AuthenticationError] { fields.compactMap(\.problem) }

  package mutating func type(_ text: String, into need: SignInMethod.Need, _ rules: FieldRules) {
    guard let index = fields.firstIndex(where: { $0.id == need }), !fields[index].isLocked else { return }
    fields[index].text = text.isEmpty ? "" : fields[index].terms?.version ?? text
    if isChecked { fields[index].check(rules) }
  }

  /// Checks all of it.
  ///
  /// - Returns: the input to send, cleaned; nil if it has a problem.
  @discardableResult
  package mutating func submit(_ rules: FieldRules) -> [SignInMethod.Need: String]? {
    for index in fields.indices { fields[index].check(rules) }
    isChecked = firstProblem != nil
    guard !isChecked else {
      turn += 1
      return nil
    }
    let sent = fields.filter { $0.terms == nil || !$0.text.isEmpty }
    return Dictionary(uniqueKeysWithValues: sent.map { ($0.id, rules[$0.id].clean($0.text)) })
  }

  /// The same without secrets: they were sent.
  package func withoutSecrets() -> Self {
    var form = self
    for index in form.fields.indices where form.fields[index].isSecret { form.fields[index].text = "" }
    return form
  }

  /// The field with which something is wrong gets the focus.
  package var focus: Focus? { firstProblem.map { .field($0.id.id, turn: turn) } }
}

/// One input of a form: its text, and its problem once a submit has failed.
public struct EntryField: Sendable, Hashable, Identifiable {
  /// The kind of input.
  public let id: SignInMethod.Need
  /// As typed.
  public internal(set) var text: String
  /// Whether the app filled it in, and the user cannot change it.
  public let isLocked: Bool
  /// The problem; nil until the user has submitted the form.
  public internal(set) var problem: AuthenticationError?
  /// The terms that the user agrees to; nil for an input. Its ``text`` is the version, or empty while the user does not
  /// agree.
  public var terms: Terms?

  /// Whether the input is not shown, and is emptied when it was sent.
  public var isSecret: Bool { id == .password }

  fileprivate mutating func check(_ rules: FieldRules) {
    guard let terms else { return problem = rules[id].problem(with: text) }
    problem = terms.isRequired && text.isEmpty ? .termsNotAccepted : nil
  }
}

/// Terms that a user agrees to when an account is created, in the version that is shown: a checkbox of the form.
///
/// The version is sent as an attribute of the sign-up, which a backend keeps with the account.
///
/// ```swift
/// flows.terms = [
///   Terms("terms.use", version: "2026-03", title: "Terms of use", url: url),
///   Terms("terms.newsletter", version: "1", title: "Newsletter", isRequired: false),
/// ]
/// ```
public struct Terms: Sendable, Hashable {
  /// The name of the attribute (``AuthenticationDomain/SignInRequest/attributes``), different from those of other terms
  /// and from the inputs of the form, which otherwise shows the first alone. A JSON backend gets those that begin
  /// with `terms.`; at Cognito it is `userAttributes.custom:NAME`.
  public let attribute: String
  /// The id by which the consent is sent and kept.
  public let version: String
  /// Their name, in the user's language.
  public let title: String
  /// Where they can be read; nil if nowhere.
  public let url: URL?
  /// Whether there is no account without the user's consent.
  public let isRequired: Bool

  /// Creates terms.
  ///
  /// - Parameters:
  ///   - attribute: the name under which the version is sent, such as `terms.use`.
  ///   - version: of the text that is shown.
  ///   - title: their name, in the user's language.
  ///   - url: where they can be read. By default nowhere.
  ///   - isRequired: whether there is no account without the user's consent. By default true.
  public init(_ attribute: String, version: String, title: String, url: URL? = nil, isRequired: Bool = true) {
    self.attribute = attribute
    self.version = version
    self.title = title
    self.url = url
    self.isRequired = isRequired
  }
}

/// Its text may be a password.
extension EntryField: Redacted {}

/// How one input is cleaned before it is sent, and checked: without rules that only the provider knows.
public struct FieldRule: Sendable {
  fileprivate let clean: @Sendable (String) -> String
  private let check: @Sendable (String) -> AuthenticationError?

  /// A custom rule.
  ///
  /// - Parameters:
  ///   - clean: returns the text to send; by default all of the input.
  ///   - check: returns the problem of the text to send; nil if there is none. Its sentence is the words' for that
  ///     code.
  public init(
    clean: @escaping @Sendable (String) -> String = { $0 },
    check: @escaping @Sendable (String) -> AuthenticationError?
  ) {
    self.clean = clean
    self.check = check
  }

  func problem(with text: String) -> AuthenticationError? { check(clean(text)) }
}

/// The rule of each input; an app replaces some, or adds those of custom needs.
///
/// ```swift
/// flows.rules[.inviteCode] = FieldRule { $0.count == 8 ? nil : .inviteCodeLength }
/// ```
public struct FieldRules: Sendable {
  private var rules: [SignInMethod.Need: FieldRule]

  /// The standard rules.
  ///
  /// - Parameters:
  ///   - countryCode: of the country whose phone numbers need none (ITU-T E.164), such as `49`; nil if each needs one.
  ///   - trunkPrefix: the prefix of a number inside of that country; empty if there is none.
  public init(countryCode: String? = nil, trunkPrefix: String = "0") {
    rules = [
      .userName: FieldRule(clean: { $0.trimmedName }, check: { $0.isEmpty ? .blankUserName : nil }),
      // Nothing is trimmed or cut. The same letters are sent the same way, however they were typed
      // (NIST SP 800-63B-4 §3.1.1.2).
      .password: FieldRule(
        clean: { $0.precomposedStringWithCanonicalMapping }, check: { $0.isEmpty ? .emptyPassword : nil }),
      // One @ between two parts without white space: any alphabet, and no list of domains.
      .emailAddress: FieldRule(
        clean: { $0.trimmedName }, check: { Self.problem(with: EmailCredentials(address: $0)) }),
      .phoneNumber: FieldRule(
        clean: { $0.phoneNumber(countryCode: countryCode, trunkPrefix: trunkPrefix) },
        check: { Self.problem(with: PhoneCredentials(phoneNumber: $0)) }),
    ]
  }

  private static func problem(with credentials: some Credentials) -> AuthenticationError? {
    do throws(AuthenticationError) {
      try credentials.validate()
      return nil
    } catch {
      return error
    }
  }

  /// Anything will do where there is no rule.
  public subscript(need: SignInMethod.Need) -> FieldRule {
    get { rules[need] ?? FieldRule { _ in nil } }
    set { rules[need] = newValue }
  }
}

extension String {
  /// A number in E.164 form, as far as it can be told: `+` and `00` win over the country.
  fileprivate func phoneNumber(countryCode: String?, trunkPrefix: String) -> String {
    let kept = compactMap { character -> Character? in
      if character == "+" || character == "\u{FF0B}" { return "+" }
      if let digit = character.wholeNumberValue, digit < 10 { return Character(String(digit)) }
      return character.isPhonePunctuation ? nil : character
    }
    let number = String(kept)
    if number.hasPrefix("+") { return number }
    if number.hasPrefix("00") { return "+" + number.dropFirst(2) }
    guard let countryCode, !number.isEmpty else { return number }
    let national = number.hasPrefix(trunkPrefix) ? number.dropFirst(trunkPrefix.count) : number[...]
    return "+" + countryCode + national
  }

  /// Without white space and invisible characters at both ends.
  var trimmedName: String {
    let start = firstIndex { !$0.isBlank } ?? endIndex
    let end = lastIndex { !$0.isBlank }.map(index(after:)) ?? endIndex
    return start < end ? String(self[start..<end]) : ""
  }
}

extension Character {
  /// Format and control characters: zero-width, direction marks.
  var isInvisible: Bool {
    unicodeScalars.allSatisfy { [.format, .control].contains($0.properties.generalCategory) }
  }

  fileprivate var isBlank: Bool { isWhitespace || isInvisible }

  fileprivate var isPhonePunctuation: Bool {
    "()[]/.".contains(self) || isBlank || unicodeScalars.first?.properties.generalCategory == .dashPunctuation
  }
}
