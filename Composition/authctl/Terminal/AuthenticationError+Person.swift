import AuthenticationKit

extension AuthenticationError {
  /// The library's suggestion, which speaks to who writes an app, said to the person who runs a command.
  var personalAdvice: String? {
    switch code {
    case .weakPassword:
      return "Choose another one\(passwordRules.isEmpty ? "" : ": " + passwordRules.joined(separator: ", "))."
    case .captchaRequired: return "It cannot be answered here: sign in on the provider's own page."
    case .invalidCredentials where suggestion == Self.invalidCredentials.suggestion:
      return "Check the user name and the password."
    case .unsupportedMethod where suggestion?.hasPrefix("Offer ") == true:
      return "See 'authctl methods' and 'authctl account --help'."
    default: break
    }
    guard let suggestion, let beginning = Self.beginnings.first(where: suggestion.hasPrefix) else { return suggestion }
    let rest = suggestion.dropFirst(beginning.count)
    return rest.prefix(1).uppercased() + rest.dropFirst()
  }

  private static let beginnings = ["Let the person ", "Offer to "]
}
