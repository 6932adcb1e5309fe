import Synchronization

/// What became of a sign-in, for the attempt that asked for it: what decorates a use case returns no more than the user.
final class SignInReceipt: Sendable {
  /// Of the attempt in progress; nil outside of one.
  @TaskLocal static var current: SignInReceipt?

  private struct Contents {
    var session: AuthSession?
    var isRefused = false
  }

  private let contents = Mutex(Contents())

  /// The session that the sign-in made; noted before it is published.
  var session: AuthSession? { contents.withLock { $0.session } }
  /// Whether the app refused the session of the step that was sent last: the provider has used up what was sent.
  var isRefused: Bool { contents.withLock { $0.isRefused } }

  func note(_ session: AuthSession?) { contents.withLock { $0.session = session } }
  func noteRefusal() { contents.withLock { $0.isRefused = true } }
  func stepBegins() { contents.withLock { $0.isRefused = false } }
}

/// What an app supplies for one attempt besides credentials: a captcha token, a device's fingerprint, a header.
///
/// A provider reads it while it signs in; what the names mean is the provider's to say.
public enum SignInAttributes {
  /// The attributes of the attempt in progress; empty outside of one.
  @TaskLocal public static var current: [String: Secret] = [:]
}
