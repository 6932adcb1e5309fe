/// The claims that name a user to other users, the best first (OpenID Connect Core §5.1).
///
/// `name` is the full name in displayable form, `preferred_username` how the user wishes to be referred to, `nickname`
/// a casual name and `given_name` a part of a name; `cognito:username` is the account's name at Amazon Cognito.
/// Names are not put together from parts: the order of given and family name differs by language.
package enum DisplayNameClaims {
  /// Where one of these is missing, a UserInfo endpoint may know a better name.
  package static let full = ["name", "preferred_username"]
  static let all = full + ["nickname", "given_name", "cognito:username"]

  /// Returns the best name that there is; nil if there is none, or none but the user's id.
  ///
  /// - Parameters:
  ///   - id: of the user (`sub`).
  ///   - claim: returns the text of a claim; nil if it is missing or of another type.
  package static func name(of id: String?, _ claim: (_ name: String) -> String?) -> String? {
    for name in all {
      if let text = claim(name), !text.isEmpty, name != "cognito:username" || text != id { return text }
    }
    return nil
  }
}
