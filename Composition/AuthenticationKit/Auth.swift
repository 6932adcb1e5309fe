public import AuthenticationData
public import AuthenticationDomain
import Synchronization

/// One global entry point for apps that want one: a shortcut to a ``MainRoot``, which can be injected instead.
///
/// Before `configure` every property throws ``AuthenticationError/notConfigured``; nothing traps.
///
/// ```swift
/// try Auth.configure(for: .api(baseURL: "https://api.example.com"))
/// try await Auth.manager.restore()
/// ```
public enum Auth {
  private static let configured = Mutex<MainRoot?>(nil)

  /// Composes the app's root. A later call replaces it.
  ///
  /// - Parameters:
  ///   - configuration: names the provider.
  ///   - change: replaces some of the root's parts.
  /// - Returns: the root.
  /// - Throws: ``AuthenticationError/invalidConfiguration``, as ``MainRoot`` does.
  @discardableResult
  public static func configure(
    for configuration: AuthProviderConfiguration, _ change: (inout MainRoot.Options) -> Void = { _ in }
  ) throws(AuthenticationError) -> MainRoot {
    let root = try MainRoot(configuration, change)
    configure(with: root)
    return root
  }

  /// Uses a root composed by hand; nil forgets the root, and leaves the session stored.
  public static func configure(with root: MainRoot?) { configured.withLock { $0 = root } }

  /// The root that `configure` was given; throws ``AuthenticationError/notConfigured`` before that.
  public static var root: MainRoot {
    get throws(AuthenticationError) {
      guard let root = configured.withLock({ $0 }) else { throw .notConfigured }
      return root
    }
  }

  /// The root's manager, to follow states and sign out; throws ``AuthenticationError/notConfigured``. Its state knows a
  /// session once the store was read: `try await Auth.manager.restore()` reads it, as each view model does.
  public static var manager: AuthManager { get throws(AuthenticationError) { try root.manager } }

  /// The session now, as a snapshot; nil if no user is signed in, and until the store was read.
  public static var session: AuthSession? { get throws(AuthenticationError) { try root.manager.state.session } }
}

extension AuthenticationError {
  fileprivate static let notConfigured = Self(
    .notConfigured, "Auth is used before it was configured.",
    suggestion: "Call Auth.configure(for:) when the app starts.")
}
