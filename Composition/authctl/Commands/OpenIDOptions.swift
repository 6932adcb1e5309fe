import ArgumentParser
import AuthenticationKit
import AuthenticationOpenID
import Foundation

/// What `login` is told of an issuer.
struct OpenIDOptions: ParsableArguments {
  enum Flow: String, ExpressibleByArgument, CaseIterable, Codable {
    case browser, device, password
  }

  @Option(help: "The issuer's identifier, exactly as it writes it, like https://id.example.com.")
  var issuer: String?

  @Option(name: .customLong("client-id"), help: "The client id the issuer gave this program.")
  var clientID: String?

  @Option(help: "What to ask for.")
  var scope = "openid profile email offline_access"

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

  @Option(help: "The API the token is for, where the issuer asks for it.")
  var audience: String?

  func validate() throws {
    let needsIssuer =
      clientID != nil || clientSecretFile != nil || audience != nil || redirectPort != nil || flow != .browser
      || noBrowser
    guard issuer != nil || !needsIssuer else { throw ValidationError("This way to sign in needs an --issuer.") }
    guard redirectPath.hasPrefix("/") else { throw ValidationError("--redirect-path begins with a slash.") }
    if redirectPort == 0 { throw ValidationError("--redirect-port is a number from 1 to 65535.") }
  }

  var registration: OpenIDRegistration? {
    guard let issuer, let clientID else { return nil }
    return OpenIDRegistration(
      issuer: issuer, clientID: clientID, scopes: scope.split(separator: " ").map(String.init), audience: audience,
      flow: flow, redirectPort: redirectPort, redirectPath: redirectPath, hasSecret: clientSecretFile != nil)
  }

  func clientSecret() throws -> Secret? {
    guard let clientSecretFile else { return nil }
    guard let data = FileManager.default.contents(atPath: clientSecretFile),
      let line = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first
    else { throw ValidationError("--client-secret-file names no file with a secret in its first line.") }
    return Secret(String(line))
  }
}
