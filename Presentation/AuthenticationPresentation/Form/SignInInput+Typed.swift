import AuthenticationDomain

extension SignInInput {
  /// With what was typed, in place of its own fields: what the method needs as fields, all else as attributes.
  func with(_ typed: [SignInMethod.Need: String], for method: SignInMethod) -> SignInInput {
    var input = self
    for (need, text) in typed {
      if method.needs.contains(need) {
        input.fields[need] = Secret(text)
      } else {
        input.attributes[need.id] = Secret(text)
      }
    }
    return input
  }
}
