import ArgumentParser
import AuthenticationKit
import Foundation

/// What `--allow-origin` is given.
enum AllowedOrigin {
  /// The text, if it is an origin and no more: the token goes to all of it, so that a path would promise too much.
  static func text(_ text: String) throws -> String {
    guard let url = URL(string: text), Origin(url)?.isSecure == true, ["", "/"].contains(url.path()),
      url.query() == nil, url.fragment() == nil
    else { throw ValidationError("It is written like https://api.example.com, and http is for this machine only.") }
    return text
  }
}
