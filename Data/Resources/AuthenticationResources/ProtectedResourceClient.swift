public import AuthenticationBrowser
public import AuthenticationData
public import AuthenticationDomain
import AuthenticationOpenID

/// An app that meets a protected resource it was not configured for, such as a server of the Model Context Protocol.
///
/// The resource's address is all that is needed; every property has a default.
///
/// ```swift
/// var client = ProtectedResourceClient(name: "Notes for Mac")
/// client.presenter = SystemBrowserPresenter()
/// let root = try MainRoot(.protectedResource("https://notes.example.com/mcp", client))
/// ```
public struct ProtectedResourceClient: Sendable {
  /// The name that the authorization server shows to the user (`client_name`, RFC 7591 §2).
  public var name: String
  /// The page about the app (`client_uri`); nil for none.
  public var website: String?
  /// The id that was agreed with the authorization server; nil takes the stored registration, the metadata document or
  /// a new registration, in this order.
  public var clientID: String?
  /// The secret that belongs to `clientID`; nil for a public client. Needs an ``issuer``.
  public var clientSecret: Secret?
  /// The one issuer at which the app signs in, spelled as it calls itself; nil for whichever the resource names. Required
  /// with a secret and with ``initialAccessToken``: neither is sent to a server that the resource names by itself.
  public var issuer: String?
  /// The https address of the app's own metadata document, which is then its id
  /// (draft-ietf-oauth-client-id-metadata-document). The app serves it; it has to name ``redirect``.
  public var metadataDocument: String?
  /// Allows registering where the authorization server wants it (RFC 7591 §3), at the origin of ``issuer``; nil for none.
  public var initialAccessToken: Secret?
  /// The scopes to ask for; nil asks for those that the resource names.
  public var scopes: [String]?
  /// Where the browser returns to. A port that the system chose is registered, and used again.
  public var redirect = RedirectURI.loopback()
  /// Shows the authorization server's page; without it only the device flow works.
  public var presenter: (any AuthorizationPresenter)?
  /// Binds the tokens to a key of this device (DPoP, RFC 9449). False by default.
  public var bindsTokens = false
  /// Whether metadata may name a resource above the address, at the same origin: `https://notes.example.com/` for
  /// `https://notes.example.com/mcp`. RFC 9728 §3.3 wants the same; many servers name their root. False by default.
  public var acceptsParentResource = false
  /// Called when the app was registered, with its new client id and the issuer.
  public var onRegistration: @Sendable (_ clientID: String, _ issuer: String) -> Void = { _, _ in }
  /// Where registrations are kept that several resources share; by default each resource has its own.
  package var registrations: RegisteredClients?

  /// A client with safe defaults.
  ///
  /// - Parameter name: the name that the authorization server shows to the user.
  public init(name: String) { self.name = name }
}

extension AuthProviderConfiguration {
  /// Any protected resource, by its address alone: its challenge for a token leads to its metadata (RFC 9728), to its
  /// authorization server (RFC 8414), to a client id there, and to a token for this resource (RFC 8707).
  ///
  /// Nothing is fetched before the first sign-in. The token is sent to the address and the paths below it, and to
  /// nothing else. Documents are fetched from public https addresses only, or from this machine if the resource is on
  /// it.
  ///
  /// - Parameters:
  ///   - address: of the resource; https, or http on this machine.
  ///   - client: how the app presents itself.
  ///   - realm: by default the address.
  public static func protectedResource(
    _ address: String, _ client: ProtectedResourceClient, realm: String? = nil
  ) -> Self {
    let name = (try? ResourceAddress(address))?.text ?? address
    return Self(name: "resource", realm: realm ?? "resource \(name)") { environment throws(AuthenticationError) in
      let address = try ResourceAddress(address)
      let provider = try ProtectedResourceProvider(address, client, in: environment)
      var product = Product(
        provider: provider, allowedOrigins: [address.origin], proof: provider.proof,
        processes: [.page(.browser), .device])
      product.path = address.path
      return product
    }
  }
}

extension RemoteAuthProvider {
  /// Forgets under which id this app is known where a protected resource's tokens come from, and asks the authorization
  /// servers to forget it as well (RFC 7592 §2.3). Sign out first. Nothing for any other provider.
  ///
  /// - Returns: whether the servers have forgotten it too: false if one offers no way to, refused, or was not reached.
  /// - Throws: ``AuthenticationError/storageUnavailable`` if the registrations cannot be removed.
  @discardableResult public func forgetClientRegistrations() async throws(AuthenticationError) -> Bool {
    try await part(ProtectedResourceProvider.self)?.forgetClientRegistrations() ?? true
  }
}
