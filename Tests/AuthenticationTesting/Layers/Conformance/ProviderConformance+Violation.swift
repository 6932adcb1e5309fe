extension ProviderConformance {
  /// The rules of every adapter.
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// The script holds all that the other rules need.
    case script
    /// Credentials that the service accepts give a session of that user.
    case signIn
    /// Credentials that it refuses are ``AuthenticationError/invalidCredentials``.
    case wrongCredentials
    /// Credentials of a type that the adapter does not know are refused before anything is sent.
    case unknownMethod
    /// Each challenge is asked and answered, and after a wrong answer the user can continue.
    case challenge
    /// The handle of a challenge holds no password and no code that was presented.
    case handles
    /// A refresh returns the new tokens.
    case refresh
    /// The claims of the service about the user are kept as they came, and those of a refresh replace them.
    case claims
    /// A refresh for a resource returns its access token and the new refresh token; a token for something else is said to
    /// be one, and no refusal of the resource ends the session.
    case resource
    /// A refresh token that is not replaced stays in use (RFC 6749 §6).
    case keptRefreshToken
    /// A response with which the service ends a session ends it.
    case sessionEnding
    /// A failure that may succeed later is transient.
    case transientFailure
    /// A refusal that is not about the session keeps it.
    case otherRefusal
    /// An unknown code keeps the session.
    case unknownCode
    /// A server that fails (5xx) ends no session, with any body.
    case serverFailure
    /// An HTML page ends no session, and signs no user in, with any status.
    case htmlPage
    /// A response that is cut, empty, huge or of another shape ends no session, and signs no user in.
    case malformedAnswer
    /// A call whose response was lost throws that, and ends no session.
    case lostAnswer
    /// A refresh token that may be spent is not sent again by the same call.
    case spentToken
    /// A sign-out reaches the service; tokens that it does not know are a success (RFC 7009 §2.2).
    case revocation
    /// Only the service decides whether a session is valid.
    case validation
    /// A cancelled call ends at once, and sends nothing afterwards.
    case cancellation
    /// No text holds a secret or a word of the server.
    case redaction
    /// Method, URL, header fields and body are those of the script, byte for byte.
    case requests
  }

  /// A rule that an adapter does not keep.
  public struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// Which one.
    public let rule: Rule
    /// The observation, for the adapter's author.
    public let sentence: String

    public var description: String { "\(rule.rawValue): \(sentence)" }
  }
}
