import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID

/// What `login` asks for on the issuer's page. Kept nowhere.
struct PageOptions: ParsableArguments {
  @Option(
    help: """
      What the page does first: login, consent, select_account or none. By default consent where offline_access is \
      asked for, as OpenID Connect has it.
      """)
  var prompt: String?

  @Flag(help: "Do not ask for consent with offline_access: the issuer gives a refresh token without it.")
  var noConsent = false

  @Option(help: "A user name to fill in.")
  var loginHint: String?

  @Option(
    help:
      "How the user should sign in, the best first (acr_values). What the ID token says of it is shown, not required.")
  var acrValues: String?

  @Option(help: ArgumentHelp("A further parameter of the request. Repeatable.", valueName: "name=value"))
  var param: [String] = []

  private static let prompts = ["login", "consent", "select_account", "none"]

  func validate() throws {
    let prompts = self.prompts.map(\.value)
    guard prompt == nil || !prompts.isEmpty, prompts.allSatisfy(Self.prompts.contains) else {
      throw ValidationError("--prompt is one of: \(Self.prompts.joined(separator: ", ")).")
    }
    if noConsent, prompt != nil { throw ValidationError("--no-consent leaves the prompt out, and --prompt names one.") }
    guard !prompts.contains("none") || prompts.count == 1 else { throw ValidationError("--prompt none stands alone.") }
    _ = try parameters()
  }

  /// Those that were named.
  var named: [String] {
    let named = [
      ("--prompt", prompt != nil), ("--no-consent", noConsent), ("--login-hint", loginHint != nil),
      ("--acr-values", acrValues != nil), ("--param", !param.isEmpty),
    ]
    return named.filter(\.1).map(\.0)
  }

  /// Whether the page is asked how the user signs in.
  var asksForContext: Bool { acrValues != nil || param.contains { $0.hasPrefix("claims=") } }

  private var prompts: [BrowserSignIn.Prompt] {
    (prompt ?? "").split(separator: " ").map { BrowserSignIn.Prompt(String($0)) }
  }

  func signIn(username: String?) -> BrowserSignIn {
    BrowserSignIn(
      requirements: AuthenticationRequirements(acrValues: (acrValues ?? "").split(separator: " ").map(String.init)),
      userNameHint: loginHint ?? username, prompt: prompts)
  }

  /// Those the protocol owns are refused: they could move the answer to where others read it.
  func parameters() throws -> [String: String] {
    var parameters: [String: String] = [:]
    for text in param {
      let (name, value) = try text.namedValue("--param")
      if OpenIDClient.reservedParameters.contains(name) {
        throw ValidationError("--param cannot set '\(name)': the protocol, or an option of its own, does.")
      }
      guard parameters.updateValue(value, forKey: name) == nil else {
        throw ValidationError("--param names '\(name)' twice.")
      }
    }
    return parameters
  }
}

extension String {
  /// The two sides of NAME=VALUE.
  func namedValue(_ option: String) throws -> (name: String, value: String) {
    let sides = split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, !sides[0].isEmpty else { throw ValidationError("\(option) is written NAME=VALUE.") }
    return (String(sides[0]), String(sides[1]))
  }
}
