import AuthenticationDomain

extension [SignInProcess] {
  /// Checks, when a root is made, that the provider can do what the app offers.
  func check(for provider: any RemoteAuthProvider) throws(AuthenticationError) {
    let possible = Set(provider.methods + [.unlock])
    var listed: Set<SignInMethod> = []
    for process in self {
      guard possible.contains(process.presented) else { throw .impossible(process.method) }
      guard listed.insert(process.method).inserted else { throw .listedTwice(process.method) }
    }
  }
}

extension AuthenticationError {
  fileprivate static func impossible(_ method: SignInMethod) -> Self {
    .invalidConfiguration(
      "The provider cannot sign in with the method '\(method.id)'.",
      suggestion: "Leave it out of the methods, or name the method whose credentials its process presents.")
  }

  fileprivate static func listedTwice(_ method: SignInMethod) -> Self {
    .invalidConfiguration("The method '\(method.id)' is listed twice.", suggestion: "Leave one out.")
  }
}
