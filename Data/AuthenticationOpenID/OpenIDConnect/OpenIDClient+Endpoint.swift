extension OpenIDClient {
  /// An endpoint of an issuer, by its name in the issuer's metadata (OpenID Connect Discovery §3, RFC 8414 §2).
  public struct Endpoint: Sendable, Hashable {
    let member: MetadataWire.Member

    /// `authorization_endpoint`
    public static let authorization = Self(member: .authorizationEndpoint)
    /// `token_endpoint`
    public static let token = Self(member: .tokenEndpoint)
    /// `jwks_uri`
    public static let keySet = Self(member: .keySet)
    /// `userinfo_endpoint`
    public static let userInfo = Self(member: .userInfoEndpoint)
    /// `revocation_endpoint`
    public static let revocation = Self(member: .revocationEndpoint)
    /// `introspection_endpoint`
    public static let introspection = Self(member: .introspectionEndpoint)
    /// `end_session_endpoint`
    public static let endSession = Self(member: .endSessionEndpoint)
    /// `device_authorization_endpoint`
    public static let deviceAuthorization = Self(member: .deviceAuthorizationEndpoint)
    /// `pushed_authorization_request_endpoint`
    public static let pushedAuthorizationRequest = Self(member: .pushedAuthorizationRequestEndpoint)

    /// The name in the metadata.
    package var name: String { member.rawValue }

    /// Every endpoint with a name.
    package static let all = MetadataWire.Member.endpoints.map(Self.init(member:))

    init(member: MetadataWire.Member) { self.member = member }

    /// Nil if no endpoint used here has this name.
    package init?(name: String) {
      guard let member = MetadataWire.Member(rawValue: name), MetadataWire.Member.endpoints.contains(member) else {
        return nil
      }
      self.member = member
    }
  }
}
