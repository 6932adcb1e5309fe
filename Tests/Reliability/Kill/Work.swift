/// What a client is at when it is killed.
enum Work: String, CaseIterable {
  case signIn = "sign in"
  case replace = "sign in over a session"
  case refresh
  case signOut = "sign out"

  var command: String {
    switch self {
    case .signIn: "sign-in ada"
    case .replace: "sign-in grace"
    case .refresh: "refresh"
    case .signOut: "sign-out"
    }
  }

  /// Whether ada is signed in before.
  var needsSession: Bool { self != .signIn }

  /// Whether nobody may be signed in after a process died of it.
  var mayEndSignedOut: Bool { self == .signIn || self == .signOut }
}
