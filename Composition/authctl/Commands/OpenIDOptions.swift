import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// What `login` is told of an issuer.
struct OpenIDOptions: ParsableArguments {
  enum Flow: String, ExpressibleByArgument, CaseIterable, Codable {
    case browser, device, password
  }

  enum TokenAuth: String, ExpressibleByArgument, CaseIterable, Codable {
    case basic, post, none
  }

  @Option(help: "The issuer's identifier, exactly as it writes it, like https://id.example.com.")
  var issuer: String?

  @Option(name: .customLong("client-id"), help: "The client id the issuer gave this program.")
  var clientID: String?

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

  @Option(help: "A file with the client's secret, where it has one.")
  var clientSecretFile: String?

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

  @Option(help: "The API the token is for, where the issuer asks for it.")
  var audience: String?

  func validate() throws {
    let needsIssuer =
      clientID != nil || clientSecretFile != nil || audience != nil || redirectPort != nil || flow != .browser
      || noBrowser || scope != nil || tokenAuth != nil || dpop || !metadata.isEmpty || page.isUsed
    guard issuer != nil || !needsIssuer else { throw ValidationError("This way to sign in needs an --issuer.") }
    guard redirectPath.hasPrefix("/") else { throw ValidationError("--redirect-path begins with a slash.") }
    if redirectPort == 0 { throw ValidationError("--redirect-port is a number from 1 to 65535.") }
    if page.isUsed, flow != .browser {
      throw ValidationError("--prompt, --login-hint, --acr-values and --param are for --flow browser.")
    }
    if clientSecretFile == nil, tokenAuth == .basic || tokenAuth == .post {
      throw ValidationError("--token-auth \(tokenAuth?.rawValue ?? "") needs a --client-secret-file.")
    }
    if clientSecretFile != nil, tokenAuth == .some(.none) {
      throw ValidationError("--token-auth none sends no secret: leave out --client-secret-file.")
    }
    _ = try endpoints()
  }

  private func endpoints() throws -> [String: String] {
    var endpoints: [String: String] = [:]
    for text in metadata {
      let (name, url) = try text.namedValue("--metadata")
      guard OpenIDClient.Endpoint(name: name) != nil else {
        let names = OpenIDClient.Endpoint.all.map(\.name).joined(separator: ", ")
        throw ValidationError("--metadata knows no '\(name)', but: \(names).")
      }
      guard URL(string: url).flatMap(Origin.init)?.isSecure == true else {
        throw ValidationError("--metadata \(name) is not an https URL, nor on this machine.")
      }
      endpoints[name] = url
    }
    return endpoints
  }

  var registration: OpenIDRegistration? {
    guard let issuer, let clientID else { return nil }
    let endpoints = (try? endpoints()) ?? [:]
    return OpenIDRegistration(
      issuer: issuer, clientID: clientID, scopes: scope?.split(separator: " ").map(String.init), audience: audience,
      flow: flow, redirectPort: redirectPort, redirectPath: redirectPath, hasSecret: clientSecretFile != nil,
      tokenAuth: tokenAuth, endpoints: endpoints.isEmpty ? nil : endpoints)
  }

  func clientSecret(_ console: Console) throws -> Secret? {
    try clientSecretFile.map { try ClientSecretFile(path: $0).read(console) }
  }
}
