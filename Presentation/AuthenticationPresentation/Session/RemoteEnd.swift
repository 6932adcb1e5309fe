public import AuthenticationDomain

/// What became of a session at the provider after a sign-out, which succeeds here at once.
public enum RemoteEnd: Sendable, Equatable {
  /// Nobody asks for it: it is ended in the background.
  case inBackground
  /// The provider is asked.
  case pending
  /// The provider has ended it.
  case ended
  /// It could not be ended now, and is tried again; or, with ``AuthenticationError/Code/otherSessionsRemain``, the person
  /// may still be signed in on other devices.
  case failed(AuthenticationError)
}
