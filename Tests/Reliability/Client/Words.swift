import AuthenticationKit

/// A state in one line: the user, how fresh, and whether it is saved; or why there is none.
struct Words: CustomStringConvertible {
  let description: String

  init(_ state: AuthenticationState) {
    description =
      switch state {
      case .unknown: "unknown"
      case .unavailable(let error): "unavailable \(error.code)"
      case .signedOut(let reason): "signed-out \(reason)"
      case .challenged: "challenged"
      case .signedIn(let active):
        "signed-in \(active.session.user.id) \(active.freshness) "
          + (active.unsaved.map { "unsaved:\($0.code)" } ?? "saved")
      }
  }
}
