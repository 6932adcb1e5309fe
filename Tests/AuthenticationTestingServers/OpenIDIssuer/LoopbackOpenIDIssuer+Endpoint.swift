#if Tools && OpenID
extension LoopbackOpenIDIssuer {
  /// The endpoints of the issuer.
  public enum Endpoint: String, Sendable, Hashable, CaseIterable {
    /// `{issuer}/.well-known/openid-configuration` (OpenID Connect Discovery §4).
    case discovery = "/.well-known/openid-configuration"
    /// `/.well-known/oauth-authorization-server{path}` (RFC 8414 §3).
    case oauthMetadata = "/.well-known/oauth-authorization-server"
    /// The public keys (RFC 7517).
    case keys = "/jwks"
    /// The page where a user approves (RFC 6749 §3.1).
    case authorization = "/authorize"
    /// RFC 6749 §3.2.
    case token = "/token"
    /// RFC 9126 §2.
    case pushedAuthorization = "/par"
    /// RFC 8628 §3.1.
    case deviceAuthorization = "/device_authorization"
    /// Where a user types the code of a device, if ``LoopbackOpenIDIssuer/UserAction/types`` is set (RFC 8628 §3.3).
    case device = "/device"
    /// OpenID Connect Core §5.3.
    case userInfo = "/userinfo"
    /// RFC 7662 §2.
    case introspection = "/introspect"
    /// RFC 7009 §2.
    case revocation = "/revoke"
    /// OpenID Connect RP-Initiated Logout §2.
    case endSession = "/end_session"
    /// Takes a Bearer or a DPoP token.
    case resource = "/resource"
    /// The same, and asks for a recent and strong sign-in (RFC 9470).
    case strongResource = "/resource/strong"
    /// The same, and asks for the scope `notes:write` (RFC 6750 §3.1).
    case scopedResource = "/resource/scoped"

    var isResource: Bool { [.resource, .strongResource, .scopedResource].contains(self) }

    var methods: [String] {
      switch self {
      case .discovery, .oauthMetadata, .keys: ["GET"]
      case .token, .pushedAuthorization, .deviceAuthorization, .introspection, .revocation: ["POST"]
      case .authorization, .device, .userInfo, .endSession: ["GET", "POST"]
      case .resource, .strongResource, .scopedResource: ["GET", "POST", "PUT", "PATCH", "DELETE"]
      }
    }
  }
}
#endif
