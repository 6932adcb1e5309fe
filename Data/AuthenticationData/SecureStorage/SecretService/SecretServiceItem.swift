#if os(Linux)
/// What one secret is filed under: nothing of it is secret.
struct SecretServiceItem {
  let service: String
  let key: String

  /// Shown to people by the desktop's own tools.
  var label: String { "\(service): \(key)" }

  /// D-Bus knows no text with a NUL inside.
  var attributes: [String: String] { ["service": Self.escaped(service), "key": Self.escaped(key)] }

  static let schema = "AuthenticationKit.Secret"

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\0": escaped += "%00"
      case "%": escaped += "%25"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
#endif
