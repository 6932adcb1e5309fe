public import AuthenticationData
public import AuthenticationDomain
import Synchronization

/// One entry point for apps that want one: optional sugar over a ``MainRoot`` that can be injected everywhere else.
///
/// Before `configure` every member throws ``AuthenticationError/Code/notConfigured``; nothing traps.
public enum Auth {
  private static let configured = Mutex<MainRoot?>(nil)

  /// Composes the app's root with the defaults. A later call replaces it.
  @discardableResult
  public static func configure(
    for configuration: AuthProviderConfiguration, storage: SessionStorage = .platformDefault
  ) throws(AuthenticationError) -> MainRoot {
    let root = try MainRoot(configuration, storage: storage)
    configure(with: root)
    return root
  }

  /// Uses a root composed by hand.
  public static func configure(with root: MainRoot) {
    configured.withLock { $0 = root }
  }

  /// The root that `configure` was given; throws ``AuthenticationError/Code/notConfigured`` before that.
  public static var root: MainRoot {
    get throws(AuthenticationError) {
      guard let root = configured.withLock({ $0 }) else { throw .notConfigured }
      return root
    }
  }

  /// The root's manager, to follow states and sign out; throws ``AuthenticationError/Code/notConfigured``.
  public static var manager: AuthManager {
    get throws(AuthenticationError) { try root.manager }
  }

  /// The session now, as a snapshot; nil where nobody is signed in, and until the store was read: `await
  /// Auth.manager.restore()` reads it, and a view model does by itself.
  public static var session: AuthSession? {
    get throws(AuthenticationError) { try root.manager.state.session }
  }

  /// Forgets the root; the session stays stored.
  public static func reset() {
    configured.withLock { $0 = nil }
  }
}

extension AuthenticationError {
  fileprivate static let notConfigured = Self(
    .notConfigured, "Auth is used before it was configured.",
    suggestion: "Call Auth.configure(for:) when the app starts.")
}
