public import AuthenticationDomain

/// How a client authenticates at the token endpoint (RFC 6749 §2.3).
public struct ClientAuthentication: Sendable, Hashable {
  enum Method: Sendable, Hashable {
    case none
    case basic(Secret)
    case post(Secret)
  }

  let method: Method

  /// A public client: its id goes into the body (RFC 6749 §3.2.1).
  public static let none = Self(method: .none)
  /// `client_secret_basic`: form-encoded, then HTTP Basic (RFC 6749 §2.3.1).
  public static func secretBasic(_ secret: Secret) -> Self { Self(method: .basic(secret)) }
  /// `client_secret_post`: in the body (RFC 6749 §2.3.1).
  public static func secretPost(_ secret: Secret) -> Self { Self(method: .post(secret)) }
}
