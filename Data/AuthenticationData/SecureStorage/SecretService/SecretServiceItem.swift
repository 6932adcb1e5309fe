#if os(Linux)
/// The attributes of one secret: none of them is secret.
struct SecretServiceItem {
  let service: String
  let key: String

  /// The name that the desktop's own tools show.
  var label: String { "\(service): \(key)" }

  /// D-Bus strings cannot contain a NUL.
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
