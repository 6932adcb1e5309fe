import AuthenticationDomain

extension AuthenticationViewModel.Phase {
  init(_ state: AuthenticationState) {
    self =
      switch state {
      case .unknown: .loading
      case .unavailable: .unavailable
      case .challenged(let challenge): .challenged(challenge)
      case .signedOut: .signedOut
      case .signedIn(let active): active.freshness == .expired ? .expired : .signedIn
      }
  }
}

extension AuthenticationState {
  /// What is wrong with the session now, whether or not an intent failed; nil if nothing is.
  var failure: AuthenticationError? {
    switch self {
    case .unavailable(let error): error
    case .signedOut(.rejected): .sessionRejected
    case .signedOut(.ambiguousLoss): .ambiguousLoss
    case .signedIn(let active): active.unsaved ?? (active.freshness == .expired ? .sessionExpired : nil)
    default: nil
    }
  }
}

extension User {
  var greeting: String {
    if isNew { return "Welcome, new user!" }
    return name.map { "Welcome back, \($0)!" } ?? "Welcome back!"
  }
}
