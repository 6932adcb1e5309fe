import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// The options of `login` for an issuer.
struct OpenIDOptions: ParsableArguments {
  enum Flow: String, ExpressibleByArgument, CaseIterable, Codable { case browser, device, password }

  enum TokenAuth: String, ExpressibleByArgument, CaseIterable, Codable { case basic, post, none }

  @Option(help: "The issuer's identifier, exactly as it writes it, like https://id.example.com.")
  var issuer: String?

  @Option(help: "What to ask for; by default what the issuer lists of openid, profile, email and offline_access.")
  var scope: String?

  @Option(help: "browser, device (a code to type elsewhere), or password (discouraged).")
  var flow = Flow.browser

  @Flag(help: "Print the page's address instead of opening it.")
  var noBrowser = false

  @Option(help: "The port on this machine to return to; by default one that is free.")
  var redirectPort: UInt16?

  @Option(help: "The path on this machine to return to.")
  var redirectPath = "/callback"

  @Option(help: "How the client sends its secret: basic, post or none. By default as the issuer's metadata says.")
  var tokenAuth: TokenAuth?

  @Flag(help: "Bind the tokens to a key of this machine (DPoP).")
  var dpop = false

  @Option(
    help: ArgumentHelp(
      "An endpoint the issuer does not publish, like revocation_endpoint=https://… Repeatable.",
      valueName: "name=url"))
  var metadata: [String] = []

  @OptionGroup var page: PageOptions

  /// Those that were named and only an issuer takes.
  var named: [String] {
    [
      ("--flow", flow != .browser), ("--token-auth", tokenAuth != nil), ("--dpop", dpop),
      ("--metadata", !metadata.isEmpty),
    ].filter(\.1).map(\.0) + page.named
  }

  /// Whether it was named how the page is shown.
  var namesPage: Bool { noBrowser || redirectPort != nil }

  func validate() throws {
    guard redirectPath.hasPrefix("/") else { throw ValidationError("--redirect-path begins with a slash.") }
    if redirectPort == 0 { throw ValidationError("--redirect-port is a number from 1 to 65535.") }
    if flow != .browser, let option = page.named.first {
      throw ValidationError("\(option) is for --flow browser only.")
    }
    _ = try endpoints()
  }

  /// Checks the options that depend on the registration of the client.
  func validate(with client: ClientOptions) throws {
    if client.clientSecretFile == nil, tokenAuth == .basic || tokenAuth == .post {
      throw ValidationError("--token-auth \(tokenAuth?.rawValue ?? "") needs a --client-secret-file.")
    }
    if client.clientSecretFile != nil, tokenAuth == .some(.none) {
      throw ValidationError("--token-auth none sends no secret: leave out --client-secret-file.")
    }
  }

  /// Where the browser returns to.
  var redirect: RedirectURI { .loopback(port: redirectPort, path: redirectPath) }

  private func endpoints() throws -> [String: String] {
    var endpoints: [String: String] = [:]
    for text in metadata {
      let (name, url) = try text.namedValue("--metadata")
      guard OpenIDClient.Endpoint(rawValue: name) != nil else {
        let names = OpenIDClient.Endpoint.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--metadata knows no '\(name)', but: \(names).")
      }
      guard URL(string: url).flatMap(Origin.init)?.isSecure == true else {
        throw ValidationError("--metadata \(name) is not an https URL, nor on this machine.")
      }
      endpoints[name] = url
    }
    return endpoints
  }

  func registration(of client: ClientOptions) -> OpenIDRegistration? {
    guard let issuer, let clientID = client.clientID else { return nil }
    let endpoints = (try? endpoints()) ?? [:]
    return OpenIDRegistration(
      issuer: issuer, clientID: clientID, scopes: scope?.split(separator: " ").map(String.init),
      audience: client.audience, flow: flow, redirectPort: redirectPort, redirectPath: redirectPath,
      hasSecret: client.clientSecretFile != nil, tokenAuth: tokenAuth, endpoints: endpoints.isEmpty ? nil : endpoints)
  }
}

/// The parameters of `login` for the issuer's page. Kept nowhere.
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
    let prompts = self.prompts
    guard prompt == nil || !prompts.isEmpty, prompts.allSatisfy(Self.prompts.contains) else {
      throw ValidationError("--prompt is one of: \(Self.prompts.joined(separator: ", ")).")
    }
    if noConsent, prompt != nil { throw ValidationError("--no-consent leaves the prompt out, and --prompt names one.") }
    guard !prompts.contains("none") || prompts.count == 1 else { throw ValidationError("--prompt none stands alone.") }
    _ = try parameters()
  }

  /// Those that were named.
  var named: [String] {
    [
      ("--prompt", prompt != nil), ("--no-consent", noConsent), ("--login-hint", loginHint != nil),
      ("--acr-values", acrValues != nil), ("--param", !param.isEmpty),
    ].filter(\.1).map(\.0)
  }

  /// Whether the page is asked how the user signs in.
  var asksForContext: Bool { acrValues != nil || param.contains { $0.hasPrefix("claims=") } }

  private var prompts: [String] { (prompt ?? "").split(separator: " ").map(String.init) }

  func hints(username: String?) -> SignInHints {
    SignInHints(
      userName: loginHint ?? username, prompt: prompts,
      requirements: AuthenticationRequirements(acrValues: (acrValues ?? "").split(separator: " ").map(String.init)))
  }

  /// Which providers take an option of the page as well, for the sentence about one that does not.
  static func kinds(of option: String) -> String {
    let isOfPage = ["--prompt", "--no-consent", "--login-hint", "--acr-values", "--param"].contains(option)
    let kinds = ProviderKind.known.filter(\.hasIssuersPage).map(\.name)
    return isOfPage ? " and --provider \(kinds.joined(separator: ", "))" : ""
  }

  /// Those the protocol owns are refused: they could move the response to where others read it.
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
