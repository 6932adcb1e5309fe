/// Something that happened to a session, for a logger or metrics of the app's choice: it holds no token, no user and no
/// text of a server.
///
/// ```swift
/// for await event in manager.events() { log("\(event)") }
/// ```
public struct AuthenticationEvent: Sendable, Equatable, CustomStringConvertible {
  /// The kind of event; later versions may add names: keep a default branch.
  public enum Name: String, Sendable {
    /// An attempt to sign in or up ended.
    case signIn = "sign_in"
    /// A refresh ended; ``AuthenticationEvent/detail`` is its cause.
    case refresh
    /// A refresh waits for another process that refreshes the same session.
    case lockWait = "lock_wait"
    /// A refresh token is sent again after a lost response, which ``AuthenticationEvent/failure`` describes.
    case retry
    /// Another process wrote while this one had unsaved changes, or signed another user in.
    case conflict
    /// The session ended; ``AuthenticationEvent/detail`` is the ``SignOutReason``.
    case signOut = "sign_out"
    /// The provider was asked to revoke tokens.
    case revocation
    /// The store could not be read or written.
    case storage
  }

  /// Why a session was refreshed: an open set, in ``AuthenticationEvent/detail``.
  package enum Cause: String, Sendable, Codable {
    /// The access token had expired, or was about to.
    case expiry
    /// In the background, before a caller had to wait.
    case early
    /// A resource refused the access token.
    case refused
    /// A caller wanted a token that lasts longer.
    case lifetime
    /// The app asked whether the provider still accepts the session.
    case check
  }

  /// The kind of event.
  public let name: Name
  /// A word from a fixed set that says more, such as the cause; nil if there is none.
  public let detail: String?
  /// How long it took; nil if that was not measured.
  public let duration: Duration?
  /// Why it failed; nil if it did not.
  public let failure: AuthenticationError?

  package init(_ name: Name, detail: String? = nil, duration: Duration? = nil, failure: AuthenticationError? = nil) {
    self.name = name
    self.detail = detail
    self.duration = duration
    self.failure = failure
  }

  /// One line, such as `refresh early 0.2 seconds failed: unreachable`.
  public var description: String {
    var words = [name.rawValue]
    if let detail { words.append(detail) }
    if let duration { words.append("\(duration)") }
    if let failure { words.append("failed: \(failure.code)") }
    return words.joined(separator: " ")
  }
}
